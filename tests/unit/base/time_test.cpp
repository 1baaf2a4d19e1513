#include "base/time.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::base {
namespace {

constexpr std::int64_t kMay2021 = 1619827200;  // `date -u -d 2021-05-01 +%s`

TEST(ParseInstant, AcceptsTheFormsOfIso8601) {
  const Instant may = instant_at(kMay2021);
  for (const char* text :
       {"2021-05-01T00Z", "2021-05-01T00:00Z", "2021-05-01T00:00:00Z", "2021-05-01 00:00:00+00:00",
        "20210501T00Z", "20210501T000000Z", "2021-05-01", "2021-05-01 00:00",
        "2021-05-01 00:00 UTC", "2021-05-01T05:30:00+0530", "2021-04-30T19-05",
        " 2021-05-01t00:00:00.000z\r\n", "2021-05-01 00:00:00 -00:00"}) {
    EXPECT_EQ(parse_instant(text), may) << text;
  }
}

TEST(ParseInstant, ReadsNanosecondsExactly) {
  EXPECT_EQ(parse_instant("2021-05-01T00:00:00.123456789Z").ns, kMay2021 * 1000000000 + 123456789);
  EXPECT_EQ(parse_instant("2021-05-01T00:00:00,5Z").ns, kMay2021 * 1000000000 + 500000000);
  EXPECT_EQ(parse_instant("1969-12-31T23:59:59.999999999Z").ns, -1);
}

TEST(ParseInstant, RefusesEverythingElse) {
  for (const char* text : {"",
                           "Z",
                           "2021",
                           "2021-5-1",
                           "2021-02-29",
                           "2021-13-01",
                           "2021-00-01",
                           "2021-04-31",
                           "2021-05-01T",
                           "2021-05-01T24:00:00Z",
                           "2021-05-01T00:60Z",
                           "2021-05-01T00:00:60Z",
                           "2021-05-01T00:00:00.",
                           "2021-05-01T00:00:00.1234567890Z",
                           "2021-05-01T00:00:00+",
                           "2021-05-01T00:00:00+24:00",
                           "2021-05-01T00:00:00Zjunk",
                           "2021-0501",
                           "202105-01",
                           "-2021-05-01",
                           "+2021-05-01",
                           "2021-05-01T0:00Z",
                           "2021-05-01T00:00:",
                           "1e9",
                           "0000-00-00",
                           "2021-05-01T00:00:00+05:3",
                           "1677-09-20",
                           "2262-04-12",
                           "9999-12-31"}) {
    try {
      parse_instant(text);
      ADD_FAILURE() << "accepted " << text;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), "bad-time") << text;
    }
  }
}

TEST(ParseInstant, WantsAZoneWhereNoneIsAssumed) {
  EXPECT_THROW(parse_instant("2021-05-01T00:00:00", false), UserError);
  EXPECT_THROW(parse_instant("2021-05-01", false), UserError);
  EXPECT_EQ(parse_instant("2021-05-01T00:00:00Z", false), instant_at(kMay2021));
}

TEST(FormatInstant, ReadsBackAtTheEdgesOfTheRange) {
  using Limits = std::numeric_limits<std::int64_t>;
  for (const std::int64_t ns : {Limits::min(), std::int64_t{-1}, std::int64_t{0},
                                std::int64_t{1500000000}, Limits::max()}) {
    EXPECT_EQ(parse_instant(format_instant({ns})).ns, ns) << format_instant({ns});
  }
  EXPECT_EQ(format_instant({Limits::max()}), "2262-04-11T23:47:16.854775807Z");
  EXPECT_EQ(format_instant({0}), "1970-01-01T00:00:00Z");
  EXPECT_EQ(format_instant({-500000000}), "1969-12-31T23:59:59.5Z");
}

TEST(Instant, DifferencesAndSums) {
  const Instant t = instant_at(kMay2021);
  EXPECT_EQ((t + 1.5 * units::h) - t, 5400.0 * units::s);
  EXPECT_EQ(t - (t + 1.0 * units::ns), -1e-9 * units::s);
  EXPECT_EQ((t - 1.0 * units::day) + 24.0 * units::h, t);
  using Limits = std::numeric_limits<std::int64_t>;
  EXPECT_NEAR((Instant{Limits::max()} - Instant{Limits::min()}).in(units::s), 0x1p64 * 1e-9, 1e-5);
  EXPECT_THROW(Instant{Limits::max()} + 1.0 * units::ns, UserError);
  EXPECT_THROW(t + std::numeric_limits<double>::infinity() * units::s, UserError);
  EXPECT_THROW(t + std::numeric_limits<double>::quiet_NaN() * units::s, UserError);
}

TEST(Series, LongSeriesOfADecimalStepKeepItsNanoseconds) {
  const Series<Power> s{instant_at(kMay2021), 1.0 * units::ms, {}};
  EXPECT_EQ(s.time(31'536'000'007).ns, (kMay2021 * 1000 + 31'536'000'007) * 1'000'000);
  const Series<Power> thirds{instant_at(0), (1.0 / 3) * units::s, {}};
  EXPECT_EQ(thirds.time(3).ns, 1'000'000'000);
}

TEST(Series, PowersAverageAndEnergiesSum) {
  const Series<Power> watts{instant_at(0),
                            15.0 * units::min,
                            {1.0 * units::W, 2.0 * units::W, 3.0 * units::W, 6.0 * units::W}};
  const Series<Power> hourly = average_to(watts, 1.0 * units::h);
  ASSERT_EQ(hourly.size(), 1u);
  EXPECT_EQ(hourly.values[0], 3.0 * units::W);
  EXPECT_EQ(hourly.end(), watts.end());
  const Series<Energy> joules{instant_at(0), 15.0 * units::min, {1.0 * units::J, 2.0 * units::J}};
  EXPECT_EQ(sum_to(joules, 30.0 * units::min).values[0], 3.0 * units::J);
  EXPECT_TRUE(average_to(Series<Power>{instant_at(0), 1.0 * units::h, {}}, 1.0 * units::day)
                  .values.empty());
}

TEST(Series, RefusesStepsThatDoNotDivide) {
  const Series<Power> s{instant_at(0), 1.0 * units::h, std::vector<Power>(25)};
  for (const Time step :
       {30.0 * units::min, 90.0 * units::min, 24.0 * units::h, -1.0 * units::h, 0.0 * units::h}) {
    try {
      average_to(s, step);
      ADD_FAILURE() << "accepted " << step.in(units::h);
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), "bad-step");
    }
  }
  EXPECT_EQ(sum_to(s, 5.0 * units::h).size(), 5u);
}

}  // namespace
}  // namespace greenline::base
