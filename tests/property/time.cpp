// Instants, calendars and series against a calendar that counts days.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/calendar.hpp"
#include "base/error.hpp"
#include "reference/civil.hpp"

namespace greenline::base {
namespace {

// Well inside the range, so that a day or a year more stays in it.
Instant any_instant() {
  return {*rc::gen::inRange<std::int64_t>(-9'000'000'000'000'000'000, 9'000'000'000'000'000'000)};
}

const char* any_zone() {
  return *rc::gen::element("UTC", "America/Chicago", "America/Los_Angeles", "Europe/Berlin",
                           "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns",
                           "Pacific/Apia", "America/Sao_Paulo");
}

RC_GTEST_PROP(InstantText, ReadsBack, ()) {
  const Instant t = any_instant();
  RC_ASSERT(parse_instant(format_instant(t), false) == t);
}

RC_GTEST_PROP(InstantText, AnyBytesParseOrAreRefused, (const std::string& bytes)) {
  const auto start = *rc::gen::element<std::string>("", "2021-05-01", "2021-05-01T00:00:00");
  try {
    parse_instant(start + bytes);
  } catch (const UserError& error) {
    RC_ASSERT(error.code() == "bad-time");
  }
}

RC_GTEST_PROP(Calendar, AgreesWithCountingDays, ()) {
  const int year = *rc::gen::inRange(1678, 2262);
  const int month = *rc::gen::inRange(1, 13);
  const int day = *rc::gen::inRange(1, reference::days_in_month(year, month) + 1);
  const CivilTime c{year, month, day, *rc::gen::inRange(0, 24), 59, 58, 7};
  const std::int64_t seconds =
      reference::days_since_1970(year, month, day) * 86400 + c.hour * 3600 + 59 * 60 + 58;
  RC_ASSERT(from_civil_utc(c) == instant_at(seconds, 7));
  RC_ASSERT(civil_utc(instant_at(seconds, 7)) == c);
  RC_ASSERT(days_in_month(year, month) == reference::days_in_month(year, month));
}

RC_GTEST_PROP(Calendar, LocalTimeReadsBack, ()) {
  const Instant t = any_instant();
  const char* zone = any_zone();
  const CivilTime local = civil_local(t, zone);
  const Instant earlier = from_civil_local(local, zone, Fold::earlier);
  const Instant later = from_civil_local(local, zone, Fold::later);
  RC_ASSERT(earlier == t || later == t);
  RC_ASSERT(earlier <= later);
}

RC_GTEST_PROP(Calendar, LocalDaysCoverTheirRange, ()) {
  const Instant start = instant_at(*rc::gen::inRange<std::int64_t>(0, 4'000'000'000));
  const Instant end = start + static_cast<double>(*rc::gen::inRange(1, 20 * 86400)) * units::s;
  const auto days = local_days(start, end, any_zone());
  RC_ASSERT(!days.empty());
  RC_ASSERT(days.front().start <= start && start < days.front().end);
  RC_ASSERT(days.back().start < end && end <= days.back().end);
  for (std::size_t i = 1; i < days.size(); ++i) RC_ASSERT(days[i].start == days[i - 1].end);
}

RC_GTEST_PROP(SeriesResampling, KeepsEnergyAndMeanPower, ()) {
  const auto ratio = static_cast<std::size_t>(*rc::gen::inRange(1, 25));
  const auto steps = static_cast<std::size_t>(*rc::gen::inRange(1, 20));
  Series<Energy> fine{instant_at(0), 1.0 * units::h, {}};
  double total = 0;
  for (std::size_t i = 0; i < ratio * steps; ++i) {
    const int joules = *rc::gen::inRange(0, 1'000'000);  // whole, so that every sum is exact
    fine.values.push_back(static_cast<double>(joules) * units::J);
    total += joules;
  }
  const Time step = static_cast<double>(ratio) * units::h;
  const auto coarse = sum_to(fine, step);
  const auto mean = average_to(fine, step);
  RC_ASSERT(coarse.size() == steps);
  RC_ASSERT(coarse.end() == fine.end());
  Energy sum{};
  for (std::size_t i = 0; i < steps; ++i) {
    sum += coarse.values[i];
    RC_ASSERT(mean.values[i] == coarse.values[i] / static_cast<double>(ratio));
  }
  RC_ASSERT(sum == total * units::J);
}

}  // namespace
}  // namespace greenline::base
