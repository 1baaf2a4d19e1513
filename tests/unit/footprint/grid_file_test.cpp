#include "footprint/grid_file.hpp"

#include <gtest/gtest.h>

#include "unit/footprint/grid_text.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::footprint {
namespace {

using testing::any_contains;
using testing::contains;
using testing::error_of;
using testing::grid_of;
using testing::hourly_csv;
namespace units = base::units;

// One rounding of each of a product, two sums and a quotient.
constexpr double kRounding = 1e-14;

double g(CarbonIntensity i) { return i.in(units::g_per_kWh); }

std::string three_hours(const std::string& column, const std::string& a, const std::string& b,
                        const std::string& c) {
  return "datetime_utc," + column + "\n2021-05-01T00:00Z," + a + "\n2021-05-01T01:00Z," + b +
         "\n2021-05-01T02:00Z," + c + "\n";
}

TEST(GridFile, IntensityIsTheMixOfTheFactors) {
  const GridHours grid = grid_of(
      "datetime_utc,WND,NG\n2021-05-01 00:00:00+00:00,30,10\n2021-05-01 01:00:00+00:00,0,10\n");
  EXPECT_EQ(grid.kind, GridKind::generation);
  ASSERT_EQ(grid.intensity.size(), 2u);
  EXPECT_NEAR(g(grid.intensity.values[0]), (30 * 11 + 10 * 490) / 40.0, 200 * kRounding);
  EXPECT_NEAR(g(grid.intensity.values[1]), 490, 490 * kRounding);
  EXPECT_NEAR(g(*grid.generation_weighted()), (30 * 11 + 20 * 490) / 50.0, 200 * kRounding);
  EXPECT_EQ(grid.wind.values[0].in(units::MW), 30);
  EXPECT_TRUE(grid.solar.values.empty());
  EXPECT_FALSE(grid.whole_year);
}

TEST(GridFile, ColumnsMayStandInAnyOrderAndNameTheirUnit) {
  const GridHours a = grid_of("datetime_utc,WND,NG\n2021-05-01T00Z,30,10\n");
  const GridHours b = grid_of("NG (GWh),time,wnd_gwh\n0.01,2021-05-01T00Z,0.03\n");
  EXPECT_NEAR(g(a.mean()), g(b.mean()), 200 * kRounding);
  EXPECT_NEAR(a.wind.values[0].in(units::MW), b.wind.values[0].in(units::MW), 30 * kRounding);
}

TEST(GridFile, NegativeGenerationIsRefusedOrClippedAndCounted) {
  base::Settings settings;
  const std::string text =
      "datetime_utc,SUN,NG,Demand\n2021-05-01T00Z,-1,10,9\n2021-05-01T01Z,-3,10,9\n";
  const std::string refused =
      error_of<base::DataError>("negative-generation", [&] { grid_of(text); });
  EXPECT_TRUE(contains(refused, "2 negative hours of SUN"));
  EXPECT_TRUE(contains(refused, "grid.csv:2:16"));
  const GridHours grid = grid_of(text, {.clip_negative = true}, settings);
  EXPECT_EQ(grid.reading.num_clipped, 2);
  EXPECT_NEAR(g(grid.mean()), 490, 490 * kRounding);
  const auto notices = settings.journal->notices();
  EXPECT_TRUE(any_contains(notices, "2 negative hours of SUN count as 0 (lowest -3 MWh)"));
  EXPECT_TRUE(any_contains(notices, "not used: \"Demand\""));
  EXPECT_TRUE(any_contains(notices, "no column for COL, NUC, OIL, OTH, WAT, WND"));
}

TEST(GridFile, SaysWhichFuelsReadZero) {
  base::Settings settings;
  grid_of("datetime_utc,OIL,WAT,NG\n2021-05-01T00Z,0,5,10\n2021-05-01T01Z,0,0,10\n", {}, settings);
  EXPECT_TRUE(any_contains(settings.journal->notices(), "0 for WAT in 1 hours; OIL in all hours"));
}

TEST(GridFile, HourWithoutGenerationIsNamed) {
  const std::string what = error_of<base::DataError>("no-generation", [] {
    grid_of("datetime_utc,WND,NG\n2021-05-01T00Z,1,1\n2021-05-01T01Z,0,0\n");
  });
  EXPECT_TRUE(contains(what, "grid.csv:3"));
  EXPECT_TRUE(contains(what, "2021-05-01T01:00:00Z"));
}

TEST(GridFile, ReadsUnitsOfIntensity) {
  const std::pair<const char*, double> kHeaders[] = {{"intensity_g_per_kwh", 1},
                                                     {"carbon intensity (gCO2e/kWh)", 1},
                                                     {"Carbon intensity gCO\xE2\x82\x82"
                                                      "eq/kWh (direct)",
                                                      1},
                                                     {"intensity_kg_per_mwh", 1},
                                                     {"intensity [lb/MWh]", 0.45359237},
                                                     {"CO2 intensity", 1}};
  for (const auto& [header, factor] : kHeaders)
    EXPECT_NEAR(g(grid_of(three_hours(header, "300", "400", "500")).mean()), 400 * factor,
                400 * kRounding)
        << header;
  EXPECT_NEAR(g(grid_of(three_hours("intensity_kg_per_kwh", ".3", ".4", ".5")).mean()), 400,
              400 * kRounding);
}

TEST(GridFile, AssumesGramsAndSaysSo) {
  base::Settings settings;
  grid_of(three_hours("carbon_intensity_avg", "300", "400", "500"), {}, settings);
  const auto assumed = settings.journal->assumptions();
  ASSERT_EQ(assumed.size(), 2u);  // the unit and the stamp
  EXPECT_EQ(assumed[0].key, "--stamp");
  EXPECT_EQ(assumed[1].value, "g/kWh");
}

TEST(GridFile, KilogramsTakenForGramsAreRefused) {
  const std::string what = error_of<base::DataError>(
      "implausible-intensity", [] { grid_of(three_hours("intensity", "0.3", "0.361", "0.422")); });
  EXPECT_TRUE(contains(what, "this looks like kg/kWh"));
  EXPECT_TRUE(contains(what, "intensity_kg_per_kwh"));
  EXPECT_TRUE(
      contains(error_of<base::DataError>(
                   "implausible-intensity",
                   [] { grid_of(three_hours("intensity_kg_per_kwh", "361", "361", "361")); }),
               "g/MWh or mg/kWh"));
}

TEST(GridFile, NegativeAndNonFiniteIntensitiesAreNamed) {
  EXPECT_TRUE(contains(
      error_of<base::DataError>("negative-intensity",
                                [] { grid_of(three_hours("intensity", "300", "-4", "500")); }),
      "grid.csv:3:19"));
  EXPECT_TRUE(
      contains(error_of<base::DataError>(
                   "not-finite", [] { grid_of(three_hours("intensity", "300", "NaN", "500")); }),
               "grid.csv:3:19"));
  error_of<base::DataError>("empty-cell",
                            [] { grid_of(three_hours("intensity", "300", "", "500")); });
}

TEST(GridFile, NumbersThatStandForMissingValuesAreNamed) {
  EXPECT_TRUE(contains(
      error_of<base::DataError>("implausible-intensity",
                                [] { grid_of(three_hours("intensity", "300", "9999", "300")); }),
      "mean 3533"));
  std::string text = hourly_csv("datetime_utc,intensity", "2021-05-01T00Z", 100,
                                [](std::size_t i) { return std::string(i == 7 ? "9999" : "300"); });
  const std::string what =
      error_of<base::DataError>("implausible-intensity", [&] { grid_of(text); });
  EXPECT_TRUE(contains(what, "grid.csv:9:22"));
  EXPECT_TRUE(contains(what, "missing value"));
  error_of<base::DataError>("implausible-generation",
                            [] { grid_of("datetime_utc,NG\n2021-05-01T00Z,1e9\n"); });
  error_of<base::DataError>("implausible-intensity",
                            [] { grid_of(three_hours("intensity", "0", "1e308", "1e308")); });
}

TEST(GridFile, LifeCycleColumnWinsOverDirect) {
  base::Settings settings;
  const GridHours grid = grid_of(
      "Datetime (UTC),Carbon intensity g/kWh (direct),Carbon intensity g/kWh (Life cycle)\n"
      "2021-05-01 00:00:00,100,140\n",
      {}, settings);
  EXPECT_NEAR(g(grid.mean()), 140, 140 * kRounding);
  EXPECT_TRUE(any_contains(settings.journal->notices(), "life-cycle one is used"));
  error_of<base::DataError>("ambiguous-intensity", [] {
    grid_of("datetime,intensity_a,intensity_b\n2021-05-01T00Z,100,140\n");
  });
}

TEST(GridFile, MarginalSignalIsNeverMixed) {
  EXPECT_EQ(grid_of(three_hours("marginal_intensity_g_per_kwh", "300", "400", "500")).signal,
            Signal::marginal);
  EXPECT_EQ(grid_of(three_hours("intensity_g_per_kwh", "300", "400", "500")).signal,
            Signal::average);
}

TEST(GridFile, UnknownLayoutNamesColumns) {
  EXPECT_TRUE(contains(error_of<base::DataError>(
                           "unknown-layout", [] { grid_of("datetime,price\n2021-05-01T00Z,3\n"); }),
                       "got: datetime, price"));
  error_of<base::DataError>("unknown-layout", [] { grid_of("hour,WND\n1,3\n"); });
  error_of<base::DataError>("duplicate-fuel",
                            [] { grid_of("datetime,WND,wnd_mwh\n2021-05-01T00Z,3,3\n"); });
  error_of<base::UserError>(
      "unknown-factors", [] { grid_of("datetime,WND\n2021-05-01T00Z,3\n", {.factors = "ipcc"}); });
}

TEST(HourAxis, MissingDuplicateAndDisorderedHours) {
  const auto rows = [](const char* second) {
    return std::string("datetime_utc,intensity\n2021-05-01T00:00Z,300\n") + second +
           ",300\n2021-05-01T03:00Z,300\n";
  };
  const std::string missing =
      error_of<base::DataError>("missing-hour", [&] { grid_of(rows("2021-05-01T02:00Z")); });
  EXPECT_TRUE(contains(missing, "grid.csv:3:1"));
  EXPECT_TRUE(contains(missing, "expected 2021-05-01T01:00:00Z, got 2021-05-01T02:00:00Z"));
  EXPECT_TRUE(contains(
      error_of<base::DataError>("duplicate-hour", [&] { grid_of(rows("2021-05-01T00:00Z")); }),
      "line 2 already"));
  error_of<base::DataError>("unsorted-hours", [&] { grid_of(rows("2021-04-30T12:00Z")); });
  EXPECT_TRUE(contains(
      error_of<base::DataError>(
          "mixed-steps",
          [&] {
            grid_of(rows("2021-05-01T01:00Z,300\n2021-05-01T02:00Z,300\n2021-05-01T02:20Z"));
          }),
      "the step is 20 min, but 1 h elsewhere"));
  EXPECT_TRUE(contains(error_of<base::DataError>("not-hourly",
                                                 [] {
                                                   grid_of(
                                                       "datetime,intensity\n2021-05-01T00:00Z,"
                                                       "300\n2021-05-01T00:50Z,300\n");
                                                 }),
                       "50 min"));
  error_of<base::DataError>("not-hourly",
                            [] { grid_of("datetime,intensity\n2021-05-01T00:30Z,300\n"); });
  error_of<base::DataError>("no-rows", [] { grid_of("datetime,intensity\n"); });
}

TEST(HourAxis, EndOfHourIsShiftedAndSaid) {
  base::Settings settings;
  const std::string text = "UTC Time at End of Hour,NG\n2021-05-01T01:00,10\n2021-05-01T02:00,10\n";
  const GridHours grid = grid_of(text, {}, settings);
  EXPECT_EQ(base::format_instant(grid.intensity.start), "2021-05-01T00:00:00Z");
  EXPECT_TRUE(any_contains(settings.journal->notices(), "shifted by -1 h"));
  EXPECT_TRUE(settings.journal->assumptions().empty());
  error_of<base::UserError>("stamp-contradiction", [&] { grid_of(text, {.stamp = Stamp::start}); });
  error_of<base::UserError>("stamp-contradiction", [] {
    grid_of("start_utc,NG\n2021-05-01T01:00,10\n", {.stamp = Stamp::end});
  });
}

TEST(HourAxis, UtcColumnWinsOverLocal) {
  const GridHours grid = grid_of(
      "Local Time at End of Hour,UTC Time at End of "
      "Hour,NG\n2021-05-01T05:00,2021-05-01T10:00,10\n");
  EXPECT_EQ(base::format_instant(grid.intensity.start), "2021-05-01T09:00:00Z");
}

TEST(GridFile, WholeYears) {
  const auto row = [](std::size_t) { return std::string("300"); };
  EXPECT_TRUE(
      grid_of(hourly_csv("datetime_utc,intensity", "2021-01-01T00Z", 8760, row)).whole_year);
  EXPECT_FALSE(
      grid_of(hourly_csv("datetime_utc,intensity", "2021-01-01T00Z", 8759, row)).whole_year);
  EXPECT_FALSE(
      grid_of(hourly_csv("datetime_utc,intensity", "2020-01-01T00Z", 8760, row)).whole_year);
  EXPECT_TRUE(
      grid_of(hourly_csv("datetime_utc,intensity", "2020-12-31T23Z", 8760, row)).whole_year);
  EXPECT_TRUE(
      grid_of(hourly_csv("datetime_utc,intensity", "2020-01-01T00Z", 8784, row)).whole_year);
}

}  // namespace
}  // namespace greenline::footprint
