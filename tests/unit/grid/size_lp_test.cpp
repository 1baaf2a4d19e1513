#include "grid/size_lp.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/random.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;
constexpr double kExact = 1e-7;  // hand cases: the simplex stops within 1e-7 of a bound

SiteHours hours_of(std::vector<double> load, std::vector<double> wind,
                   std::vector<double> intensity) {
  SiteHours site;
  site.load_mw = std::move(load);
  site.wind_share = std::move(wind);
  site.intensity_g_per_kwh = std::move(intensity);
  site.solar_share.assign(site.num_hours(), 0);
  site.day_begin = {0, site.num_hours()};
  return site;
}

double kg(const SiteHours& site, const SizeAnswer& x) { return x.objective * 1000 * site.years(); }

// 10 MW in four hours, nothing but the grid: 13 000 kg.
SiteHours grid_only() { return hours_of({10, 10, 10, 10}, {0, 0, 0, 0}, {400, 300, 100, 500}); }

SizeOptions without_battery() {
  SizeOptions o;
  o.battery_mwh.high = 0;
  return o;
}

double moved_kg(double share, std::optional<int> later, Boundary boundary, double servers = 1) {
  const SiteHours site = grid_only();
  SizeOptions o = without_battery();
  o.flexible = {{share, later}};
  o.boundary = boundary;
  o.extra_servers.high = servers;
  const SizeAnswer x = size(site, o);
  EXPECT_EQ(x.status, solve::Status::optimal);
  return kg(site, x);
}

TEST(SizeLp, WorkMovesWithinItsDeadline) {
  constexpr auto kOnce = Boundary::full;
  EXPECT_NEAR(moved_kg(0, 1, kOnce), 13000, kExact);
  // 5 MWh from 400 to 300 and 5 from 300 to 100.
  EXPECT_NEAR(moved_kg(0.5, 1, kOnce), 13000 - 500 - 1000, 1e-5);
  // Both to 100.
  EXPECT_NEAR(moved_kg(0.5, 2, kOnce), 13000 - 1500 - 1000, 1e-5);
  EXPECT_NEAR(moved_kg(0.5, FlexibleWork::kNoDeadline, kOnce), 13000 - 1500 - 1000, 1e-5);
  // In a cycle the last hour's work runs in the first, whose own has left.
  EXPECT_NEAR(moved_kg(0.5, 1, Boundary::cyclic), 13000 - 500 - 1000 - 500, 1e-5);
  // The last hour's work reaches 100 three hours later; with 400's it fills the cap of 20 MW.
  EXPECT_NEAR(moved_kg(0.5, 3, Boundary::cyclic), 13000 - 2000 - 1500, 1e-5);
  EXPECT_NEAR(moved_kg(0.5, 3, Boundary::cyclic, 3), 13000 - 2000 - 1500 - 1000, 1e-5);
}

TEST(SizeLp, WorkMovesWithinItsDay) {
  EXPECT_NEAR(moved_kg(0.5, {}, Boundary::full), 13000 - 2000 - 1500, 1e-5);
  EXPECT_NEAR(moved_kg(1, {}, Boundary::full, 3), 4000, 1e-5);   // all of it in the cleanest hour
  EXPECT_NEAR(moved_kg(1, {}, Boundary::full, 0), 13000, 1e-5);  // no room
  SiteHours site = grid_only();
  site.day_begin = {0, 2, 4};
  SizeOptions o = without_battery();
  o.flexible = {{0.5, {}}};
  EXPECT_NEAR(kg(site, size(site, o)), 13000 - 500 - 2000, 1e-5);
}

TEST(SizeLp, ClassesShareTheCapAndAddUp) {
  const SiteHours site = grid_only();
  SizeOptions o = without_battery();
  o.boundary = Boundary::full;
  o.flexible = {{0.25, 1}, {0.25, 2}};
  // 2.5 by one hour twice, 2.5 + 2.5 to 100.
  EXPECT_NEAR(kg(site, size(site, o)), 13000 - 250 - 500 - 750 - 500, 1e-5);
}

