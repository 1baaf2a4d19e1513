#include "footprint/grid_hours.hpp"

#include <gtest/gtest.h>

#include "unit/footprint/grid_text.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::footprint {
namespace {

using testing::contains;
using testing::error_of;
using testing::hourly_csv;
namespace units = base::units;

GridHours load(const GridInput& input, base::Settings settings = {}) {
  return load_grid(input, catalog::Catalog(settings), settings);
}

// Hours numbered from 100 on, so that an index can be read from its value.
GridHours numbered(const std::string& start, std::size_t num_hours) {
  return testing::grid_of(hourly_csv("datetime_utc,intensity", start, num_hours,
                                     [](std::size_t i) { return std::to_string(100 + i % 1000); }));
}

std::size_t index(const GridHours& grid, const char* time) {
  return grid.hour_index(base::parse_instant(time));
}

TEST(HourIndex, InsideIsTheHourItself) {
  const GridHours grid = numbered("2021-05-01T00Z", 337);
  EXPECT_EQ(index(grid, "2021-05-01T00:00Z"), 0u);
  EXPECT_EQ(index(grid, "2021-05-01T00:59:59.999999999Z"), 0u);
  EXPECT_EQ(index(grid, "2021-05-15T00:30Z"), 336u);
}

TEST(HourIndex, ShortSourceRefusesOtherHours) {
  const GridHours grid = numbered("2021-05-01T00Z", 337);
  for (const char* time : {"2021-05-15T01:00Z", "2021-04-30T23:59Z", "2022-05-02T00:00Z"})
    EXPECT_TRUE(contains(error_of<base::UserError>("grid-too-short", [&] { index(grid, time); }),
                         "2021-05-15T01:00:00Z"));
}

TEST(HourIndex, CommonYearServesLeapYear) {
  const GridHours grid = numbered("2021-01-01T00Z", 8760);
  EXPECT_EQ(index(grid, "2024-02-29T13:00Z"), index(grid, "2021-02-28T13:00Z"));
  EXPECT_EQ(index(grid, "2024-03-01T00:00Z"), index(grid, "2021-03-01T00:00Z"));
  EXPECT_EQ(index(grid, "1999-12-31T23:30Z"), 8759u);
}

TEST(HourIndex, LeapYearServesCommonYear) {
  const GridHours grid = numbered("2020-01-01T00Z", 8784);
  EXPECT_EQ(index(grid, "2020-02-29T13:00Z"), 59u * 24 + 13);
  EXPECT_EQ(index(grid, "2021-03-01T00:00Z"), 60u * 24);
  EXPECT_EQ(index(grid, "2024-02-29T13:00Z"), 59u * 24 + 13);
}

TEST(HourIndex, YearThatBeginsAnHourEarly) {
  const GridHours grid = numbered("2020-12-31T23Z", 8760);
  EXPECT_EQ(index(grid, "2023-12-31T23:00Z"), 0u);
  EXPECT_EQ(index(grid, "2023-01-01T00:00Z"), 1u);
}

TEST(LoadGrid, Region) {
  base::Settings settings;
  const GridHours grid = load({.grid = "ERCO"}, settings);
  EXPECT_EQ(grid.kind, GridKind::profile);
  EXPECT_TRUE(grid.whole_year);
  EXPECT_EQ(grid.intensity.size(), 8760u);
  EXPECT_EQ(grid.timezone, "America/Chicago");
  // The shipped cells have six digits and average back to the mean of the hours.
  EXPECT_NEAR(grid.mean().in(units::g_per_kWh), 360.639021, 1e-3);
  EXPECT_EQ(grid.wind.size(), 8760u);
  ASSERT_EQ(grid.level.any().drivers.size(), 1u);
  EXPECT_EQ(grid.level.any().drivers[0]->id, "grid.ERCO.level");
  EXPECT_NEAR(grid.level.low(), 0.9,
              0.005);  // the 5th percentile of 256 draws lies this near to the point of the driver
  EXPECT_NEAR(grid.level.high(), 1.1, 0.005);
  // The name, not the 864 cells.
  EXPECT_LT(settings.journal->facts().size(), 10u);
}

TEST(LoadGrid, CountryAndNumber) {
  const GridHours country = load({.grid = "USA"});
  EXPECT_EQ(country.kind, GridKind::constant);
  EXPECT_DOUBLE_EQ(country.mean().in(units::g_per_kWh), 369.473);
  EXPECT_EQ(country.level.any().drivers[0]->id, "grid.USA.level");
  const GridHours number = load({.grid = "0.38 kgCO2e/kWh"});
  EXPECT_DOUBLE_EQ(number.mean().in(units::g_per_kWh), 380);
  EXPECT_TRUE(number.level.any().drivers.empty());
  EXPECT_TRUE(number.hour_index(base::parse_instant("2031-02-28T10Z")) < number.intensity.size());
  EXPECT_EQ(load({.grid = "0 g/kWh"}).mean(), CarbonIntensity{});
}

TEST(LoadGrid, NumbersOutsideEveryRange) {
  EXPECT_TRUE(contains(
      error_of<base::UserError>("implausible-intensity", [] { load({.grid = "0.361 g/kWh"}); }),
      "kg/kWh"));
  error_of<base::UserError>("implausible-intensity", [] { load({.grid = "-20 g/kWh"}); });
  error_of<base::UserError>("bad-quantity", [] { load({.grid = "380 W"}); });
}

TEST(LoadGrid, UnknownNamesTheNearest) {
  EXPECT_TRUE(
      contains(error_of<base::UserError>("unknown-grid", [] { load({.grid = "ERCOT"}); }), "ERCO"));
  error_of<base::UserError>("no-such-file", [] { load({.grid = "no/such.csv"}); });
  error_of<base::UserError>("unknown-factors",
                            [] { load({.grid = "ERCO", .factors = "carbon-explorr"}); });
  error_of<base::UserError>("factors-contradiction",
                            [] { load({.grid = "ERCO", .factors = "ipcc2014-lifecycle"}); });
}

TEST(LoadGrid, LevelSetByTheUserScalesAndIsCertain) {
  base::Settings settings;
  settings.overrides = {"ERCO.intensity_level=1.1"};
  const GridHours grid = load({.grid = "ERCO"}, settings);
  EXPECT_NEAR(grid.mean().in(units::g_per_kWh), 1.1 * 360.639021, 1e-3);
  EXPECT_EQ(grid.level.low(), 1.0);
  EXPECT_EQ(grid.level.high(), 1.0);
}

}  // namespace
}  // namespace greenline::footprint
