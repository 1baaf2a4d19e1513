#include "grid/carbon_explorer.hpp"

#include <algorithm>
#include <numeric>

#include "grid/around_the_clock.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;

constexpr std::size_t kDay = 24;

// Runs the two fingers over one block. `order` (the worst giver first); `gives` and `room` say what
// an hour with a load of so much could give and take; loads are changed in place.
template <class Gives, class Room>
void two_fingers(std::span<const std::size_t> order, std::span<double> load, Gives gives, Room room,
                 bool exact_fill_gives_again) {
  std::size_t giver = 0, taker = order.size() - 1;
  double left = gives(order[giver], load[order[giver]]);
  while (giver < taker) {
    const std::size_t from = order[giver], to = order[taker];
    const double space = room(to, load[to]);
    if (left > 0 && space <= 0) {
      --taker;
      continue;
    }
    const double moved = left > 0 ? std::min(left, space) : 0;
    load[from] -= moved;
    load[to] += moved;
    left -= moved;
    const bool filled = moved == space;
    if (moved > 0 && filled) --taker;
    if (left > 0) continue;
    // The giver is done, except that the release asks it once more after an exact fill.
    const bool again = moved > 0 && filled && exact_fill_gives_again;
    if (!again) ++giver;
    if (giver < order.size()) left = gives(order[giver], load[order[giver]]);
  }
}

Shift difference(std::span<const double> before, std::span<const double> after) {
  Shift shift{std::vector<double>(before.size()), std::vector<double>(before.size()), 0};
  for (std::size_t t = 0; t < before.size(); ++t) {
    shift.out_mw[t] = std::max(0.0, before[t] - after[t]);
    shift.in_mw[t] = std::max(0.0, after[t] - before[t]);
    shift.moved_mwh += shift.out_mw[t];
  }
  return shift;
}

// The hours of the block that begins at `begin`, by `before`; the sort keeps equal hours in order.
template <class Before>
std::vector<std::size_t> ordered_block(std::size_t begin, Before before) {
  std::vector<std::size_t> order(kDay);
  std::iota(order.begin(), order.end(), begin);
  std::stable_sort(order.begin(), order.end(), before);
  return order;
}

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double mean(std::span<const double> values) {
  return values.empty() ? 0 : sum(values) / static_cast<double>(values.size());
}

// Constants of the release, over ten years.
constexpr double kYears = 10, kDaysOfYear = 365;
constexpr double kWindKgPerMwh = 12, kSolarKgPerMwh = 55, kBatteryTonnesPerMwh = 74;
constexpr double kBatteryYears = 3000 / kDaysOfYear;
constexpr double kServerTonnesPerMw = 744.5 / 120 * 1.15 * 1000, kServerYears = 4;

double embodied_tonnes(const SiteHours& site, const Design& design, double mean_load,
                       const PublishedRules& rules) {
  const auto n = static_cast<double>(site.num_hours());
  const double days = rules.window_of_whole_days
                          ? static_cast<double>(whole_day_hours(site.num_hours())) / kDay
                          : n / kDay;
  const double wind_mwh = design.wind.in(units::MW)*sum(site.wind_share);
  const double solar_mwh = design.solar.in(units::MW)*sum(site.solar_share);
  const double generation =
      (wind_mwh * kWindKgPerMwh + solar_mwh * kSolarKgPerMwh) / days * kYears * kDaysOfYear / 1000;
  const double battery =
      design.battery.in(units::MWh)*kBatteryTonnesPerMwh * kYears / kBatteryYears;
  const double servers = mean_load * design.extra_servers * kServerTonnesPerMw * kYears /
                         kServerYears / (rules.servers_a_thousandth ? 1000 : 1);
  return generation + battery + servers;
}

// What the grid gives in each hour, and in how many of the hours it counts.
struct Residual {
  std::vector<double> grid_mw;
  std::size_t counted = 0;
};

Residual residual(const SiteHours& site, const Design& design, Strategy strategy, double share,
                  const Battery& battery, const PublishedRules& rules) {
  DispatchOptions options;
  options.battery = battery;
  options.step = BatteryStep::minute;
  options.start = rules.starts_full ? Start::full : Start::cyclic;
  Design built = design;
  const bool stores = strategy == Strategy::battery || strategy == Strategy::battery_and_flexible;
  if (!stores) built.battery = {};
  const Dispatch run = dispatch(site, built, options);
  const std::size_t n = site.num_hours();
  if (strategy == Strategy::renewables || strategy == Strategy::battery) return {run.grid_mw, n};
  std::vector<double> supply = run.supply_mw;
  for (std::size_t t = 0; stores && t < n; ++t) {
    supply[t] += run.schedule.discharge_mw[t] - run.schedule.charge_mw[t];
    if (rules.charging_takes_all_surplus) supply[t] = std::min(supply[t], site.load_mw[t]);
  }
  const Shift shift = published_shift_to_surplus(
      site.load_mw, supply, share, cap_mw(site.load_mw, {share, design.extra_servers}),
      rules.exact_fill_gives_again);
  Residual out{std::vector<double>(n), rules.last_partial_day_dropped ? whole_day_hours(n) : n};
  for (std::size_t t = 0; t < n; ++t)
    out.grid_mw[t] = std::max(0.0, site.load_mw[t] - shift.out_mw[t] + shift.in_mw[t] - supply[t]);
  return out;
}

}  // namespace

