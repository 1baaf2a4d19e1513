#include "grid/dispatch.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "grid/carbon_explorer.hpp"
#include "grid/replay.hpp"
#include "shared_data.hpp"
#include "unit/grid/sites.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::grid {
namespace {

using testing::design_of;
using testing::error_of;
using testing::released_site;
using testing::site_of;
using testing::six_hours;
namespace units = base::units;

constexpr double kPrinted = 1e-9;  // the references have nine decimals

DispatchOptions as_released() {
  DispatchOptions options;
  options.battery = published_battery();
  options.step = BatteryStep::minute;
  options.start = Start::full;
  return options;
}

// E1 and E2.
TEST(Dispatch, SixHoursByMinutes) {
  const std::pair<double, double> grid_of_battery[] = {
      {0, 19}, {4, 13.288461538}, {10, 7.519230769}, {20, 0}};
  for (const auto& [mwh, grid] : grid_of_battery)
    EXPECT_NEAR(dispatch(six_hours(), design_of(1, mwh), as_released()).grid_mwh, grid, kPrinted);
  EXPECT_NEAR(dispatch(six_hours(), design_of(1), as_released()).coverage(), 0.68333333333,
              kPrinted);
}

// E9.
TEST(Dispatch, AMonthOfCalifornia) {
  GL_SHARED_OR_SKIP(shared);
  const SiteHours year = released_site(shared, "eia_ciso_2021_mwh.csv", 50);
  EXPECT_NEAR(dispatch(first_hours(year, 744), design_of(150, 200), as_released()).grid_mwh,
              16381.608093, 1e-6);  // printed with six decimals
}

TEST(Dispatch, StartsWhereItEnds) {
  const SiteHours site = six_hours();
  DispatchOptions options;
  options.battery = published_battery();
  for (const double mwh : {0.0, 3.0, 12.0, 500.0}) {
    const Dispatch run = dispatch(site, design_of(1, mwh), options);
    EXPECT_NEAR(run.state_mwh.back(), run.schedule.initial_mwh, 1e-11 * mwh) << mwh;
  }
}

// More shortfall than surplus: a large battery drifts down pass by pass, so the passes never meet
// near full; the state it ends up with is empty but for the last surplus.
TEST(Dispatch, FindsTheCycleOfALargeBattery) {
  const Dispatch run = dispatch(site_of({10, 10, 10}, {0, 0, 11}), design_of(1, 1e6), {});
  EXPECT_NEAR(run.schedule.initial_mwh, 0.97, 0.1);
  EXPECT_NEAR(run.grid_mwh, 20 - run.discharged_mwh, 1e-9);
  EXPECT_LT(run.discharged_mwh, 1);
}

TEST(Dispatch, StartsAsGiven) {
  DispatchOptions options;
  options.start = Start::given;
  options.initial = 2.0 * units::MWh;
  EXPECT_EQ(dispatch(six_hours(), design_of(1, 4), options).schedule.initial_mwh, 2);
  options.initial = 5.0 * units::MWh;
  error_of<base::UserError>("bad-start", [&] { dispatch(six_hours(), design_of(1, 4), options); });
}

TEST(Dispatch, RefusesANegativeSize) {
  error_of<base::UserError>("bad-design", [] { dispatch(six_hours(), design_of(-1), {}); });
  error_of<base::UserError>("bad-design", [] { dispatch(six_hours(), design_of(1, -4), {}); });
  error_of<base::UserError>("bad-design", [] { dispatch(six_hours(), design_of(NAN), {}); });
}

// 12 MW short in one hour, 4 MW over in another: work fills the surplus for nothing, the battery
// would lose some of it on the way.
TEST(Dispatch, FlexibleWorkFirstWastesLess) {
  const SiteHours site = site_of({10, 10}, {14, 0});
  DispatchOptions options;
  options.battery = published_battery();
  options.flexible_share = 0.4;
  const Design design = design_of(1, 10, 0.5);
  EXPECT_NEAR(dispatch(site, design, options).grid_mwh, 6, 1e-9);
  options.first = First::battery;
  options.start = Start::given;
  const Dispatch second = dispatch(site, design, options);
  EXPECT_NEAR(second.grid_mwh, 10 - 4 * 0.97 / (0.01 + 1.04), 1e-9);
  EXPECT_EQ(second.moved_mwh, 0);
}

// D2: without a battery nothing charges, and still no work moves.
TEST(Dispatch, AsReleasedAChargingHourLosesItsSurplus) {
  const SiteHours site = site_of({10, 10}, {14, 0});
  DispatchOptions options = as_released();
  options.flexible_share = 0.4;
  options.first = First::battery;
  EXPECT_NEAR(dispatch(site, design_of(1, 0, 0.5), options).grid_mwh, 6, 1e-12);
  options.charging_takes_all_surplus = true;
  EXPECT_NEAR(dispatch(site, design_of(1, 0, 0.5), options).grid_mwh, 10, 1e-12);
}

ReplayOptions replay_of(const DispatchOptions& options) {
  ReplayOptions out;
  out.battery = options.battery;
  out.flexible_share = options.flexible_share;
  out.cyclic = options.start == Start::cyclic;
  out.tolerance = 1e-9;
  return out;
}

TEST(Replay, OfADispatchIsTheDispatch) {
  GL_SHARED_OR_SKIP(shared);
  const SiteHours site = first_hours(released_site(shared, "eia_ciso_2021_mwh.csv", 50), 24 * 31);
  DispatchOptions options;
  options.flexible_share = 0.2;
  const Design design = design_of(180, 200, 0.3, 50);
  const Dispatch run = dispatch(site, design, options);
  EXPECT_GT(run.moved_mwh, 0);
  const Replay again = replay(site, design, run.schedule, replay_of(options));
  EXPECT_TRUE(again.violations.empty()) << again.violations.front().limit;
  EXPECT_NEAR(again.dispatch.grid_mwh, run.grid_mwh, 1e-9 * run.grid_mwh);
  EXPECT_NEAR(again.dispatch.operational_kg, run.operational_kg, 1e-9 * run.operational_kg);
  EXPECT_NEAR(again.dispatch.curtailed_mwh, run.curtailed_mwh, 1e-9 * run.supply_mwh);
}

TEST(Replay, NamesWhatAScheduleBreaks) {
  const SiteHours site = six_hours();
  const Design design = design_of(1, 10, 0.2);
  DispatchOptions options;
  options.battery = published_battery();
  options.flexible_share = 0.1;
  const Schedule good = dispatch(site, design, options).schedule;
  const auto broken = [&](auto change) {
    Schedule schedule = good;
    change(schedule);
    std::string limits;
    for (const Violation& v : replay(site, design, schedule, replay_of(options)).violations)
      limits += v.limit + "@" + std::to_string(v.hour) + " ";
    return limits;
  };
  EXPECT_EQ(broken([](Schedule&) {}), "");
  EXPECT_TRUE(testing::contains(broken([](Schedule& s) { s.charge_mw[2] = 7; }),
                                "charge from wind and solar@2"));
  EXPECT_TRUE(testing::contains(broken([](Schedule& s) { s.charge_mw[1] = 19; }), "full@1"));
  EXPECT_TRUE(testing::contains(broken([](Schedule& s) { s.discharge_mw[5] += 9; }), "empty@5"));
  EXPECT_TRUE(testing::contains(broken([](Schedule& s) { s.charge_mw[3] = s.discharge_mw[3] = 1; }),
                                "charge or discharge@3"));
  EXPECT_TRUE(testing::contains(broken([](Schedule& s) { s.out_mw[0] = 2; }), "out@0"));
  EXPECT_TRUE(testing::contains(broken([](Schedule& s) { s.in_mw[0] += 3; }), "cap@0"));
  EXPECT_TRUE(testing::contains(broken([](Schedule& s) { s.in_mw[0] += 0.5; }), "day@0"));
  EXPECT_TRUE(testing::contains(broken([](Schedule& s) { s.discharge_mw[5] = 0; }), "cyclic@5"));
  EXPECT_TRUE(testing::contains(broken([](Schedule& s) { s.charge_mw[1] = NAN; }), "charge@1"));
}

}  // namespace
}  // namespace greenline::grid
