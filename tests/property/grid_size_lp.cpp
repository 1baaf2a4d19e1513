// The linear program of sizing alone, on random sites of two days: its schedule and its starts.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "grid/size_lp.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;
constexpr double kHalf = 1e-6;  // of the objective: two programs, each solved to 1e-7 of a bound

double number(double low, double high) {
  return low + (high - low) * *rc::gen::inRange(0, 1001) / 1000;
}

SiteHours random_site() {
  SiteHours site;
  const auto first = static_cast<std::size_t>(*rc::gen::inRange(23, 26));  // a local day
  const std::size_t n = first + 24;
  for (std::size_t t = 0; t < n; ++t) {
    site.load_mw.push_back(number(1, 20));
    site.wind_share.push_back(number(0.02, 1));  // some: coverage has to be within reach
    site.solar_share.push_back(t % 24 > 6 && t % 24 < 18 ? number(0, 1) : 0);
    site.intensity_g_per_kwh.push_back(number(10, 900));
  }
  site.day_begin = {0, first, n};
  return site;
}

SizeOptions random_options(const SiteHours& site) {
  SizeOptions o;
  o.boundary = *rc::gen::element(Boundary::cyclic, Boundary::full);
  o.battery.depth_of_discharge = number(0.5, 1);
  o.battery.charge_rate = o.battery.discharge_rate = number(0.2, 3);
  EmbodiedFactors f;
  f.wind_g_per_kwh = number(5, 300), f.solar_g_per_kwh = number(5, 300);
  f.battery_kg_per_kwh = number(1, 100), f.battery_years = number(1, 10);
  f.server_kg_per_w = number(0.01, 1), f.server_years = 4;
  o.embodied_kg_per_year = embodied_kg_per_year(f, site);
  if (*rc::gen::arbitrary<bool>()) o.flexible.push_back({number(0, 0.5), {}});
  if (*rc::gen::arbitrary<bool>()) o.flexible.push_back({number(0, 0.5), *rc::gen::inRange(1, 9)});
  return o;
}

SizeAnswer optimal(const SiteHours& site, const SizeOptions& o) {
  SizeAnswer x = size(site, o);
  RC_ASSERT(x.status == solve::Status::optimal);
  return x;
}

// The schedule of the answer, hour by hour, against the site and the battery: nothing of the
// program is used.
RC_GTEST_PROP(SizeLaws, TheScheduleKeepsEveryLimit, ()) {
  const SiteHours site = random_site();
  const SizeOptions o = random_options(site);
  const SizeAnswer x = optimal(site, o);
  const Battery& b = o.battery;
  const double mwh = x.design.battery.in(units::MWh),
               highest = *std::max_element(site.load_mw.begin(), site.load_mw.end());
  const double slack = 1e-6 * (highest + mwh);  // the simplex stops within 1e-7 of a bound
  double state = x.initial_mwh, grid_mwh = 0, kg = 0;
  double out = 0, in = 0, share = 0;
  for (const FlexibleWork& work : o.flexible) share += work.share;
  for (std::size_t t = 0; t < site.num_hours(); ++t) {
    const double supply = x.design.wind.in(units::MW)*site.wind_share[t] +
                          x.design.solar.in(units::MW)*site.solar_share[t];
    const double c = x.charge_mw[t], d = x.discharge_mw[t];
    const double run = site.load_mw[t] - x.out_mw[t] + x.in_mw[t];
    const double sum = supply + d + x.grid_mw[t] - run - c - x.curtailed_mw[t];
    RC_ASSERT(std::abs(sum) < 1e-9 * (highest + supply + c + d));
    RC_ASSERT(std::min(c, d) <= 1e-9 * highest);
    RC_ASSERT(c <= supply + slack);
    RC_ASSERT(c <= b.charge_rate * mwh / b.charge_efficiency + slack);
    RC_ASSERT(d <= b.discharge_rate * mwh / b.discharge_efficiency + slack);
    state += b.charge_efficiency * c - b.discharge_efficiency * d;
    RC_ASSERT(std::abs(state - x.state_mwh[t]) < slack);
    RC_ASSERT(state <= b.upper * mwh + b.upper_slope * c + slack);
    RC_ASSERT(state >= (1 - b.depth_of_discharge) * mwh + b.lower_slope * d - slack);
    RC_ASSERT(x.out_mw[t] <= share * site.load_mw[t] + slack);
    RC_ASSERT(run <= (1 + x.design.extra_servers) * highest + slack);
    out += x.out_mw[t], in += x.in_mw[t];
    grid_mwh += x.grid_mw[t], kg += x.grid_mw[t] * site.intensity_g_per_kwh[t];
  }
  RC_ASSERT(std::abs(out - in) < slack * 50);
  if (o.boundary == Boundary::cyclic) RC_ASSERT(std::abs(state - x.initial_mwh) < slack);
  if (o.boundary == Boundary::full) RC_ASSERT(std::abs(x.initial_mwh - mwh) < slack);
  RC_ASSERT(std::abs(x.grid_mwh * site.years() - grid_mwh) < 1e-9 * (1 + grid_mwh));
  RC_ASSERT(std::abs(x.operational_t * 1000 * site.years() - kg) < 1e-9 * (1 + kg));
  RC_ASSERT(std::abs(x.operational_t + x.embodied_t - x.objective) < kHalf * x.objective);
}

// A start from another answer and a budget that does not bind change nothing.
RC_GTEST_PROP(SizeLaws, AStartOnlySavesTime, ()) {
  const SiteHours site = random_site();
  const SizeOptions o = random_options(site);
  const SizeAnswer cold = optimal(site, o);
  SizeOptions warm = o;
  warm.start = &cold.basis;
  warm.most_embodied_t_per_year = cold.embodied_t * number(0, 1);
  SizeOptions again = warm;
  again.start = nullptr;
  const double expected = optimal(site, again).objective;
  RC_ASSERT(std::abs(optimal(site, warm).objective - expected) < kHalf * (1 + expected));
  again.most_embodied_t_per_year = cold.embodied_t * 1.001 + 1e-3;
  RC_ASSERT(std::abs(optimal(site, again).objective - cold.objective) <
            kHalf * (1 + cold.objective));
}

}  // namespace
}  // namespace greenline::grid
