#include "base/calendar.hpp"

#include <chrono>
#include <stdexcept>

#include <date/tz.h>
#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::base {
namespace {

// Days of the calendar around the range of an Instant: no later step can overflow.
constexpr int kFirstYear = 1677, kLastYear = 2262;

std::string text_of(const CivilTime& c) {
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", c.year, c.month, c.day, c.hour,
                     c.minute, c.second);
}

date::year_month_day date_of(const CivilTime& c) { return date::year(c.year) / c.month / c.day; }

CivilTime midnight_of(date::year_month_day date) {
  return {static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day()))};
}

// Seconds since 1970-01-01 of the same clock.
std::int64_t checked_seconds(const CivilTime& c) {
  const bool known_year = c.year >= kFirstYear && c.year <= kLastYear;
  const bool small = c.month >= 1 && c.month <= 12 && c.day >= 1 && c.day <= 31;
  const bool clock = c.hour >= 0 && c.hour < 24 && c.minute >= 0 && c.minute < 60 &&
                     c.second >= 0 && c.second < 60 && c.nanosecond >= 0 &&
                     c.nanosecond < 1'000'000'000;
  if (!known_year || !small || !clock || !date_of(c).ok()) {
    throw UserError("bad-date",
                    fmt::format("{} does not exist or lies outside 1677..2262", text_of(c)),
                    "check the day of the month and the hour (0..23)");
  }
  const std::int64_t days = date::sys_days(date_of(c)).time_since_epoch().count();
  return 86400 * days + 3600 * c.hour + 60 * c.minute + c.second;
}

const date::tzdb& time_zones() {
  try {
    return date::get_tzdb();
  } catch (const std::runtime_error& error) {
    throw UnsupportedError("no-time-zones",
                           fmt::format("the tz database cannot be read: {}", error.what()),
                           "apt-get install tzdata");
  }
}

const date::time_zone& zone_named(std::string_view name) {
  const date::tzdb& all = time_zones();
  try {
    return *date::locate_zone(std::string(name));
  } catch (const std::runtime_error&) {
    std::vector<std::string> known;
    for (const date::time_zone& zone : all.zones) known.push_back(zone.name());
    throw unknown_name("time zone", name, known, "use a name of the tz database, America/Chicago");
  }
}

// When the local date begins: its first instant, also where the clock skips or repeats midnight.
Instant start_of_day(date::local_days day, const date::time_zone& zone) {
  const date::local_seconds midnight(day);
  const date::local_info info = zone.get_info(midnight);
  if (info.result == date::local_info::nonexistent) {
    return instant_at(info.first.end.time_since_epoch().count());
  }
  return instant_at((midnight.time_since_epoch() - info.first.offset).count());
}

}  // namespace

CivilTime civil_utc(Instant t) {
  constexpr std::int64_t kNsPerSecond = 1'000'000'000, kNsPerDay = 86400 * kNsPerSecond;
  // Apart in integers: the first midnight of the range is not itself in it.
  std::int64_t day = t.ns / kNsPerDay, rest = t.ns % kNsPerDay;
  if (rest < 0) {
    --day;
    rest += kNsPerDay;
  }
  CivilTime c = midnight_of(date::sys_days(date::days(static_cast<int>(day))));
  const auto second = static_cast<int>(rest / kNsPerSecond);
  c.hour = second / 3600;
  c.minute = second / 60 % 60;
  c.second = second % 60;
  c.nanosecond = static_cast<std::int32_t>(rest % kNsPerSecond);
  return c;
}

Instant from_civil_utc(const CivilTime& c) { return instant_at(checked_seconds(c), c.nanosecond); }

int days_in_month(int year, int month) {
  GL_CHECK_GE(month, 1);
  GL_CHECK_LE(month, 12);
  const date::year_month_day_last last = date::year(year) / month / date::last;
  return static_cast<int>(static_cast<unsigned>(last.day()));
}

int hour_of_common_year(Instant t) {
  constexpr int kCommonYear = 2023;
  CivilTime c = civil_utc(t);
  if (c.month == 2 && c.day == 29) c.day = 28;
  const auto day = date::sys_days(date::year(kCommonYear) / c.month / c.day);
  const auto first = date::sys_days(date::year(kCommonYear) / 1 / 1);
  return static_cast<int>((day - first).count()) * 24 + c.hour;
}

CivilTime civil_local(Instant t, std::string_view zone) {
  const date::sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds(t.ns)};
  const auto info = zone_named(zone).get_info(date::floor<std::chrono::seconds>(time));
  return civil_utc(t + static_cast<double>(info.offset.count()) * units::s);
}

Instant from_civil_local(const CivilTime& c, std::string_view zone, Fold fold) {
  const date::local_seconds local{std::chrono::seconds(checked_seconds(c))};
  const date::local_info info = zone_named(zone).get_info(local);
  if (info.result == date::local_info::nonexistent) {
    throw DataError("skipped-local-time",
                    fmt::format("{} does not exist in {}: the clock skips it", text_of(c), zone),
                    "check the zone, or whether the times are UTC");
  }
  if (info.result == date::local_info::ambiguous && fold == Fold::refuse) {
    throw DataError("ambiguous-local-time",
                    fmt::format("{} occurs twice in {}: the clock is set back", text_of(c), zone),
                    "say which one is meant, or give the times in UTC");
  }
  const bool second = info.result == date::local_info::ambiguous && fold == Fold::later;
  const auto offset = second ? info.second.offset : info.first.offset;
  return instant_at((local.time_since_epoch() - offset).count(), c.nanosecond);
}

std::vector<LocalDay> local_days(Instant start, Instant end, std::string_view zone) {
  GL_CHECK_LE(start.ns, end.ns);
  std::vector<LocalDay> out;
  if (start == end) return out;
  const date::time_zone& tz = zone_named(zone);
  const CivilTime first = civil_local(start, zone);
  date::local_days day{date_of(first)};
  // Where a clock is set back across midnight, `start` may lie in the second evening of the day
  // before.
  Instant begin = start_of_day(day, tz);
  while (begin < end) {
    const date::local_days next = day + date::days(1);
    const Instant finish = start_of_day(next, tz);
    // A day that a zone left out, when it moved across the date line, has no length.
    if (begin < finish && start < finish) {
      out.push_back({midnight_of(date::year_month_day(day)), begin, finish});
    }
    day = next;
    begin = finish;
  }
  return out;
}

}  // namespace greenline::base
