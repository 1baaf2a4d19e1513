// Battery, flexible work and sweeps on random sites: conservation, bounds, monotonicity, scaling,
// permutation, limits.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "grid/around_the_clock.hpp"
#include "grid/carbon_explorer.hpp"
#include "grid/replay.hpp"
#include "grid/sweep.hpp"
#include "reference/flexible.hpp"
#include "unit/grid/sites.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;

// A few hundred additions of doubles.
constexpr double kRounding = 1e-9;

double any_share() { return *rc::gen::inRange(0, 101) / 100.0; }

SiteHours any_site() {
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(1, 130));
  const auto numbers = [&](int low, int high) {
    std::vector<double> out;
    for (const int x : *rc::gen::container<std::vector<int>>(n, rc::gen::inRange(low, high)))
      out.push_back(x / 100.0);
    return out;
  };
  SiteHours site = testing::site_of(numbers(100, 2000), numbers(0, 101), numbers(0, 90000));
  site.solar_share = numbers(0, 101);
  // Days of any length.
  site.day_begin = {0};
  while (site.day_begin.back() < n)
    site.day_begin.push_back(
        std::min(n, site.day_begin.back() + static_cast<std::size_t>(*rc::gen::inRange(1, 30))));
  return site;
}

Design any_design() {
  const auto size = [](int most) { return *rc::gen::inRange(0, most) * 1.0; };
  return testing::design_of(size(60), size(80), any_share(), size(60));
}

DispatchOptions any_options() {
  DispatchOptions options;
  options.battery.charge_rate = *rc::gen::element(0.25, 0.5, 3.0);
  options.battery.discharge_rate = *rc::gen::element(0.25, 0.5, 3.0);
  options.battery.depth_of_discharge = *rc::gen::element(0.6, 0.8, 1.0);
  options.step = *rc::gen::element(BatteryStep::hour, BatteryStep::minute);
  options.start = *rc::gen::element(Start::cyclic, Start::full);
  options.first = *rc::gen::element(First::flexible, First::battery);
  options.flexible_share = any_share();
  return options;
}

bool near(double a, double b, double scale) {
  return std::abs(a - b) <= kRounding * std::max(1.0, std::abs(scale));
}

RC_GTEST_PROP(Dispatch, ConservesEnergyInEveryHour, ()) {
  const SiteHours site = any_site();
  const DispatchOptions options = any_options();
  const Dispatch run = dispatch(site, any_design(), options);
  const Schedule& s = run.schedule;
  double state = s.initial_mwh;
  for (std::size_t t = 0; t < site.num_hours(); ++t) {
    const double in = run.supply_mw[t] + s.discharge_mw[t] + run.grid_mw[t];
    const double out = site.load_mw[t] - s.out_mw[t] + s.in_mw[t] + s.charge_mw[t];
    RC_ASSERT(near(in, out + run.curtailed_mw[t], in));
    state += options.battery.charge_efficiency * s.charge_mw[t] -
             options.battery.discharge_efficiency * s.discharge_mw[t];
    RC_ASSERT(near(state, run.state_mwh[t], 100));
  }
  RC_ASSERT(near(run.supply_mwh + run.discharged_mwh + run.grid_mwh,
                 run.load_mwh + run.charged_mwh + run.curtailed_mwh, run.supply_mwh));
}

RC_GTEST_PROP(Dispatch, StaysWithinItsLimits, ()) {
  const SiteHours site = any_site();
  const Design design = any_design();
  const DispatchOptions options = any_options();
  const Dispatch run = dispatch(site, design, options);
  Battery battery = options.battery;
  battery.capacity = design.battery;
  const BatteryHour hour(battery);
  for (std::size_t t = 0; t < site.num_hours(); ++t) {
    RC_ASSERT(std::min(run.schedule.charge_mw[t], run.schedule.discharge_mw[t]) == 0);
    RC_ASSERT(run.state_mwh[t] >= hour.empty_mwh() - kRounding);
    RC_ASSERT(run.state_mwh[t] <= hour.full_mwh() + kRounding);
    RC_ASSERT(run.grid_mw[t] >= 0 && run.curtailed_mw[t] >= 0);
  }
  if (options.start == Start::cyclic)
    RC_ASSERT(near(run.state_mwh.back(), run.schedule.initial_mwh, 100));
  RC_ASSERT(run.coverage() >= -kRounding && run.coverage() <= 1 + kRounding);
}