// An hour of wind for an hour without: one MWh of battery gives back η_c / η_d of what it takes.
TEST(SizeLp, BatteryByHand) {
  const SiteHours site = hours_of({10, 10}, {1, 0}, {500, 500});
  SizeOptions o;
  o.battery.upper_slope = o.battery.lower_slope = 0;
  o.battery.charge_rate = o.battery.discharge_rate = 3;
  o.wind_mw = {30, 30};
  o.battery_mwh = {4, 4};
  const SizeAnswer x = size(site, o);
  ASSERT_EQ(x.status, solve::Status::optimal);
  EXPECT_NEAR(x.discharge_mw[1], 4 / 1.04, kExact);
  EXPECT_NEAR(x.grid_mw[1], 10 - 4 / 1.04, kExact);
  EXPECT_NEAR(x.charge_mw[0], 4 / 0.97, kExact);
  EXPECT_NEAR(x.curtailed_mw[0], 20 - 4 / 0.97, kExact);
  EXPECT_NEAR(x.battery_cycles * site.years(), 1, kExact);
  EXPECT_NEAR(x.coverage, 1 - (10 - 4 / 1.04) / 20, kExact);
  o.battery.depth_of_discharge = 0.5;
  EXPECT_NEAR(size(site, o).discharge_mw[1], 2 / 1.04, kExact);
  EXPECT_NEAR(size(site, o).battery_cycles * site.years(), 1, kExact);  // of what is used
  o.battery.depth_of_discharge = 1;
  o.battery.discharge_rate = 0.26;  // 1 MW outside
  EXPECT_NEAR(size(site, o).discharge_mw[1], 1, kExact);
  o.own_battery_power = true;
  o.battery_mw = {1.5, 1.5};
  EXPECT_NEAR(size(site, o).charge_mw[0], 1.5, kExact);
  EXPECT_NEAR(size(site, o).discharge_mw[1], 1.5 * 0.97 / 1.04, kExact);
}

// While the grid is clean and carries the load, wind charges the battery for the dirty hour: the
// arbitrage that the header speaks of. With surplus only it could not: there is none.
TEST(SizeLp, ChargesFromWindWhileTheLoadDrawsCleanPower) {
  const SiteHours site = hours_of({10, 10}, {1, 0}, {100, 900});
  SizeOptions o;
  o.wind_mw = {5, 5};
  o.battery_mwh = {20, 20};
  const SizeAnswer x = size(site, o);
  EXPECT_NEAR(x.charge_mw[0], 5, kExact);
  EXPECT_NEAR(x.grid_mw[0], 10, kExact);
  EXPECT_NEAR(x.discharge_mw[1], 5 * 0.97 / 1.04, kExact);
}

TEST(SizeLp, LimitsAndTheirPrices) {
  const SiteHours site = hours_of({10, 10}, {1, 0.5}, {500, 500});
  SizeOptions o = without_battery();
  o.embodied_kg_per_year = {.wind_mw = 1e6};
  o.capital_usd = {.wind_mw = 2000};
  // 1 MW saves 1.5 MWh of 500 kg in two hours, 4380 times a year: 3285 t for 1000 t. All of it is
  // used up to 10 MW, half of it, of no more use than 0.5 MWh, up to 20 MW: 1095 t for 1000 t.
  SizeAnswer x = size(site, o);
  EXPECT_NEAR(x.design.wind.in(units::MW), 20, kExact);
  EXPECT_NEAR(x.coverage, 1, kExact);
  o.most_embodied_t_per_year = 5000;
  x = size(site, o);
  EXPECT_NEAR(x.design.wind.in(units::MW), 5, kExact);
  EXPECT_NEAR(x.embodied_price_per_t, 2.285, kExact);
  EXPECT_NEAR(x.embodied_t, 5000, 1e-5);
  o.most_embodied_t_per_year.reset();
  o.most_capital_usd = 30000;  // 15 MW
  x = size(site, o);
  EXPECT_NEAR(x.capital_usd, 30000, 1e-5);
  EXPECT_NEAR(x.capital_price_per_usd, 95.0 / 2000, kExact);
  o.most_capital_usd.reset();
  o.embodied_kg_per_year.wind_mw = 2e6;  // now 10 MW are best, coverage .75
  EXPECT_NEAR(size(site, o).coverage, 0.75, kExact);
  o.least_coverage = 0.9;
  x = size(site, o);
  EXPECT_NEAR(x.coverage, 0.9, kExact);
  // 1 MW more: 2000 t embodied less 1095 t saved, for 2190 MWh.
  EXPECT_NEAR(x.coverage_price, 905.0 / 2190, kExact);
  o.wind_mw.high = 15;
  EXPECT_EQ(size(site, o).status, solve::Status::infeasible);
}

