#include "grid/around_the_clock.hpp"

#include <gtest/gtest.h>

#include "grid/carbon_explorer.hpp"
#include "shared_data.hpp"
#include "unit/grid/sites.hpp"

namespace greenline::grid {
namespace {

using testing::released_site;
using testing::six_hours;
namespace units = base::units;

struct Row {
  double factor, lossless, published;
};
constexpr Row kRows[] = {
    {1, 17, 17.8833}, {1.2, 12.8, 13.3667}, {1.5, 11, 11.5356}, {2, 10, 10.5591}};

std::vector<double> supply_of(double factor) {
  std::vector<double> supply = six_hours().wind_share;
  for (double& mw : supply) mw *= factor;
  return supply;
}

// E4.
TEST(AroundTheClock, SixHours) {
  const std::vector<double> load = six_hours().load_mw;
  for (const Row& row : kRows) {
    const std::vector<double> supply = supply_of(row.factor);
    EXPECT_NEAR(lossless_around_the_clock(load, supply).in(units::MWh), row.lossless, 1e-12);
    const auto published =
        published_around_the_clock(load, supply, published_battery(), 1000.0 * units::MWh);
    ASSERT_TRUE(published.has_value());
    EXPECT_NEAR(published->in(units::MWh), row.published, 5e-5);  // printed with four decimals
    // The exact one lies within its interval.
    const double exact =
        around_the_clock(load, supply, published_battery(), BatteryStep::minute).in(units::MWh);
    EXPECT_NEAR(exact, row.published, 0.1);
  }
}

// An hour may miss 1e-9 of the load, here 1e-8 MW.
TEST(AroundTheClock, IsTheSmallest) {
  const std::vector<double> load = six_hours().load_mw, supply = supply_of(1);
  Battery battery = published_battery();
  const double exact = around_the_clock(load, supply, battery).in(units::MWh);
  // By hand: 4 and 10 drawn with 1.04, 2 stored with 0.97, 5 drawn; 0.05 MWh must be left for the
  // last 5 MW.
  EXPECT_NEAR(exact, 19 * 1.04 - 2 * 0.97 + 0.05, 1e-7);
  battery.capacity = (exact - 1e-6) * units::MWh;
  EXPECT_GT(shortfall(load, supply, BatteryHour(battery)).in(units::MWh), 1e-7);
  battery.capacity = exact * units::MWh;
  EXPECT_LT(shortfall(load, supply, BatteryHour(battery)).in(units::MWh), 1e-8);
}

// Half-charge an hour: power, not energy, decides.
TEST(AroundTheClock, MayBeDecidedByPower) {
  EXPECT_NEAR(
      around_the_clock(std::vector<double>{10}, std::vector<double>{0}, Battery{}).in(units::MWh),
      10 * 1.04 / 0.5, 1e-7);
}

TEST(AroundTheClock, IsNothingWhereNothingIsMissing) {
  EXPECT_EQ(around_the_clock(std::vector<double>{1, 1}, std::vector<double>{1, 2}, Battery{}),
            base::Energy{});
  EXPECT_EQ(around_the_clock({}, {}, Battery{}), base::Energy{});
}

TEST(AroundTheClock, AsReleasedGivesUpAtTheMost) {
  EXPECT_FALSE(published_around_the_clock(six_hours().load_mw, supply_of(1), published_battery(),
                                          12.0 * units::MWh)
                   .has_value());
}

TEST(AroundTheClock, OregonByWind) {
  GL_SHARED_OR_SKIP(shared);
  const SiteHours site = released_site(shared, "eia_bpat_2021-05-01_15_mwh.csv", 70);
  const std::vector<double> supply = supply_mw(site, testing::design_of(500));
  EXPECT_NEAR(lossless_around_the_clock(site.load_mw, supply).in(units::MWh), 4172.330197, 1e-6);
  EXPECT_GT(around_the_clock(site.load_mw, supply, published_battery()).in(units::MWh), 4172.33);
}

}  // namespace
}  // namespace greenline::grid
