#include "footprint/operational.hpp"

#include <gtest/gtest.h>

#include "unit/footprint/grid_text.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::footprint {
namespace {

using testing::hourly_csv;
namespace units = base::units;

GridHours three_hours() {
  return testing::grid_of(hourly_csv("datetime_utc,intensity", "2021-05-01T00Z", 3,
                                     [](std::size_t i) { return std::to_string(100 * (i + 1)); }));
}

TEST(Operational, CutsAtTheHoursOfUtc) {
  const OperationalHours run = operational_hours(
      three_hours(), base::parse_instant("2021-05-01T00:30Z"), 2.0 * units::h, 1.0 * units::kW);
  ASSERT_EQ(run.energy.size(), 3u);
  EXPECT_EQ(base::format_instant(run.energy.start), "2021-05-01T00:00:00Z");
  EXPECT_DOUBLE_EQ(run.energy.values[0].in(units::kWh), 0.5);
  EXPECT_DOUBLE_EQ(run.energy.values[1].in(units::kWh), 1);
  EXPECT_DOUBLE_EQ(run.energy.values[2].in(units::kWh), 0.5);
  EXPECT_DOUBLE_EQ(run.total_carbon.in(units::gCO2e), 50 + 200 + 150);
  EXPECT_DOUBLE_EQ(run.total_energy.in(units::kWh), 2);
}

TEST(Operational, NothingIsRunInNoTime) {
  const OperationalHours run = operational_hours(
      three_hours(), base::parse_instant("2021-05-01T00:30Z"), base::Time{}, 1.0 * units::kW);
  EXPECT_EQ(run.total_carbon, base::Carbon{});
}

TEST(Operational, WholeSourceAndNotASecondMore) {
  const GridHours grid = three_hours();
  EXPECT_DOUBLE_EQ(operational_hours(grid, grid.intensity.start, 3.0 * units::h, 1.0 * units::kW)
                       .total_carbon.in(units::gCO2e),
                   600);
  testing::error_of<base::UserError>("grid-too-short", [&] {
    operational_hours(grid, grid.intensity.start, 3.0 * units::h + 1.0 * units::s, 1.0 * units::kW);
  });
}

TEST(Operational, NegativePowerAndDurationAreRefused) {
  const GridHours grid = three_hours();
  testing::error_of<base::UserError>("out-of-bounds", [&] {
    operational_hours(grid, grid.intensity.start, -1.0 * units::h, 1.0 * units::W);
  });
  testing::error_of<base::UserError>("out-of-bounds", [&] {
    operational_hours(grid, grid.intensity.start, 1.0 * units::h, -1.0 * units::W);
  });
}

TEST(Operational, NominalIsThatOfTheHours) {
  base::Settings settings;
  const GridHours grid = load_grid({.grid = "ERCO"}, catalog::Catalog(settings), settings);
  const base::Instant start = base::parse_instant("2026-11-03T07:13Z");
  const auto duration =
      base::from_driver<base::Time>({"study.duration", 54.0 * 86400, 40.0 * 86400, 80.0 * 86400,
                                     base::DriverScale::automatic, ""},
                                    base::Evidence::modelled, "", 1);
  const auto carbon =
      operational(grid, start, duration, base::Estimate<base::Power>(1.3 * units::MW));
  EXPECT_EQ(carbon.nominal(),
            operational_hours(grid, start, duration.nominal(), 1.3 * units::MW).total_carbon);
  ASSERT_EQ(carbon.any().drivers.size(), 2u);  // the grid's level and the duration
  EXPECT_LT(carbon.low(), carbon.nominal());
  EXPECT_GT(carbon.high(), carbon.nominal());
}

TEST(Operational, NegativeDrawsAreRefused) {
  const GridHours grid = three_hours();
  const auto power = base::from_driver<base::Power>({"p", 1, -2, 3, base::DriverScale::linear, ""},
                                                    base::Evidence::modelled, "", 1);
  testing::error_of<base::UserError>("out-of-bounds", [&] {
    operational(grid, grid.intensity.start, base::Estimate<base::Time>(1.0 * units::h), power);
  });
}

TEST(Operational, GridLevelCancelsInRatiosOfTheSameGrid) {
  base::Settings settings;
  const GridHours grid = load_grid({.grid = "ERCO"}, catalog::Catalog(settings), settings);
  const base::Instant start = base::parse_instant("2026-11-03T07Z");
  const base::Estimate<base::Power> power(1.0 * units::MW);
  const auto ratio =
      operational(grid, start, base::Estimate<base::Time>(10.0 * units::day), power) /
      operational(grid, start, base::Estimate<base::Time>(20.0 * units::day), power);
  EXPECT_NEAR(ratio.low(), ratio.high(), 1e-12);  // every draw divides by itself up to rounding
}

}  // namespace
}  // namespace greenline::footprint