TEST(SizeLp, MoneyBesideCarbon) {
  const SiteHours site = hours_of({10, 10}, {1, 0.5}, {500, 500});
  SizeOptions o = without_battery();
  o.embodied_kg_per_year = {.wind_mw = 1e6};
  o.usd_per_year = {.wind_mw = 300000};
  o.energy_usd_per_mwh = {100};
  o.per_tonne = 0, o.per_usd = 1;
  // 657 kUSD a year for the first 10 MW, 219 for the next: 300 is between.
  SizeAnswer x = size(site, o);
  EXPECT_NEAR(x.design.wind.in(units::MW), 10, kExact);
  EXPECT_NEAR(x.usd, 10 * 300000.0 + 5 * 4380 * 100, 1e-3);
  EXPECT_NEAR(x.objective, x.usd, 1e-3);
  o.per_tonne = 1000;  // the next MW saves 95 t more than it embodies: worth 95 000
  EXPECT_NEAR(size(site, o).design.wind.in(units::MW), 20, kExact);
  o.energy_usd_per_mwh = {100, 10};
  o.per_tonne = 0;
  x = size(site, o);
  EXPECT_NEAR(x.usd, 10 * 300000.0 + 5 * 4380 * 10, 1e-3);
}

TEST(SizeLp, IdleServersDrawPower) {
  const SiteHours site = grid_only();
  SizeOptions o = without_battery();
  o.flexible = {{0.5, {}}};
  o.idle_share = 0.1;
  // A share of 1 draws 1 MW at all hours, 1300 kg, and lets 10 MWh move: 3500 kg less, 2000 of it
  // by the first half.
  const SizeAnswer x = size(site, o);
  EXPECT_NEAR(kg(site, x), 13000 + 1300 - 3500, 1e-5);
  EXPECT_NEAR(x.load_mwh * site.years(), 44, kExact);
  o.idle_share = 0.3;  // 1950 a half: only the first pays
  EXPECT_NEAR(size(site, o).design.extra_servers, 0.5, kExact);
}

TEST(SizeLp, RefusesWhatCannotBe) {
  const auto code = [](auto change) -> std::string {
    SiteHours site = grid_only();
    SizeOptions o;
    change(site, o);
    try {
      size(site, o);
    } catch (const base::UserError& e) {
      return e.code();
    }
    return "";
  };
  EXPECT_EQ(code([](auto&, auto&) {}), "");
  EXPECT_EQ(code([](auto& s, auto&) { s = {}; }), "bad-load");
  EXPECT_EQ(code([](auto& s, auto&) { s.load_mw[2] = std::nan(""); }), "bad-load");
  EXPECT_EQ(code([](auto& s, auto&) { s.load_mw.assign(4, 0); }), "bad-load");
  EXPECT_EQ(code([](auto& s, auto&) { s.intensity_g_per_kwh[1] = std::nan(""); }),
            "bad-linear-program");
  EXPECT_EQ(code([](auto&, auto& o) { o.battery.charge_efficiency = 1.1; }), "bad-battery");
  EXPECT_EQ(code([](auto&, auto& o) { o.battery.depth_of_discharge = 0; }), "bad-battery");
  EXPECT_EQ(code([](auto&, auto& o) { o.flexible = {{1.2, {}}}; }), "bad-flexible");
  EXPECT_EQ(code([](auto&, auto& o) { o.flexible = {{0.6, 1}, {0.6, 2}}; }), "bad-flexible");
  EXPECT_EQ(code([](auto&, auto& o) { o.flexible = {{0.1, 0}}; }), "bad-flexible");
  EXPECT_EQ(code([](auto&, auto& o) { o.least_coverage = 1.1; }), "bad-size-limit");
  EXPECT_EQ(code([](auto&, auto& o) { o.wind_mw = {3, 2}; }), "bad-size-limit");
  EXPECT_EQ(code([](auto&, auto& o) { o.most_capital_usd = -1; }), "bad-size-limit");
  EXPECT_EQ(code([](auto&, auto& o) { o.energy_usd_per_mwh = {1, 2}; }), "bad-energy-price");
  EXPECT_EQ(code([](auto&, auto& o) { o.per_tonne = 0; }), "bad-energy-price");
}

