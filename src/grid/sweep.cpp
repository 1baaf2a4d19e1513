#include "grid/sweep.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "grid/sweep_lanes.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;

SweepKernel kernel_of(base::InstructionSet wanted) {
  switch (std::min(wanted, base::widest_instruction_set())) {
    case base::InstructionSet::scalar:
      return sweep_scalar;
    case base::InstructionSet::avx2:
      return sweep_avx2;
    case base::InstructionSet::avx512:
    case base::InstructionSet::amx:
      return sweep_avx512;
  }
  return sweep_scalar;
}

// The arrays that SweepHours points to.
struct Hours {
  std::vector<float> load, wind, solar, intensity;
  std::vector<std::uint32_t> day_begin, dirtiest;
  std::size_t longest_day = 0;
  SweepHours view;

  Hours(const SiteHours& site, const BatteryHour& battery, double flexible_share);
};

std::vector<float> as_floats(std::span<const double> values) {
  std::vector<float> out;
  out.reserve(values.size());
  for (const double v : values) out.push_back(static_cast<float>(v));
  return out;
}

Hours::Hours(const SiteHours& site, const BatteryHour& battery, double flexible_share)
    : load(as_floats(site.load_mw)),
      wind(as_floats(site.wind_share)),
      solar(as_floats(site.solar_share)),
      intensity(as_floats(site.intensity_g_per_kwh)),
      day_begin(site.day_begin.begin(), site.day_begin.end()),
      dirtiest(load.size()) {
  GL_CHECK_EQ(wind.size(), load.size());
  GL_CHECK_EQ(solar.size(), load.size());
  GL_CHECK_EQ(intensity.size(), load.size());
  GL_CHECK_LT(std::size_t{0}, day_begin.size());
  GL_CHECK_EQ(std::size_t{day_begin.back()}, load.size());
  std::iota(dirtiest.begin(), dirtiest.end(), std::uint32_t{0});
  for (std::size_t day = 0; day + 1 < day_begin.size(); ++day) {
    longest_day = std::max<std::size_t>(longest_day, day_begin[day + 1] - day_begin[day]);
    std::stable_sort(dirtiest.begin() + day_begin[day], dirtiest.begin() + day_begin[day + 1],
                     [&](std::uint32_t a, std::uint32_t b) {
                       return site.intensity_g_per_kwh[a] > site.intensity_g_per_kwh[b];
                     });
  }
  view.load = load.data();
  view.wind = wind.data();
  view.solar = solar.data();
  view.intensity = intensity.data();
  view.day_begin = day_begin.data();
  view.dirtiest = dirtiest.data();
  view.num_days = day_begin.size() - 1;
  view.flexible_share = static_cast<float>(flexible_share);
  view.charge_efficiency = static_cast<float>(battery.charge_efficiency());
  view.discharge_efficiency = static_cast<float>(battery.discharge_efficiency());
  view.charge_per_hour = static_cast<float>(1 / battery.charge_hours());
  view.discharge_per_hour = static_cast<float>(1 / battery.discharge_hours());
}

// Lanes beyond the last design repeat it.
void load_block(SweepBlock& block, std::span<const Design> designs, const BatteryHour& one_mwh,
                const SiteHours& site, double idle_share) {
  const double highest_load = cap_mw(site.load_mw, {});
  for (std::size_t lane = 0; lane < kSweepLanes; ++lane) {
    const Design& d = designs[std::min(lane, designs.size() - 1)];
    const double mwh = d.battery.in(units::MWh);
    block.wind[lane] = static_cast<float>(d.wind.in(units::MW));
    block.solar[lane] = static_cast<float>(d.solar.in(units::MW));
    block.cap[lane] = static_cast<float>((1 + d.extra_servers) * highest_load);
    block.idle[lane] = static_cast<float>(idle_share * d.extra_servers * highest_load);
    block.usable[lane] = static_cast<float>(mwh * (one_mwh.full_mwh() - one_mwh.empty_mwh()));
    block.charge_limit[lane] = static_cast<float>(mwh * one_mwh.charge_limit_mw());
    block.discharge_limit[lane] = static_cast<float>(mwh * one_mwh.discharge_limit_mw());
    block.state[lane] = block.usable[lane];
  }
}

void clear_sums(SweepBlock& block) {
  for (auto* sums :
       {&block.grid, &block.operational_kg, &block.curtailed, &block.discharged, &block.moved})
    std::fill(std::begin(*sums), std::end(*sums), 0.0);
}

void check_designs(std::span<const Design> designs) {
  for (const Design& design : designs) check(design);
}

}  // namespace

std::vector<SweepOutcome> sweep(const SiteHours& site, std::span<const Design> designs,
                                const SweepOptions& options, base::Progress& progress) {
  GL_USER_CHECK(options.start != Start::given, "bad-start",
                "a sweep starts its batteries full or cyclic, not with a given energy");
  check_designs(designs);
  cap_mw(site.load_mw, {options.flexible_share, 0});  // its check
  const double load_mwh = std::accumulate(site.load_mw.begin(), site.load_mw.end(), 0.0);
  Battery one = options.battery;
  one.capacity = 1.0 * units::MWh;
  const BatteryHour one_mwh(one);
  const Hours hours(site, one_mwh, options.flexible_share);
  const SweepKernel kernel = kernel_of(options.instruction_set);
  const std::size_t num_blocks = (designs.size() + kSweepLanes - 1) / kSweepLanes;
  std::vector<SweepOutcome> outcomes(designs.size());
  progress.stage("designs", designs.size());
  base::parallel_for(num_blocks, [&](std::size_t b) {
    if (progress.cancelled()) return;
    const std::size_t begin = b * kSweepLanes;
    const std::size_t count = std::min(kSweepLanes, designs.size() - begin);
    SweepBlock block;
    load_block(block, designs.subspan(begin, count), one_mwh, site, options.idle_share);
    clear_sums(block);
    std::vector<float> scratch(options.flexible_share > 0 ? hours.longest_day * kSweepLanes : 0);
    if (options.start == Start::cyclic) kernel(hours.view, block, scratch.data());
    clear_sums(block);
    float initial[kSweepLanes];
    std::copy(std::begin(block.state), std::end(block.state), initial);
    kernel(hours.view, block, scratch.data());
    for (std::size_t lane = 0; lane < count; ++lane) {
      const double idle = idle_mw(site, designs[begin + lane], options.idle_share);
      const double usable = static_cast<double>(block.usable[lane]);
      outcomes[begin + lane] = {
          block.grid[lane],
          block.curtailed[lane],
          block.discharged[lane],
          block.moved[lane],
          block.operational_kg[lane],
          static_cast<double>(block.state[lane]) - static_cast<double>(initial[lane]),
          usable > 0 ? one_mwh.drawn_mwh(block.discharged[lane]) / usable : 0,
          load_mwh + idle * static_cast<double>(site.num_hours()),
          true};
    }
    progress.advance(count);
  });
  return outcomes;
}

}  // namespace greenline::grid
