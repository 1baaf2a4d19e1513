// Carbon of a load: against the slow version, and what must hold whatever the grid.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/calendar.hpp"
#include "footprint/operational.hpp"
#include "reference/operational.hpp"

namespace greenline::footprint {
namespace {

using base::Carbon;
using base::Energy;
using base::Estimate;
using base::Instant;
using base::Power;
using base::Time;
namespace units = base::units;

// A few thousand additions of doubles of one sign.
constexpr double kRounding = 1e-11;

Instant any_minute() {
  const auto minute = *rc::gen::inRange(0, 4 * 365 * 24 * 60);
  return base::advance(base::parse_instant("2022-01-01T00Z"), 1.0 * units::min,
                       static_cast<std::size_t>(minute));
}

// A whole year (common or leap) of random intensities.
GridHours any_year() {
  const int year = *rc::gen::element(2020, 2021, 2023);
  const auto seed = *rc::gen::inRange(1, 1 << 20);
  GridHours grid;
  grid.kind = GridKind::intensity;
  grid.intensity = {base::from_civil_utc({.year = year, .month = 1, .day = 1}), 1.0 * units::h, {}};
  const int num_hours = year == 2020 ? 8784 : 8760;
  std::uint32_t state = static_cast<std::uint32_t>(seed);
  for (int i = 0; i < num_hours; ++i) {
    state = state * 1664525u +
            1013904223u;  // Numerical Recipes' generator: fast and good enough for test data
    grid.intensity.values.push_back((20.0 + static_cast<double>(state >> 16) / 65536 * 800) *
                                    units::g_per_kWh);
  }
  grid.whole_year = true;
  return grid;
}

void near(Carbon a, Carbon b) {
  RC_ASSERT(std::abs((a - b).base_value()) <= kRounding * std::max(a, b).base_value() + 1e-30);
}

RC_GTEST_PROP(Operational, EqualsTheSlowLoop, ()) {
  const GridHours grid = any_year();
  const Instant start = any_minute();
  const int minutes = *rc::gen::inRange(1, 5000);
  const Power power = *rc::gen::inRange(1, 100000) * 1.0 * units::kW;
  near(operational_hours(grid, start, minutes * 1.0 * units::min, power).total_carbon,
       reference::operational(grid, start, minutes, power));
}

RC_GTEST_PROP(Operational, EachDrawEqualsTheSlowLoop, ()) {
  const GridHours grid = any_year();
  const Instant start = any_minute();
  const double hours = *rc::gen::inRange(1, 2000);
  const auto duration = base::from_driver<Time>(
      {"d", hours * 3600, hours * 3000, hours * 5000, base::DriverScale::automatic, ""},
      base::Evidence::modelled, "", 7);
  const auto power = base::from_driver<Power>(
      {"p", 1e6, 8e5, 1.5e6, base::DriverScale::automatic, ""}, base::Evidence::modelled, "", 7);
  const Estimate<Carbon> carbon = operational(grid, start, duration, power);
  for (int k = 0; k < base::kNumDraws; k += 17)
    near(carbon.draw(k),
         operational_hours(grid, start, duration.draw(k), power.draw(k)).total_carbon);
}

RC_GTEST_PROP(Operational, ConstantIntensityIsEnergyTimesIntensity, ()) {
  GridHours grid = any_year();
  const CarbonIntensity constant = *rc::gen::inRange(1, 1500) * 1.0 * units::g_per_kWh;
  for (CarbonIntensity& i : grid.intensity.values) i = constant;
  const Time duration = *rc::gen::inRange(1, 10'000'000) * 1.0 * units::s;
  const Power power = *rc::gen::inRange(1, 1000) * 1.0 * units::MW;
  const OperationalHours run = operational_hours(grid, any_minute(), duration, power);
  near(run.total_carbon, power * duration * constant);
}

RC_GTEST_PROP(Operational, AddsUpOverSplitWindows, ()) {
  const GridHours grid = any_year();
  const Instant start = any_minute();
  const Time first = *rc::gen::inRange(0, 1'000'000) * 1.0 * units::s,
             second = *rc::gen::inRange(0, 1'000'000) * 1.0 * units::s;
  const Power power = 1.0 * units::MW;
  near(operational_hours(grid, start, first + second, power).total_carbon,
       operational_hours(grid, start, first, power).total_carbon +
           operational_hours(grid, start + first, second, power).total_carbon);
}

RC_GTEST_PROP(Operational, ScalesWithThePower, ()) {
  const GridHours grid = any_year();
  const Instant start = any_minute();
  const Time duration = *rc::gen::inRange(1, 1'000'000) * 1.0 * units::s;
  const double factor = *rc::gen::inRange(1, 1000) / 7.0;
  near(operational_hours(grid, start, duration, factor * units::MW).total_carbon,
       operational_hours(grid, start, duration, 1.0 * units::MW).total_carbon * factor);
}

// Two starts at the same calendar hour of two common years, outside the source and without 29
// February, cost the same.
RC_GTEST_PROP(Operational, CommonYearsAreAlike, ()) {
  const GridHours grid = any_year();
  base::CivilTime c = base::civil_utc(any_minute());
  c.day = std::min(c.day, 28);
  c.year = 2025;
  const Instant a = base::from_civil_utc(c);
  c.year = 2026;
  const Instant b = base::from_civil_utc(c);
  const Time duration = *rc::gen::inRange(1, 365 * 24 * 60) * 1.0 * units::min;
  near(operational_hours(grid, a, duration, 1.0 * units::MW).total_carbon,
       operational_hours(grid, b, duration, 1.0 * units::MW).total_carbon);
}

RC_GTEST_PROP(Operational, CommonDriversCancelInDifferences, ()) {
  const GridHours one = any_year(), two = any_year();
  const Instant start = any_minute();
  const auto duration = base::from_driver<Time>(
      {"d", 1e6, 8e5, 1.3e6, base::DriverScale::automatic, ""}, base::Evidence::modelled, "", 7);
  const Estimate<Power> power(1.0 * units::MW);
  const auto a = operational(one, start, duration, power),
             b = operational(two, start, duration, power);
  const auto width = [](const Estimate<Carbon>& e) { return e.high() - e.low(); };
  RC_ASSERT(width(a - b) < width(a) + width(b));
}

}  // namespace
}  // namespace greenline::footprint
