#include "grid/sweep.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/parallel.hpp"
#include "grid/carbon_explorer.hpp"
#include "reference/battery.hpp"
#include "shared_data.hpp"
#include "unit/grid/sites.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::grid {
namespace {

using base::InstructionSet;
using testing::design_of;
using testing::error_of;
using testing::released_site;
using testing::site_of;
namespace units = base::units;

// A year of uneven days whose numbers come from a formula: no data needed.
SiteHours made_up_year(std::size_t num_hours = 8760) {
  std::vector<double> load, supply, intensity;
  for (std::size_t t = 0; t < num_hours; ++t) {
    const double x = static_cast<double>(t);
    load.push_back(50 + 2 * std::sin(x / 4));
    supply.push_back(std::max(0.0, std::sin(x / 3.81) + 0.7 * std::sin(x / 37.0)) / 1.7);
    intensity.push_back(260 + 120 * std::cos(x / 3.9) + 30 * std::sin(x / 101));
  }
  SiteHours site = site_of(load, supply, intensity);
  for (std::size_t t = 0; t < num_hours; ++t)
    site.solar_share[t] = std::max(0.0, std::sin((static_cast<double>(t % 24) - 6) / 3.82));
  // A day of 23 and one of 25 hours.
  if (site.day_begin.size() > 21) site.day_begin[10] -= 1, site.day_begin[20] += 1;
  return site;
}

std::vector<Design> designs_for_tests() {
  DesignGrid grid;
  grid.wind_mw = {0, 400, 5};
  grid.solar_mw = {0, 200, 3};
  grid.battery_mwh = {0, 900, 5};
  grid.extra_servers = {0, 0.6, 2};
  return grid.designs();  // 150: two full blocks and a part
}

void expect_same(const SweepOutcome& a, const SweepOutcome& b) {
  EXPECT_EQ(a.grid_mwh, b.grid_mwh);
  EXPECT_EQ(a.operational_kg, b.operational_kg);
  EXPECT_EQ(a.curtailed_mwh, b.curtailed_mwh);
  EXPECT_EQ(a.discharged_mwh, b.discharged_mwh);
  EXPECT_EQ(a.moved_mwh, b.moved_mwh);
  EXPECT_EQ(a.state_change_mwh, b.state_change_mwh);
}

// Bit for bit: no set fuses what another rounds twice.
TEST(Sweep, IsTheSameOnEveryInstructionSet) {
  const SiteHours site = made_up_year(24 * 90 + 7);
  const std::vector<Design> designs = designs_for_tests();
  for (const double share : {0.0, 0.4}) {
    SweepOptions options;
    options.flexible_share = share;
    options.idle_share = share / 3;
    options.instruction_set = InstructionSet::scalar;
    const std::vector<SweepOutcome> scalar = sweep(site, designs, options);
    for (const InstructionSet set : {InstructionSet::avx2, InstructionSet::avx512}) {
      if (set > base::widest_instruction_set()) continue;
      options.instruction_set = set;
      const std::vector<SweepOutcome> wide = sweep(site, designs, options);
      for (std::size_t i = 0; i < designs.size(); ++i) expect_same(scalar[i], wide[i]);
    }
  }
}

TEST(Sweep, IsTheSameOnAnyNumberOfThreads) {
  const SiteHours site = made_up_year(24 * 30);
  const std::vector<Design> designs = designs_for_tests();
  base::set_num_threads(1);
  const std::vector<SweepOutcome> one = sweep(site, designs, {});
  base::set_num_threads(0);
  const std::vector<SweepOutcome> many = sweep(site, designs, {});
  for (std::size_t i = 0; i < designs.size(); ++i) expect_same(one[i], many[i]);
}

// Floats of a day against doubles throughout. States carry the rounding of a year of hours:
// 1e-5 of the load, an order above what is seen.
TEST(Sweep, AgreesWithTheDispatchOfEachDesign) {
  const SiteHours site = made_up_year();
  const std::vector<Design> designs = designs_for_tests();
  double load = 0;
  for (const double mw : site.load_mw) load += mw;
  struct Kind {
    double share, idle;
  };
  for (const Kind& kind : {Kind{0, 0}, Kind{0.4, 0}, Kind{0.4, 0.2}}) {
    SweepOptions options;
    options.start = Start::full;
    options.flexible_share = kind.share, options.idle_share = kind.idle;
    DispatchOptions same;
    same.start = Start::full;
    same.flexible_share = kind.share, same.idle_share = kind.idle;
    const std::vector<SweepOutcome> swept = sweep(site, designs, options);
    for (std::size_t i = 0; i < designs.size(); i += 7) {
      const Dispatch run = dispatch(site, designs[i], same);
      EXPECT_NEAR(swept[i].grid_mwh, run.grid_mwh, 1e-5 * load) << i;
      EXPECT_NEAR(swept[i].operational_kg, run.operational_kg, 1e-5 * load * 260) << i;
      EXPECT_NEAR(swept[i].curtailed_mwh, run.curtailed_mwh, 1e-5 * load) << i;
      EXPECT_NEAR(swept[i].discharged_mwh, run.discharged_mwh, 1e-5 * load) << i;
      EXPECT_NEAR(swept[i].moved_mwh, run.moved_mwh, 1e-5 * load) << i;
      EXPECT_NEAR(swept[i].load_mwh, run.load_mwh, 1e-12 * load) << i;
      EXPECT_NEAR(swept[i].cycles, run.cycles, 1e-2) << i;
    }
  }
}

TEST(Sweep, CyclicIsTwoPassesFromFull) {
  const SiteHours site = made_up_year(24 * 60);
  const Design design = design_of(150, 300);
  SweepOptions options;
  const SweepOutcome swept = sweep(site, std::vector{design}, options)[0];
  Battery battery = options.battery;
  battery.capacity = design.battery;
  const reference::PlainYear plain = reference::plain_year(site.load_mw, supply_mw(site, design),
                                                           site.intensity_g_per_kwh, battery, 2);
  EXPECT_NEAR(swept.grid_mwh, plain.grid_mwh, 1e-5 * plain.grid_mwh);
  EXPECT_NEAR(swept.operational_kg, plain.carbon_kg, 1e-5 * plain.carbon_kg);
  EXPECT_NEAR(swept.curtailed_mwh, plain.curtailed_mwh, 1e-4 * plain.curtailed_mwh + 1e-3);
  EXPECT_NEAR(swept.state_change_mwh, 0, 1e-2);
}

// The best of the grid of the reference: CISO 2021, 3C, from full, 65 536 designs. Here its
// neighbourhood, in steps of 20 MW and 50 MWh.
TEST(Sweep, FindsTheBestDesignOfCalifornia) {
  GL_SHARED_OR_SKIP(shared);
  const SiteHours site = released_site(shared, "eia_ciso_2021_mwh.csv", 50);
  YearlyEmbodied embodied;
  for (std::size_t t = 0; t < site.num_hours(); ++t) {
    embodied.wind_kg_per_mw += 12 * site.wind_share[t];
    embodied.solar_kg_per_mw += 55 * site.solar_share[t];
  }
  embodied.battery_kg_per_mwh = 74e3 / (3000 / 365.0);
  DesignGrid grid;
  grid.wind_mw = {260, 420, 9};
  grid.solar_mw = {0, 20, 2};
  grid.battery_mwh = {100, 500, 9};
  SweepOptions options;
  options.battery = published_battery();
  options.start = Start::full;
  const std::vector<Design> designs = grid.designs();
  const std::vector<SweepOutcome> outcomes = sweep(site, designs, options);
  const SweepVerdict verdict = weigh(grid, outcomes, embodied, 1);
  const std::size_t best = verdict.best;
  const double total = (verdict.operational_kg[best] + verdict.embodied_kg[best]) / 1000;
  EXPECT_NEAR(total, 24874.30, 0.05);  // printed with two decimals; floats: 1e-6
  EXPECT_EQ(designs[best].wind, 340.0 * units::MW);
  EXPECT_EQ(designs[best].solar, base::Power{});
  EXPECT_EQ(designs[best].battery, 300.0 * units::MWh);
  EXPECT_TRUE(std::find(verdict.front.begin(), verdict.front.end(), best) != verdict.front.end());
  EXPECT_EQ(verdict.edges, std::vector<std::string>{});
  // Greedy dispatch of the design that the linear program chooses.
  const SweepOutcome chosen = sweep(site, std::vector{design_of(318.127, 351.680)}, options)[0];
  EXPECT_NEAR((chosen.operational_kg + embodied.of(design_of(318.127, 351.680), 0)) / 1000,
              24945.816,
              0.1);  // its sizes are given with three decimals
  EXPECT_NEAR(chosen.grid_mwh, 29764.5975, 0.2);
}

TEST(Sweep, RefusesWhatItCannotDo) {
  const SiteHours site = made_up_year(48);
  SweepOptions options;
  options.start = Start::given;
  error_of<base::UserError>("bad-start", [&] { sweep(site, designs_for_tests(), options); });
  error_of<base::UserError>("bad-design", [&] { sweep(site, std::vector{design_of(-1)}, {}); });
  options = {};
  options.flexible_share = 2;
  error_of<base::UserError>("bad-flexible", [&] { sweep(site, designs_for_tests(), options); });
  EXPECT_TRUE(sweep(site, {}, {}).empty());
}

TEST(Sweep, StopsWhenAsked) {
  struct Stopped : base::Progress {
    bool cancelled() override { return true; }
  } stopped;
  for (const SweepOutcome& x : sweep(made_up_year(48), designs_for_tests(), {}, stopped))
    EXPECT_FALSE(x.done);
}

TEST(DesignGrid, NamesTheEdges) {
  DesignGrid grid;
  grid.wind_mw = {0, 100, 3};
  grid.battery_mwh = {0, 50, 2};
  ASSERT_EQ(grid.size(), 6u);
  const std::vector<Design> designs = grid.designs();
  EXPECT_EQ(designs[3].wind, 50.0 * units::MW);
  EXPECT_EQ(designs[3].battery, 50.0 * units::MWh);
  EXPECT_EQ(grid.at_the_edge(5), (std::vector<std::string>{"wind", "battery"}));
  EXPECT_EQ(grid.at_the_edge(4), (std::vector<std::string>{"wind"}));
  EXPECT_EQ(grid.at_the_edge(0), (std::vector<std::string>{}));
}

// D12: a range that is too small.
TEST(Weigh, NamesTheRangeThatIsTooSmall) {
  DesignGrid grid;
  grid.wind_mw = {0, 100, 3};
  grid.battery_mwh = {0, 50, 2};
  std::vector<SweepOutcome> outcomes(6);
  const double operational[] = {900, 890, 500, 480, 100, 95};
  for (std::size_t i = 0; i < 6; ++i)
    outcomes[i].operational_kg = operational[i], outcomes[i].done = true;
  YearlyEmbodied embodied;
  embodied.wind_kg_per_mw = 1;
  embodied.battery_kg_per_mwh = 1;
  const SweepVerdict verdict = weigh(grid, outcomes, embodied, 2);
  EXPECT_EQ(verdict.best, 4u);  // 50 + 100
  EXPECT_EQ(verdict.operational_kg[4], 50);
  EXPECT_EQ(verdict.edges, std::vector<std::string>{"wind"});
  EXPECT_EQ(verdict.front, (std::vector<std::size_t>{0, 2, 4, 5}));
  for (SweepOutcome& x : outcomes) x.done = false;
  error_of<base::UserError>("bad-design", [&] { weigh(grid, outcomes, embodied, 1); });
}

// E7.
TEST(ParetoFront, OfFivePoints) {
  const std::vector<double> x = {1, 2, 3, 4, 2}, y = {10, 6, 7, 3, 5};
  EXPECT_EQ(pareto_front(x, y), (std::vector<std::size_t>{0, 4, 3}));
}

TEST(ParetoFront, DropsEqualAndDominatedPoints) {
  const std::vector<double> x = {1, 1, 2, 3}, y = {5, 5, 5, 4};
  EXPECT_EQ(pareto_front(x, y), (std::vector<std::size_t>{0, 3}));
  EXPECT_TRUE(pareto_front({}, {}).empty());
}

}  // namespace
}  // namespace greenline::grid