SiteHours five_days() {
  base::RandomStream random(7);
  SiteHours site;
  double wind = 0.5;
  for (std::size_t t = 0; t < 120; ++t) {
    wind = std::clamp(wind + 0.4 * (random.uniform() - 0.5), 0.0, 1.0);
    site.load_mw.push_back(10 + random.uniform());
    site.wind_share.push_back(wind);
    site.solar_share.push_back(
        std::max(0.0, std::sin((static_cast<double>(t % 24) - 6) * M_PI / 12)));
    site.intensity_g_per_kwh.push_back(200 + 200 * random.uniform());
    if (t % 24 == 0) site.day_begin.push_back(t);
  }
  site.day_begin.push_back(120);
  return site;
}
SizeOptions five_day_options(const SiteHours& site) {
  SizeOptions o;
  EmbodiedFactors f;
  f.wind_g_per_kwh = 120, f.solar_g_per_kwh = 140;
  f.battery_kg_per_kwh = 250, f.battery_years = 8;
  f.server_kg_per_w = 0.3, f.server_years = 4;
  o.embodied_kg_per_year = embodied_kg_per_year(f, site);
  o.flexible = {{0.3, {}}};
  return o;
}

TEST(Pareto, FallsBendsAndPassesTheOptimumAtAPriceOf1) {
  const SiteHours site = five_days();
  const SizeOptions o = five_day_options(site);
  const SizeAnswer best = size(site, o);
  const std::vector<SizeAnswer> front = pareto(site, o, 13, 1.5);
  ASSERT_EQ(front.size(), 13u);
  EXPECT_NEAR(front[0].embodied_t, 0, kExact);
  EXPECT_NEAR(front[8].embodied_t / best.embodied_t, 1, 1e-6);
  EXPECT_NEAR(front[8].operational_t / best.operational_t, 1, 1e-6);
  for (std::size_t k = 1; k < front.size(); ++k) {
    ASSERT_EQ(front[k].status, solve::Status::optimal);
    EXPECT_LT(front[k].operational_t, front[k - 1].operational_t + (k > 11 ? 1e-6 : 0));
    EXPECT_LE(front[k].embodied_price_per_t, front[k - 1].embodied_price_per_t + 1e-6);
    const double price = front[k].embodied_price_per_t;
    EXPECT_TRUE(k < 8 ? price >= 1 - 1e-6 : k == 8 || price <= 1 + 1e-6) << k << " " << price;
  }
  // Below the optimum the budget binds for the sum as well: a cold answer to another question.
  SizeOptions cold = o;
  cold.most_embodied_t_per_year = front[5].embodied_t;
  EXPECT_NEAR(size(site, cold).operational_t / front[5].operational_t, 1, 1e-6);
}

// Use and age wear the battery out together, or it is too small to be used more.
TEST(SizeLp, ABatteryLastsAsLongAsItsUseLetsIt) {
  const SiteHours site = five_days();
  SizeOptions o = five_day_options(site);
  const SizeAnswer free = size(site, o);
  EXPECT_EQ(free.battery_wear, 1);
  o.most_cycles_per_year = free.battery_cycles * 1.01;
  const SizeAnswer same = size(site, o);
  EXPECT_NEAR(same.objective / free.objective, 1, 1e-6);
  o.most_cycles_per_year = free.battery_cycles / 4;
  const SizeAnswer worn = size(site, o);
  ASSERT_EQ(worn.status, solve::Status::optimal);
  EXPECT_GT(worn.objective, free.objective * 1.0001);
  EXPECT_NEAR((worn.operational_t + worn.embodied_t) / worn.objective, 1, 1e-6);
  // Better than what a planner gets who is told the life but not what wears it: any other answer,
  // aged by its own use.
  const double wear = free.battery_cycles / o.most_cycles_per_year;
  const double battery_t =
      o.embodied_kg_per_year.battery_mwh / 1000 * free.design.battery.in(units::MWh);
  EXPECT_LT(worn.objective, free.objective + (wear - 1) * battery_t);
}

}  // namespace
}  // namespace greenline::grid