// What the hourly battery does is within the limits that a linear program is held to.
RC_GTEST_PROP(Dispatch, ReplaysWithoutViolation, ()) {
  const SiteHours site = any_site();
  const Design design = any_design();
  DispatchOptions options = any_options();
  options.step = BatteryStep::hour;
  const Dispatch run = dispatch(site, design, options);
  ReplayOptions same;
  same.battery = options.battery;
  same.flexible_share = options.flexible_share;
  same.cyclic = options.start == Start::cyclic;
  same.tolerance = kRounding;
  const Replay again = replay(site, design, run.schedule, same);
  RC_ASSERT(again.violations.empty());
  RC_ASSERT(near(again.dispatch.grid_mwh, run.grid_mwh, run.load_mwh));
  RC_ASSERT(near(again.dispatch.operational_kg, run.operational_kg, run.load_mwh * 1000));
}

RC_GTEST_PROP(Dispatch, DoublingEverythingDoublesEverything, ()) {
  SiteHours site = any_site();
  Design design = any_design();
  const DispatchOptions options = any_options();
  const Dispatch one = dispatch(site, design, options);
  for (double& mw : site.load_mw) mw *= 2;
  design.wind *= 2, design.solar *= 2, design.battery *= 2;
  const Dispatch two = dispatch(site, design, options);
  RC_ASSERT(near(two.grid_mwh, 2 * one.grid_mwh, one.load_mwh));
  RC_ASSERT(near(two.operational_kg, 2 * one.operational_kg, one.load_mwh * 1000));
  RC_ASSERT(near(two.curtailed_mwh, 2 * one.curtailed_mwh, one.supply_mwh));
  RC_ASSERT(near(two.cycles, one.cycles, 10));
}

// More of any size covers more, from a full start: a design may leave unused what it has.
RC_GTEST_PROP(Dispatch, CoverageGrowsWithEverySize, ()) {
  const SiteHours site = any_site();
  const Design design = any_design();
  DispatchOptions options = any_options();
  options.start = Start::full;
  options.first = First::flexible;
  options.flexible_share = 0;
  const double before = dispatch(site, design, options).coverage();
  Design more = design;
  more.wind += 5.0 * units::MW;
  RC_ASSERT(dispatch(site, more, options).coverage() >= before - kRounding);
  more = design;
  more.battery += 7.0 * units::MWh;
  RC_ASSERT(dispatch(site, more, options).coverage() >= before - kRounding);
}

// Without a battery days do not know each other.
RC_GTEST_PROP(Dispatch, OrderOfTheDaysDoesNotMatterWithoutABattery, ()) {
  const SiteHours site = any_site();
  Design design = any_design();
  design.battery = {};
  DispatchOptions options;
  options.flexible_share = any_share();
  SiteHours turned = site;
  turned.load_mw.clear(), turned.wind_share.clear(), turned.solar_share.clear();
  turned.intensity_g_per_kwh.clear();
  turned.day_begin = {0};
  for (std::size_t day = site.day_begin.size() - 1; day-- > 0;) {
    for (std::size_t t = site.day_begin[day]; t < site.day_begin[day + 1]; ++t) {
      turned.load_mw.push_back(site.load_mw[t]);
      turned.wind_share.push_back(site.wind_share[t]);
      turned.solar_share.push_back(site.solar_share[t]);
      turned.intensity_g_per_kwh.push_back(site.intensity_g_per_kwh[t]);
    }
    turned.day_begin.push_back(turned.load_mw.size());
  }
  const Dispatch a = dispatch(site, design, options), b = dispatch(turned, design, options);
  RC_ASSERT(near(a.grid_mwh, b.grid_mwh, a.load_mwh));
  RC_ASSERT(near(a.operational_kg, b.operational_kg, a.load_mwh * 1000));
}

