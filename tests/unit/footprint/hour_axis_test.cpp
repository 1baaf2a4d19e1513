#include "footprint/hour_axis.hpp"

#include <gtest/gtest.h>

#include "base/calendar.hpp"
#include "unit/footprint/grid_text.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::footprint {
namespace {

using base::Instant;
using testing::contains;
using testing::error_of;
using testing::grid_of;
namespace units = base::units;

// A year of local wall clocks in a zone, an hour or part of it apart, as a file has them.
std::string local_year(const std::string& zone, int step_minutes, bool end_stamps) {
  const Instant first = base::parse_instant("2021-01-01T00Z");
  const auto num_steps = static_cast<std::size_t>(8760 * 60 / step_minutes);
  std::string text = "datetime,intensity_g_per_kwh\n";
  for (std::size_t i = 0; i < num_steps; ++i) {
    const auto step = static_cast<double>(step_minutes) * units::min;
    const base::CivilTime c =
        base::civil_local(base::advance(first, step, i + (end_stamps ? 1 : 0)), zone);
    text += base::format_instant(base::from_civil_utc(c));
    text.pop_back();  // the Z
    text += "," + std::to_string(100 + i % 500) + "\n";
  }
  return text;
}

struct Case {
  const char* zone;
  int step_minutes;
  Stamp stamp;
};

TEST(HourAxis, AYearOfLocalClocksIsAYearOfUtc) {
  // Both hemispheres, a change at midnight (Santiago), one of half an hour (Lord Howe, in half
  // hours), none at all (Phoenix).
  const Case kCases[] = {
      {"America/Los_Angeles", 60, Stamp::start}, {"America/Los_Angeles", 60, Stamp::end},
      {"Europe/Berlin", 15, Stamp::start},       {"Europe/Berlin", 15, Stamp::end},
      {"Australia/Sydney", 30, Stamp::start},    {"America/Santiago", 60, Stamp::end},
      {"Australia/Lord_Howe", 30, Stamp::start}, {"America/Phoenix", 60, Stamp::start}};
  for (const Case& c : kCases) {
    const GridHours grid = grid_of(local_year(c.zone, c.step_minutes, c.stamp == Stamp::end),
                                   {.stamp = c.stamp, .timezone = c.zone});
    EXPECT_EQ(base::format_instant(grid.intensity.start), "2021-01-01T00:00:00Z") << c.zone;
    EXPECT_EQ(grid.intensity.size(), 8760u) << c.zone;
    EXPECT_EQ(grid.timezone, c.zone);
  }
}

TEST(HourAxis, WithoutTheZoneTheSameClocksAreRefused) {
  const std::string text = local_year("America/Los_Angeles", 60, false);
  const std::string what = error_of<base::DataError>("missing-hour", [&] { grid_of(text); });
  EXPECT_TRUE(contains(what, "expected 2021-03-14T02:00:00Z, got 2021-03-14T03:00:00Z"));
}

TEST(HourAxis, RowsFromTheNewestAreTheSameHours) {
  const std::string oldest =
      "datetime_utc,intensity\n2021-05-01T00Z,100\n2021-05-01T01Z,200\n2021-05-01T02Z,300\n";
  const std::string newest =
      "datetime_utc,intensity\n2021-05-01T02Z,300\n2021-05-01T01Z,200\n2021-05-01T00Z,100\n";
  const GridHours a = grid_of(oldest), b = grid_of(newest);
  EXPECT_EQ(a.intensity.start, b.intensity.start);
  EXPECT_EQ(a.intensity.values, b.intensity.values);
  const std::string gap =
      "datetime_utc,intensity\n2021-05-01T05Z,300\n2021-05-01T01Z,200\n2021-05-01T00Z,100\n";
  EXPECT_TRUE(contains(error_of<base::DataError>("missing-hour", [&] { grid_of(gap); }),
                       "grid.csv:2:1: row 1: 3 hours are missing"));
}

TEST(HourAxis, LoadsStayHourly) {
  const io::CsvTable table =
      io::parse_csv("datetime,load_mw\n2021-05-01T00:00,1\n2021-05-01T00:30,1\n", "load.csv");
  base::Journal journal;
  EXPECT_TRUE(contains(error_of<base::DataError>(
                           "not-hourly", [&] { read_hour_axis(table, Stamp::automatic, journal); }),
                       "load.csv:3:1"));
}

}  // namespace
}  // namespace greenline::footprint
