// The Gregorian calendar by counting days one at a time.
#pragma once

#include <cstdint>

namespace greenline::reference {

inline bool is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

inline int days_in_month(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kDays[month - 1] + (month == 2 && is_leap(year) ? 1 : 0);
}

// Days from 1970-01-01 to a date that exists.
inline std::int64_t days_since_1970(int year, int month, int day) {
  std::int64_t days = day - 1;
  for (int m = 1; m < month; ++m) days += days_in_month(year, m);
  for (int y = 1970; y < year; ++y) days += is_leap(y) ? 366 : 365;
  for (int y = year; y < 1970; ++y) days -= is_leap(y) ? 366 : 365;
  return days;
}

}  // namespace greenline::reference
