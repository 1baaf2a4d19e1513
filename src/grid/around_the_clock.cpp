#include "grid/around_the_clock.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;

// Energy short in hours that miss more than `tolerance_mw`.
double short_mwh(std::span<const double> load, std::span<const double> supply,
                 const BatteryHour& battery, double tolerance_mw, bool stop_early) {
  GL_CHECK_EQ(load.size(), supply.size());
  double state = battery.full_mwh(), total = 0;
  for (std::size_t t = 0; t < load.size(); ++t) {
    const double net = supply[t] - load[t];
    if (net >= 0) {
      battery.charge(net, state);
      continue;
    }
    const double missing = -net - battery.discharge(-net, state);
    if (missing > tolerance_mw) total += missing;
    if (stop_early && total > 0) break;
  }
  return total;
}

}  // namespace

base::Energy lossless_around_the_clock(std::span<const double> load_mw,
                                       std::span<const double> supply_mw) {
  GL_CHECK_EQ(load_mw.size(), supply_mw.size());
  double below_full = 0, largest = 0;
  for (std::size_t t = 0; t < load_mw.size(); ++t) {
    below_full = std::max(0.0, below_full + load_mw[t] - supply_mw[t]);
    largest = std::max(largest, below_full);
  }
  return largest * units::MWh;
}

base::Energy shortfall(std::span<const double> load_mw, std::span<const double> supply_mw,
                       const BatteryHour& battery) {
  return short_mwh(load_mw, supply_mw, battery, 0, false) * units::MWh;
}

base::Energy around_the_clock(std::span<const double> load_mw, std::span<const double> supply_mw,
                              Battery battery, BatteryStep step) {
  constexpr double kRounding = 1e-9, kPrecision = 1e-12;
  const double highest = load_mw.empty() ? 0 : *std::max_element(load_mw.begin(), load_mw.end());
  const auto enough = [&](double mwh) {
    battery.capacity = mwh * units::MWh;
    return short_mwh(load_mw, supply_mw, BatteryHour(battery, step), kRounding * highest, true) ==
           0;
  };
  if (enough(0)) return {};
  // A full battery that never charges covers everything once it is large enough.
  double low = 0, high = std::max(highest, 1e-9);
  while (!enough(high)) low = high, high *= 2;
  while (high - low > kPrecision * high) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (enough(middle) ? high : low) = middle;
  }
  return high * units::MWh;
}

}  // namespace greenline::grid
