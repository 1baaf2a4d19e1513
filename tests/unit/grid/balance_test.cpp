#include "grid/balance.hpp"

#include <gtest/gtest.h>

namespace greenline::grid {
namespace {

namespace units = base::units;

TEST(Balance, SixHoursByHand) {
  const std::vector<base::Power> load(6, 10.0 * units::MW);
  std::vector<base::Power> supply;
  for (const double mw : {14.0, 20.0, 6.0, 0.0, 12.0, 5.0}) supply.push_back(mw * units::MW);
  const Balance b = balance(load, supply);
  // Whole numbers of MWh: no rounding but that of the one division.
  EXPECT_DOUBLE_EQ(b.coverage(), 41.0 / 60);
  EXPECT_EQ(b.load_energy.in(units::MWh), 60);
  EXPECT_EQ(b.renewable_energy.in(units::MWh), 57);
  EXPECT_EQ(b.used_energy.in(units::MWh), 41);
  EXPECT_EQ(b.curtailed_energy.in(units::MWh), 16);
  EXPECT_EQ(b.grid_energy.in(units::MWh), 19);
  EXPECT_EQ(b.from_grid[3], 10.0 * units::MW);
  EXPECT_EQ(b.curtailed[1], 10.0 * units::MW);
}

TEST(Balance, NoLoadIsNotCovered) { EXPECT_EQ(balance({}, {}).coverage(), 0); }

}  // namespace
}  // namespace greenline::grid
