// Sizing on random sites: one more option is never worse, no simulated design is better, doubling
// doubles, a higher coverage costs more, the answer survives its replay.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "grid/size_beside.hpp"
#include "grid/size_sweep.hpp"
#include "unit/grid/sites.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;

// The solver's answers are checked to 1e-6 of their largest terms.
constexpr double kSolved = 1e-5;

SiteHours any_site() {
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(2, 60));
  const auto numbers = [&](int low, int high) {
    std::vector<double> out;
    for (const int x : *rc::gen::container<std::vector<int>>(n, rc::gen::inRange(low, high)))
      out.push_back(x / 100.0);
    return out;
  };
  SiteHours site = testing::site_of(numbers(100, 2000), numbers(0, 101), numbers(0, 90000));
  site.solar_share = numbers(0, 101);
  site.day_begin = {0};
  while (site.day_begin.back() < n)
    site.day_begin.push_back(
        std::min(n, site.day_begin.back() + static_cast<std::size_t>(*rc::gen::inRange(1, 30))));
  return site;
}

SizeOptions any_options(const SiteHours& site) {
  SizeOptions o;
  o.battery.charge_rate = o.battery.discharge_rate = *rc::gen::element(0.25, 0.5, 3.0);
  o.battery.depth_of_discharge = *rc::gen::element(0.6, 0.8, 1.0);
  if (*rc::gen::arbitrary<bool>()) o.battery.upper_slope = o.battery.lower_slope = 0;
  EmbodiedFactors f;
  f.wind_g_per_kwh = *rc::gen::inRange(1, 60), f.solar_g_per_kwh = *rc::gen::inRange(1, 90);
  // By capacity too: a site without wind must not want endless turbines.
  f.wind_kg_per_kw = f.solar_kg_per_kw = 1, f.wind_years = f.solar_years = 20;
  f.battery_kg_per_kwh = *rc::gen::inRange(10, 200), f.battery_years = 10;
  f.server_kg_per_w = *rc::gen::element(0.01, 0.3, 7.0), f.server_years = 4;
  o.embodied_kg_per_year = embodied_kg_per_year(f, site);
  // Never worn out by use, sometimes, and always.
  o.most_cycles_per_year = *rc::gen::element(solve::kInfinity, 300.0, 5.0);
  o.idle_share = *rc::gen::element(0.0, 0.2);
  if (*rc::gen::arbitrary<bool>()) o.flexible = {{*rc::gen::inRange(0, 101) / 100.0, {}}};
  return o;
}

double objective(const SiteHours& site, const SizeOptions& options) {
  const SizeAnswer x = size(site, options);
  RC_ASSERT(x.status == solve::Status::optimal);
  return x.objective;
}

// `a` is at most `b`, up to what the solver promises.
void at_most(double a, double b) { RC_ASSERT(a <= b + kSolved * (std::abs(b) + 1e-6)); }

RC_GTEST_PROP(GridSize, OneMoreOptionIsNeverWorse, ()) {
  const SiteHours site = any_site();
  const SizeOptions o = any_options(site);
  const double free = objective(site, o);
  SizeOptions less = o;
  less.battery_mwh.high = 0;
  at_most(free, objective(site, less));
  less = o;
  less.solar_mw.high = 0;
  at_most(free, objective(site, less));
  less = o;
  less.flexible.clear();
  at_most(free, objective(site, less));
  less = o;
  less.extra_servers.high = 0;
  at_most(free, objective(site, less));
}

RC_GTEST_PROP(GridSize, NoSimulatedDesignIsBetter, ()) {
  const SiteHours site = any_site();
  const SizeOptions o = any_options(site);
  const double least = objective(site, o);
  const auto any = [](int most) { return *rc::gen::inRange(0, most) * 1.0; };
  const Design design =
      testing::design_of(any(60), any(80), *rc::gen::inRange(0, 101) / 100.0, any(60));
  const Dispatch run = greedy(site, o, design, {});
  const double embodied = yearly_embodied(o).of(design, run.cycles / site.years()) / 1000;
  at_most(least, run.operational_kg / 1000 / site.years() + embodied);
}

RC_GTEST_PROP(GridSize, DoublingTheLoadDoublesAll, ()) {
  SiteHours site = any_site();
  const SizeOptions o = any_options(site);
  const double once = objective(site, o);
  for (double& mw : site.load_mw) mw *= 2;
  SizeOptions twice = o;
  twice.embodied_kg_per_year.extra_servers *= 2;  // of a load twice as high
  const double both = objective(site, twice);
  RC_ASSERT(std::abs(both - 2 * once) <= kSolved * (std::abs(both) + 1e-6));
}

RC_GTEST_PROP(GridSize, MoreCoverageCostsMore, ()) {
  const SiteHours site = any_site();
  SizeOptions o = any_options(site);
  double before = objective(site, o);
  for (const double coverage : {0.5, 0.8, 0.95}) {
    o.least_coverage = coverage;
    const SizeAnswer x = size(site, o);
    if (x.status == solve::Status::infeasible) break;  // hours without any wind or sun
    RC_ASSERT(x.status == solve::Status::optimal);
    RC_ASSERT(x.coverage >= coverage - kSolved);
    at_most(before, x.objective);
    before = x.objective;
  }
}

RC_GTEST_PROP(GridSize, TheAnswerSurvivesItsReplay, ()) {
  const SiteHours site = any_site();
  const SizeOptions o = any_options(site);
  const SizeAnswer x = size(site, o);
  RC_ASSERT(x.status == solve::Status::optimal);
  const Replay run = replay(site, o, x);
  RC_ASSERT(run.violations.empty());
  const double operational = run.dispatch.operational_kg / 1000 / site.years();
  RC_ASSERT(std::abs(operational - x.operational_t) <= 1e-6 * (x.objective + 1e-6));
}

// More foresight is never worse: the whole, then 48 hours.
RC_GTEST_PROP(GridSize, ForesightIsNeverWorse, ()) {
  const SiteHours site = any_site();
  SizeOptions o = any_options(site);
  o.flexible.clear();
  const SizeAnswer x = size(site, o);
  RC_ASSERT(x.status == solve::Status::optimal);
  const Rolling run = rolling(site, o, x, base::no_progress());
  RC_PRE(run.done);  // a circle of a day or two may have no state that it comes back to
  const double cycles = cycles_per_year(site, o.battery, x.design.battery, run.discharged_mwh);
  const double worn_t = (wear_of_use(o, cycles) - x.battery_wear) *
                        o.embodied_kg_per_year.battery_mwh / 1000 * x.design.battery.in(units::MWh);
  // The circle closes to 1e-6 of the load: what the battery still owes is worth no more than that.
  at_most(x.objective,
          run.operational_kg / 1000 / site.years() + x.embodied_t + worn_t + 1e-5 * x.objective);
}

}  // namespace
}  // namespace greenline::grid