// A battery without losses and limits, as large as can be, moves every surplus to a shortfall.
RC_GTEST_PROP(Dispatch, APerfectBatteryReachesTheSmallerSum, ()) {
  const SiteHours site = any_site();
  Design design = any_design();
  design.battery = 1e5 * units::MWh;
  DispatchOptions options;
  options.battery.charge_efficiency = options.battery.discharge_efficiency = 1;
  options.battery.upper_slope = options.battery.lower_slope = 0;
  const Dispatch run = dispatch(site, design, options);
  RC_ASSERT(std::abs(run.load_mwh - run.grid_mwh - std::min(run.supply_mwh, run.load_mwh)) <=
            1e-6);  // the cycle is found to 1e-12 of 1e5 MWh
}

RC_GTEST_PROP(Shift, NoScheduleOfTheDayDoesBetter, ()) {
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(2, 8));
  std::vector<double> load, supply, intensity;
  for (std::size_t t = 0; t < n; ++t) {
    load.push_back(*rc::gen::inRange(1, 20));
    supply.push_back(*rc::gen::inRange(0, 30));
    intensity.push_back(*rc::gen::inRange(0, 500));
  }
  const double share = any_share();
  const double cap =
      *std::max_element(load.begin(), load.end()) * (1 + *rc::gen::inRange(0, 100) / 100.0);
  const std::vector<std::size_t> day = blocks_of(n, n);
  const Shift clean = shift_to_clean_hours(load, intensity, day, share, cap);
  RC_ASSERT(near(reference::carbon(load, intensity, clean),
                 reference::least_carbon_of_a_day(load, intensity, share, cap), 1e4));
  const Shift surplus = shift_to_surplus(load, supply, intensity, day, share, cap);
  RC_ASSERT(near(reference::grid_energy(load, supply, surplus),
                 reference::least_grid_energy_of_a_day(load, supply, share, cap), 100));
}

RC_GTEST_PROP(Shift, ThePublishedFingersAreNeverBetterOnceMended, ()) {
  std::vector<double> load, supply;
  for (int t = 0; t < 24; ++t) {
    load.push_back(*rc::gen::inRange(1, 20));
    supply.push_back(*rc::gen::inRange(0, 30));
  }
  const double share = any_share(), cap = *std::max_element(load.begin(), load.end()) * 1.3;
  const std::vector<double> same(24, 1.0);
  const double right = reference::grid_energy(
      load, supply, shift_to_surplus(load, supply, same, blocks_of(24), share, cap));
  const double mended = reference::grid_energy(
      load, supply, published_shift_to_surplus(load, supply, share, cap, false));
  RC_ASSERT(right <= mended + kRounding);
}

RC_GTEST_PROP(AroundTheClock, LossesNeedMore, ()) {
  const SiteHours site = any_site();
  const std::vector<double> supply = supply_mw(site, testing::design_of(12));
  const double lossless = lossless_around_the_clock(site.load_mw, supply).in(units::MWh);
  const double real = around_the_clock(site.load_mw, supply, published_battery()).in(units::MWh);
  RC_ASSERT(real >= lossless - 1e-6);
}

RC_GTEST_PROP(Sweep, AgreesWithDispatch, ()) {
  const SiteHours site = any_site();
  DispatchOptions options = any_options();
  options.step = BatteryStep::hour;
  options.first = First::flexible;
  options.start = Start::full;
  SweepOptions same;
  same.battery = options.battery;
  same.start = options.start;
  same.flexible_share = options.flexible_share;
  std::vector<Design> designs;
  for (int i = *rc::gen::inRange(1, 80); i > 0; --i) designs.push_back(any_design());
  const std::vector<SweepOutcome> swept = sweep(site, designs, same);
  for (std::size_t i = 0; i < designs.size(); ++i) {
    const Dispatch run = dispatch(site, designs[i], options);
    // Floats: six digits of the sums that went in.
    const double scale = 1e-5 * (run.load_mwh + run.supply_mwh);
    RC_ASSERT(std::abs(swept[i].grid_mwh - run.grid_mwh) <= scale);
    RC_ASSERT(std::abs(swept[i].operational_kg - run.operational_kg) <= scale * 900);
    RC_ASSERT(std::abs(swept[i].curtailed_mwh - run.curtailed_mwh) <= scale);
    RC_ASSERT(std::abs(swept[i].discharged_mwh - run.discharged_mwh) <= scale);
  }
}

}  // namespace
}  // namespace greenline::grid
