#include "grid/battery_life.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::grid {

namespace units = base::units;

double BatteryWear::cycle_life(double depth_of_discharge) const {
  return full_cycles * std::pow(depth_of_discharge, -depth_exponent);
}

BatteryWear battery_wear(const catalog::Catalog& facts) {
  return {facts.get<base::Time>("battery.calendar_life"), facts.get<double>("battery.cycle_life"),
          facts.get<double>("battery.cycle_life_exponent")};
}

base::Time battery_life(const BatteryWear& wear, double depth_of_discharge,
                        double cycles_per_year) {
  const double years = wear.calendar_life.in(units::year);
  const auto require = [](bool holds, const char* what, double value, const char* expected) {
    GL_USER_CHECK(holds, "bad-battery",
                  fmt::format("battery: {} is {}, expected {}", what, value, expected));
  };
  require(years > 0, "calendar life in years", years, "above 0");
  require(wear.full_cycles > 0, "cycle life", wear.full_cycles, "above 0 full cycles");
  require(wear.depth_exponent >= 0 && std::isfinite(wear.depth_exponent),
          "exponent of the cycle life", wear.depth_exponent, "at least 0");
  require(depth_of_discharge > 0 && depth_of_discharge <= 1, "depth of discharge",
          depth_of_discharge, "above 0, at most 1");
  require(cycles_per_year >= 0, "cycles a year", cycles_per_year, "at least 0");
  if (cycles_per_year == 0) return wear.calendar_life;
  return std::min(wear.calendar_life,
                  wear.cycle_life(depth_of_discharge) / cycles_per_year * units::year);
}

}  // namespace greenline::grid
