// Civil dates and local days. A local day has 23, 24 or 25 hours, in a few zones half an hour more
// or less than 24; the tz database decides.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace greenline::base {

// A date and a time of day, UTC or local as the function says.
struct CivilTime {
  int year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0;
  std::int32_t nanosecond = 0;
  constexpr bool operator==(const CivilTime&) const = default;
};

CivilTime civil_utc(Instant t);
// Throws UserError "bad-date" when the date does not exist (2021-02-29).
Instant from_civil_utc(const CivilTime& c);

int days_in_month(int year, int month);
// Hour of a 365-day year, 0..8759, by month, day and hour; 29 February uses 28 February.
int hour_of_common_year(Instant t);

// Local civil time in a zone of the tz database ("America/Chicago"). UserError "unknown-time-zone";
// UnsupportedError "no-time-zones" where the machine has no tz database. So do all functions below.
CivilTime civil_local(Instant t, std::string_view zone);

enum class Fold { refuse, earlier, later };  // what to do with a local time that occurs twice
// Local civil time to UTC. A time skipped by the clock, or one that occurs twice under
// Fold::refuse, is a DataError ("skipped-local-time", "ambiguous-local-time").
Instant from_civil_local(const CivilTime& c, std::string_view zone, Fold fold = Fold::refuse);

struct LocalDay {
  CivilTime date;  // hour 0
  Instant start, end;
  Time length() const { return end - start; }
};
// The local days that cover [start, end), first and last whole.
std::vector<LocalDay> local_days(Instant start, Instant end, std::string_view zone);

}  // namespace greenline::base
