#include "grid/battery_life.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::grid {

namespace units = base::units;

double BatteryWear::cycle_life(double depth_of_discharge) const {
  return full_cycles * std::pow(depth_of_discharge, -depth_exponent);
}

double BatteryWear::most_cycles_per_year(double depth_of_discharge) const {
  return cycle_life(depth_of_discharge) / calendar_life.in(units::year);
}

BatteryWear battery_wear(const catalog::Catalog& facts) {
  const BatteryWear wear{facts.get<base::Time>("battery.calendar_life"),
                         facts.get<double>("battery.cycle_life"),
                         facts.get<double>("battery.cycle_life_exponent")};
  check(wear);
  return wear;
}

void check(const BatteryWear& wear) {
  const auto require = [](bool holds, const char* what, double value, const char* expected) {
    GL_USER_CHECK(holds, "bad-battery",
                  fmt::format("battery: {} is {}, expected {}", what, value, expected));
  };
  const double years = wear.calendar_life.in(units::year);
  require(years > 0, "calendar life in years", years, "above 0");
  require(wear.full_cycles > 0, "cycle life", wear.full_cycles, "above 0 full cycles");
  require(wear.depth_exponent >= 0 && std::isfinite(wear.depth_exponent),
          "exponent of the cycle life", wear.depth_exponent, "at least 0");
}

}  // namespace greenline::grid
