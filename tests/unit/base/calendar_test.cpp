#include "base/calendar.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::base {
namespace {

constexpr const char* kChicago = "America/Chicago";

std::vector<double> hours_of(const std::vector<LocalDay>& days) {
  std::vector<double> out;
  for (const LocalDay& day : days) out.push_back(day.length().in(units::h));
  return out;
}

std::string code_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.code();
  }
  return "";
}

TEST(Calendar, UtcRoundTripAndLeapYears) {
  const CivilTime leap{2024, 2, 29, 23, 59, 59, 999999999};
  EXPECT_EQ(civil_utc(from_civil_utc(leap)), leap);
  EXPECT_EQ(format_instant(from_civil_utc({1969, 12, 31, 23})), "1969-12-31T23:00:00Z");
  EXPECT_EQ(days_in_month(2024, 2), 29);
  EXPECT_EQ(days_in_month(2100, 2), 28);
  EXPECT_EQ(days_in_month(2000, 2), 29);
  EXPECT_EQ(days_in_month(2023, 11), 30);
}

TEST(Calendar, RefusesDatesThatDoNotExist) {
  for (const CivilTime& c : std::vector<CivilTime>{{2021, 2, 29},
                                                   {2021, 4, 31},
                                                   {2021, 13, 1},
                                                   {2021, 0, 1},
                                                   {2021, 1, 0},
                                                   {2021, 1, 1, 24},
                                                   {2021, 1, 1, 0, 60},
                                                   {2021, 1, 1, 0, 0, 60},
                                                   {2021, 1, 1, -1},
                                                   {-44, 3, 15},
                                                   {2263, 1, 1},
                                                   {2021, 1, 1, 0, 0, 0, -1}}) {
    EXPECT_EQ(code_of([&] { from_civil_utc(c); }), "bad-date") << c.year << '-' << c.month;
  }
  EXPECT_EQ(code_of([] {
              from_civil_utc({1677, 1, 1});
            }),
            "bad-time");  // before the first nanosecond
}

TEST(Calendar, HourOfACommonYear) {
  EXPECT_EQ(hour_of_common_year(parse_instant("2023-01-01T00Z")), 0);
  EXPECT_EQ(hour_of_common_year(parse_instant("2023-12-31T23Z")), 8759);
  EXPECT_EQ(hour_of_common_year(parse_instant("2024-12-31T23Z")), 8759);
  EXPECT_EQ(hour_of_common_year(parse_instant("2024-02-29T05Z")),
            hour_of_common_year(parse_instant("2024-02-28T05Z")));
  EXPECT_EQ(hour_of_common_year(parse_instant("2024-03-01T00Z")), (31 + 28) * 24);
}

// Chicago set its clocks forward on 2021-03-14 and back on 2021-11-07, both at 02:00.
TEST(Calendar, LocalDaysHave23Or24Or25Hours) {
  const auto spring =
      local_days(parse_instant("2021-03-13T12Z"), parse_instant("2021-03-15T12Z"), kChicago);
  EXPECT_EQ(hours_of(spring), (std::vector<double>{24, 23, 24}));
  EXPECT_EQ(format_instant(spring[1].start), "2021-03-14T06:00:00Z");
  EXPECT_EQ(format_instant(spring[1].end), "2021-03-15T05:00:00Z");
  EXPECT_EQ(spring[1].date, (CivilTime{2021, 3, 14}));
  EXPECT_EQ(hours_of(local_days(parse_instant("2021-11-07T12Z"), parse_instant("2021-11-07T13Z"),
                                kChicago)),
            (std::vector<double>{25}));
}

TEST(Calendar, LocalDaysOfAZoneThatMovesItsClockByHalfAnHour) {
  const auto days = local_days(parse_instant("2021-10-02T18Z"), parse_instant("2021-10-02T19Z"),
                               "Australia/Lord_Howe");
  EXPECT_EQ(hours_of(days), (std::vector<double>{23.5}));
}

TEST(Calendar, LocalDaysOfAYearCoverItWithoutGapOrOverlap) {
  const auto days =
      local_days(parse_instant("2021-01-01T06Z"), parse_instant("2022-01-01T06Z"), kChicago);
  ASSERT_EQ(days.size(), 365u);
  double hours = 0;
  for (std::size_t i = 0; i < days.size(); ++i) {
    hours += days[i].length().in(units::h);
    EXPECT_EQ(days[i].start, i == 0 ? days[0].start : days[i - 1].end);
  }
  EXPECT_EQ(hours, 8760);
}

TEST(Calendar, LocalDaysWhereMidnightIsSkippedOrADayIsMissing) {
  // Sao Paulo went from 2018-11-03 23:59:59 to 2018-11-04 01:00.
  const auto skipped = local_days(parse_instant("2018-11-04T12Z"), parse_instant("2018-11-04T13Z"),
                                  "America/Sao_Paulo");
  EXPECT_EQ(hours_of(skipped), (std::vector<double>{23}));
  EXPECT_EQ(format_instant(skipped[0].start), "2018-11-04T03:00:00Z");
  // Samoa left out 2011-12-30 altogether.
  const auto samoa =
      local_days(parse_instant("2011-12-30T00Z"), parse_instant("2011-12-31T12Z"), "Pacific/Apia");
  ASSERT_EQ(samoa.size(), 3u);
  EXPECT_EQ(samoa[0].date, (CivilTime{2011, 12, 29}));
  EXPECT_EQ(samoa[1].date, (CivilTime{2011, 12, 31}));
  EXPECT_EQ(samoa[0].end, samoa[1].start);
}

TEST(Calendar, NoLocalDaysInAnEmptyRange) {
  const Instant t = parse_instant("2021-05-01T00Z");
  EXPECT_TRUE(local_days(t, t, kChicago).empty());
  EXPECT_THROW(local_days(t + 1.0 * units::h, t, kChicago), InternalError);
}

TEST(Calendar, SkippedAndRepeatedLocalTimes) {
  const CivilTime skipped{2021, 3, 14, 2, 30}, repeated{2021, 11, 7, 1, 30};
  EXPECT_EQ(code_of([&] { from_civil_local(skipped, kChicago); }), "skipped-local-time");
  EXPECT_EQ(code_of([&] { from_civil_local(repeated, kChicago); }), "ambiguous-local-time");
  EXPECT_EQ(format_instant(from_civil_local(repeated, kChicago, Fold::earlier)),
            "2021-11-07T06:30:00Z");
  EXPECT_EQ(format_instant(from_civil_local(repeated, kChicago, Fold::later)),
            "2021-11-07T07:30:00Z");
}

TEST(Calendar, LocalTimeKeepsNanosecondsAndOddOffsets) {
  const Instant t = parse_instant("2021-05-01T00:00:00.000000001Z");
  EXPECT_EQ(civil_local(t, "Asia/Kathmandu"), (CivilTime{2021, 5, 1, 5, 45, 0, 1}));
  EXPECT_EQ(from_civil_local({2021, 5, 1, 5, 45, 0, 1}, "Asia/Kathmandu"), t);
}

TEST(Calendar, UnknownZonesNameTheNearest) {
  try {
    civil_local({}, "America/Chicag");
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), "unknown-time-zone");
    EXPECT_NE(error.message().find("nearest: America/Chicago"), std::string::npos)
        << error.message();
  }
  EXPECT_EQ(code_of([] { civil_local({}, "../../etc/passwd"); }), "unknown-time-zone");
  EXPECT_EQ(code_of([] { civil_local({}, ""); }), "unknown-time-zone");
}

}  // namespace
}  // namespace greenline::base