std::size_t whole_day_hours(std::size_t num_hours) { return num_hours - num_hours % kDay; }

Shift published_shift_to_surplus(std::span<const double> load_mw, std::span<const double> supply_mw,
                                 double share, double cap, bool exact_fill_gives_again) {
  std::vector<double> load(load_mw.begin(), load_mw.end());
  for (std::size_t begin = 0; begin + kDay <= load.size(); begin += kDay) {
    const auto order = ordered_block(begin, [&](std::size_t a, std::size_t b) {
      return supply_mw[a] != supply_mw[b] ? supply_mw[a] < supply_mw[b] : load_mw[a] < load_mw[b];
    });
    two_fingers(
        order, load,
        [&](std::size_t t, double l) {
          return std::min(std::max(0.0, l - supply_mw[t]), share * l);
        },
        [&](std::size_t t, double l) { return std::min(supply_mw[t] - l, cap - l); },
        exact_fill_gives_again);
  }
  return difference(load_mw, load);
}

Shift published_shift_to_clean_hours(std::span<const double> load_mw,
                                     std::span<const double> intensity_g_per_kwh, double share,
                                     double cap, bool exact_fill_gives_again) {
  std::vector<double> load(load_mw.begin(), load_mw.end());
  for (std::size_t begin = 0; begin + kDay <= load.size(); begin += kDay) {
    auto order = ordered_block(begin, [&](std::size_t a, std::size_t b) {
      return intensity_g_per_kwh[a] < intensity_g_per_kwh[b];
    });
    std::reverse(order.begin(), order.end());  // of equal hours the later one gives first
    two_fingers(
        order, load, [&](std::size_t, double l) { return share * l; },
        [&](std::size_t, double l) { return cap - l; }, exact_fill_gives_again);
  }
  return difference(load_mw, load);
}

std::optional<base::Energy> published_around_the_clock(std::span<const double> load_mw,
                                                       std::span<const double> supply_mw,
                                                       Battery battery, base::Energy most) {
  constexpr double kWidth = 0.1, kShortfall = 1e-4;  // MWh
  const auto enough = [&](double mwh) {
    battery.capacity = mwh * units::MWh;
    return shortfall(load_mw, supply_mw, BatteryHour(battery, BatteryStep::minute))
               .in(units::MWh) <= kShortfall;
  };
  double low = 0, high = most.in(units::MWh), tried = high;
  if (!enough(high)) return std::nullopt;
  while (high - low > kWidth) {
    tried = (low + high) / 2;
    (enough(tried) ? high : low) = tried;
  }
  return tried * units::MWh;
}

double PublishedFootprint::kt_per_mw() const {
  return (operational + embodied).in(units::tCO2e) / 1000 / mean_load.in(units::MW);
}

PublishedFootprint published_footprint(const SiteHours& site, const Design& design,
                                       Strategy strategy, double flexible_share,
                                       const Battery& battery, const PublishedRules& rules) {
  const Residual left = residual(site, design, strategy, flexible_share, battery, rules);
  const double load = sum(std::span(site.load_mw).first(left.counted));
  const double grid = sum(std::span(left.grid_mw).first(left.counted));
  const double mean_load = mean(site.load_mw);
  PublishedFootprint out;
  out.coverage = load > 0 ? 1 - grid / load : 0;
  out.mean_load = mean_load * units::MW;
  double intensity = mean(site.intensity_g_per_kwh);
  if (!rules.mean_intensity && grid > 0) {
    intensity = 0;  // of the grid energy, hour by hour
    for (std::size_t t = 0; t < left.counted; ++t)
      intensity += left.grid_mw[t] / grid * site.intensity_g_per_kwh[t];
  }
  const double tonnes =
      mean_load * (1 - out.coverage) * kYears * kDaysOfYear * kDay * intensity / 1000;
  out.operational = tonnes * units::tCO2e;
  out.embodied = embodied_tonnes(site, design, mean_load, rules) * units::tCO2e;
  return out;
}

Battery published_battery() {
  Battery battery;
  battery.charge_rate = battery.discharge_rate = 3;
  return battery;
}

}  // namespace greenline::grid
