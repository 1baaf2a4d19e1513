#include "grid/battery.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "grid/battery_life.hpp"
#include "grid/carbon_explorer.hpp"
#include "reference/battery.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::grid {
namespace {

using testing::contains;
using testing::error_of;
namespace units = base::units;

Battery cells(double mwh) {
  Battery battery = published_battery();
  battery.capacity = mwh * units::MWh;
  return battery;
}

constexpr double kPrinted = 1e-9;  // the references have nine decimals

// E3: an hour at a time.
TEST(Battery, ChargesByHoursUntilNearlyFull) {
  const BatteryHour battery(cells(10));
  double state = 0;
  for (const double expected : {3.88, 7.76, 9.911287129, 9.996486619}) {
    battery.charge(4, state);
    EXPECT_NEAR(state, expected, kPrinted);
  }
}

TEST(Battery, DischargesByHoursUntilNearlyEmpty) {
  const BatteryHour battery(cells(10));
  double state = 10;
  const double delivered[] = {4, 4, 1.6, 0.015238095}, states[] = {5.84, 1.68, 0.016, 0.000152381};
  for (int hour = 0; hour < 4; ++hour) {
    EXPECT_NEAR(battery.discharge(4, state), delivered[hour], kPrinted);
    EXPECT_NEAR(state, states[hour], kPrinted);
  }
}

TEST(Battery, ChargesByMinutesUntilFull) {
  const BatteryHour battery(cells(10), BatteryStep::minute);
  double state = 0;
  for (int hour = 0; hour < 4; ++hour) battery.charge(4, state);
  EXPECT_NEAR(state, 10, 1e-6);  // printed with six decimals
}

// The closed form against sixty steps. 1e-12 of the capacity: a power instead of sixty products.
TEST(Battery, AnHourOfMinutesInClosedFormIsSixtySteps) {
  for (const double mwh : {0.0, 0.3, 10.0, 500.0})
    for (const double filled : {0.0, 0.01, 0.5, 0.97, 1.0})
      for (const double mw : {0.0, 0.2, 4.0, 30.0, 5000.0}) {
        const Battery battery = cells(mwh);
        const BatteryHour fast(battery, BatteryStep::minute);
        double a = filled * mwh, b = a;
        const double taken = fast.charge(mw, a);
        const double slow_taken = reference::charge_minutes(battery, mw, b);
        EXPECT_NEAR(a, b, 1e-12 * mwh) << mwh << " MWh, " << filled << ", " << mw << " MW";
        EXPECT_NEAR(taken, slow_taken, 1e-12 * mwh);
        a = b = filled * mwh;
        EXPECT_NEAR(fast.discharge(mw, a), reference::discharge_minutes(battery, mw, b),
                    1e-12 * mwh);
        EXPECT_NEAR(a, b, 1e-12 * mwh);
      }
}

TEST(Battery, UsesOnlyItsDepthOfDischarge) {
  Battery battery = cells(10);
  battery.depth_of_discharge = 0.8;
  const BatteryHour hour(battery);
  EXPECT_DOUBLE_EQ(hour.empty_mwh(), 2);
  double state = 10;
  for (int i = 0; i < 50; ++i) hour.discharge(5, state);
  EXPECT_NEAR(state, 2, 1e-9);
  EXPECT_DOUBLE_EQ(hour.cycles(8 / 1.04), 1);
}

TEST(Battery, TakesNoMoreThanItsRate) {
  Battery battery = cells(100);
  battery.charge_rate = 0.25;
  double state = 0;
  EXPECT_DOUBLE_EQ(BatteryHour(battery).charge(1e9, state), 25 / 0.97);
}

TEST(Battery, OfNothingDoesNothing) {
  for (const BatteryStep step : {BatteryStep::hour, BatteryStep::minute}) {
    const BatteryHour none(cells(0), step);
    double state = 0;
    EXPECT_EQ(none.charge(5, state), 0);
    EXPECT_EQ(none.discharge(5, state), 0);
    EXPECT_EQ(none.cycles(0), 0);
  }
}

TEST(Battery, RefusesWhatCannotBe) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](const char* parameter, auto change) {
    Battery battery = cells(10);
    change(battery);
    EXPECT_TRUE(
        contains(error_of<base::UserError>("bad-battery", [&] { check(battery); }), parameter));
  };
  refused("capacity", [](Battery& b) { b.capacity = -1.0 * units::MWh; });
  refused("capacity", [&](Battery& b) { b.capacity = nan * units::MWh; });
  refused("charge_efficiency", [](Battery& b) { b.charge_efficiency = 1.01; });
  refused("charge_efficiency", [](Battery& b) { b.charge_efficiency = 0; });
  refused("discharge_efficiency", [](Battery& b) { b.discharge_efficiency = 0.96; });
  refused("charge_rate", [](Battery& b) { b.charge_rate = 0; });
  refused("discharge_rate", [&](Battery& b) { b.discharge_rate = nan; });
  refused("upper_slope", [](Battery& b) { b.upper_slope = 0.04; });
  refused("lower_slope", [](Battery& b) { b.lower_slope = -0.01; });
  refused("lower", [](Battery& b) { b.lower = 1; });
  refused("upper", [](Battery& b) { b.upper = 1.2; });
  refused("depth_of_discharge", [](Battery& b) { b.depth_of_discharge = 0; });
}

TEST(BatteryLife, BearsSoManyCyclesUntilItIsOld) {
  const BatteryWear wear{16.0 * units::year, 3000, 1.8};
  EXPECT_DOUBLE_EQ(wear.most_cycles_per_year(1), 3000.0 / 16);
  EXPECT_DOUBLE_EQ(wear.most_cycles_per_year(0.8), 3000 * std::pow(0.8, -1.8) / 16);
  error_of<base::UserError>("bad-battery", [] {
    check(BatteryWear{0.0 * units::year, 3000, 1.8});
  });
  error_of<base::UserError>("bad-battery", [] { check(BatteryWear{16.0 * units::year, 0, 1.8}); });
  error_of<base::UserError>("bad-battery", [] {
    check(BatteryWear{16.0 * units::year, 3000, -1});
  });
}

TEST(BatteryLife, ComesFromTheCatalogue) {
  const BatteryWear wear = battery_wear(catalog::Catalog(base::Settings{}));
  EXPECT_GT(wear.calendar_life.in(units::year), 8);
  EXPECT_EQ(wear.full_cycles, 3000);  // one cycle a day: the 8.2 years of the release
}

}  // namespace
}  // namespace greenline::grid
