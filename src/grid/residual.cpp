#include "grid/residual.hpp"

#include <algorithm>

#include "base/calendar.hpp"
#include "base/random.hpp"
#include "grid/renewables.hpp"

namespace greenline::grid {
namespace {

using base::CarbonIntensity;
using base::Power;

constexpr int kNumQuantiles = 16;
constexpr double kNormal95 = 1.6448536269514722;  // 95 % point of the standard normal

// Equally likely values with the given mean, ascending.
std::vector<double> quantiles(double mean, double low, double high) {
  std::vector<double> out;
  double sum = 0;
  for (int k = 0; k < kNumQuantiles; ++k) {
    const double z = base::normal_quantile((k + 0.5) / kNumQuantiles) / kNormal95;
    out.push_back(std::max(0.0, mean + z * (z < 0 ? mean - low : high - mean)));
    sum += out.back();
  }
  if (sum > 0)
    for (double& x : out) x *= mean * kNumQuantiles / sum;
  return out;
}

std::vector<Power> power_quantiles(Power mean, const footprint::Spread<Power>& spread,
                                   std::size_t hour, double scale) {
  if (!(mean > Power{})) return {Power{}};
  std::vector<Power> out;
  for (const double w : quantiles(mean.base_value(), scale * spread.low[hour].base_value(),
                                  scale * spread.high[hour].base_value()))
    out.push_back(Power::from_base(w));
  return out;
}

}  // namespace

ResidualModel::ResidualModel(const footprint::GridHours& grid, Power wind, Power solar,
                             CapacityBasis basis, std::string_view wind_flag,
                             std::string_view solar_flag)
    : wind_(renewable_hours(grid, grid.wind, wind, basis, wind_flag, "WND")),
      solar_(renewable_hours(grid, grid.solar, solar, basis, solar_flag, "SUN")) {
  const std::size_t n = grid.intensity.size();
  const bool spread =
      grid.kind == footprint::GridKind::profile && !grid.intensity_spread.low.empty();
  std::vector<std::size_t> slot_of_month_hour(12 * 24, n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!spread) {
      slot_of_hour_.push_back(slots_.size());
      slots_.push_back({{wind_.values[i]}, {solar_.values[i]}, {grid.intensity.values[i]}});
      continue;
    }
    const base::CivilTime t = base::civil_utc(grid.intensity.time(i));
    std::size_t& slot = slot_of_month_hour[static_cast<std::size_t>(t.month - 1) * 24 +
                                           static_cast<std::size_t>(t.hour)];
    if (slot == n) {
      slot = slots_.size();
      slots_.push_back(profile_slot(grid, i));
    }
    slot_of_hour_.push_back(slot);
  }
}

ResidualModel::Slot ResidualModel::profile_slot(const footprint::GridHours& grid,
                                                std::size_t hour) const {
  // A profile's wind and solar are shares of a largest hour of 1 W.
  const auto scale = [hour](const base::Series<Power>& scaled, const base::Series<Power>& share) {
    return share.values[hour] > Power{} ? scaled.values[hour] / share.values[hour] : 0.0;
  };
  Slot slot;
  slot.wind = power_quantiles(wind_.values[hour], grid.wind_spread, hour, scale(wind_, grid.wind));
  slot.solar =
      power_quantiles(solar_.values[hour], grid.solar_spread, hour, scale(solar_, grid.solar));
  if (slot.wind.size() == 1) {  // no wind of one's own: the mean intensity says it all
    slot.intensity = {grid.intensity.values[hour]};
    return slot;
  }
  for (const double g : quantiles(grid.intensity.values[hour].base_value(),
                                  grid.intensity_spread.low[hour].base_value(),
                                  grid.intensity_spread.high[hour].base_value()))
    slot.intensity.push_back(CarbonIntensity::from_base(g));
  std::reverse(slot.intensity.begin(), slot.intensity.end());
  return slot;
}

Residual ResidualModel::in_slot(std::size_t index, Power load) const {
  const Slot& slot = slots_[index];
  Residual sum;
  for (std::size_t w = 0; w < slot.wind.size(); ++w) {
    Power from_grid, curtailed;
    for (const Power solar : slot.solar) {
      const Power missing = load - slot.wind[w] - solar;
      (missing > Power{} ? from_grid : curtailed) += missing;
    }
    sum.from_grid += from_grid;
    sum.curtailed -= curtailed;
    sum.carbon += from_grid * (slot.intensity.size() == 1 ? slot.intensity[0] : slot.intensity[w]);
  }
  const double samples = static_cast<double>(slot.wind.size() * slot.solar.size());
  return {sum.from_grid / samples, sum.curtailed / samples, sum.carbon / samples};
}

std::string profile_supply_notice(const footprint::GridHours& grid) {
  if (grid.kind != footprint::GridKind::profile) return "";
  // Measured on ERCO and CISO 2021, docs/methods/grid.md.
  return "wind and solar on a region's profile are an expectation over the spread of its days: "
         "against single hours of "
         "the same year coverage came out 0 to 3.2 points too high and the carbon of the rest 0.5 "
         "to "
         "40.5 % too low; decide on a file of hours";
}

}  // namespace greenline::grid
