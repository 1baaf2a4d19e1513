#include "mlperf/log_text.hpp"

#include <algorithm>
#include <charconv>

namespace greenline::mlperf {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

template <class T>
std::optional<T> parsed(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits [at, at + size) as a number, -1 when one is none.
int digits(std::string_view text, std::size_t at, std::size_t size) {
  int value = 0;
  for (std::size_t i = at; i < at + size; ++i) {
    if (!is_digit(text[i])) return -1;
    value = 10 * value + (text[i] - '0');
  }
  return value;
}

// ".365" as units of 10^-places; nothing unless there are 1 to `places` digits.
std::optional<std::int64_t> fraction(std::string_view text, std::size_t places) {
  if (text.size() < 2 || text.size() > places + 1 || text[0] != '.') return std::nullopt;
  std::int64_t value = 0;
  for (std::size_t i = 1; i <= places; ++i) {
    const char c = i < text.size() ? text[i] : '0';
    if (!is_digit(c)) return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

bool is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

// Days since 1970-01-01 of a year from 1970 on.
std::int64_t days_before(int year, int month, int day) {
  constexpr int kBeforeMonth[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  const std::int64_t y = year - 1;         // whole years since year 0
  constexpr std::int64_t kEpoch = 719162;  // days from 0001-01-01 to 1970-01-01
  return y * 365 + y / 4 - y / 100 + y / 400 - kEpoch + kBeforeMonth[month - 1] +
         (month > 2 && is_leap(year) ? 1 : 0) + day - 1;
}

int days_of(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

}  // namespace

// A number of few digits is a whole number below 2^53 over a power of ten up to 10^22: both are
// doubles, and their quotient is rounded once (Clinger 1990). Anything else goes the long way.
bool take_decimal(std::string_view& text, double& value) {
  constexpr double kPowers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  constexpr std::ptrdiff_t kMostDigits = 15;
  const char* const end = text.data() + text.size();
  const char* const first = text.data() + (text.starts_with('-') ? 1 : 0);
  const char* at = first;
  std::uint64_t whole = 0;
  for (; at != end && is_digit(*at); ++at)
    whole = 10 * whole + static_cast<std::uint64_t>(*at - '0');
  std::ptrdiff_t num_digits = at - first, num_decimals = 0;
  if (at != end && *at == '.') {
    const char* const point = at++;
    for (; at != end && is_digit(*at); ++at)
      whole = 10 * whole + static_cast<std::uint64_t>(*at - '0');
    num_decimals = at - point - 1;
    num_digits += num_decimals;
  }
  if (num_digits > 0 && num_digits <= kMostDigits && (at == end || *at == ',')) {
    value = static_cast<double>(whole) / kPowers[num_decimals];
    if (first != text.data()) value = -value;
  } else {
    at = std::find(text.data(), end, ',');
    const auto slow = parsed<double>(text.substr(0, static_cast<std::size_t>(at - text.data())));
    if (!slow) return false;
    value = *slow;
  }
  text.remove_prefix(static_cast<std::size_t>(at - text.data()));
  return true;
}

std::optional<double> decimal(std::string_view text) {
  double value = 0;
  if (!take_decimal(text, value) || !text.empty()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> integer(std::string_view text) { return parsed<std::int64_t>(text); }

std::optional<std::int64_t> month_first_ns(std::string_view text) {
  constexpr std::string_view kShape = "dd-dd-dddd dd:dd:dd";
  if (text.size() < kShape.size()) return std::nullopt;
  for (std::size_t i = 0; i < kShape.size(); ++i)
    if (kShape[i] != 'd' && text[i] != kShape[i]) return std::nullopt;
  const int month = digits(text, 0, 2), day = digits(text, 3, 2), year = digits(text, 6, 4);
  const int hour = digits(text, 11, 2), minute = digits(text, 14, 2), second = digits(text, 17, 2);
  if (month < 1 || month > 12 || year < 1970 || year > 2261 || day < 1 ||
      day > days_of(year, month))
    return std::nullopt;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59)
    return std::nullopt;
  std::int64_t ns = 0;
  if (text.size() > kShape.size()) {
    const auto part = fraction(text.substr(kShape.size()), 9);
    if (!part) return std::nullopt;
    ns = *part;
  }
  return (days_before(year, month, day) * 86400 + hour * 3600 + minute * 60 + second) * kSecond +
         ns;
}

std::optional<std::int64_t> milliseconds_ns(std::string_view text) {
  constexpr std::int64_t kMillisecond = 1'000'000;
  constexpr std::int64_t kMost = std::int64_t{9'200'000'000'000};  // in the year 2261
  const std::size_t dot = text.find('.');
  const auto whole = integer(text.substr(0, dot));
  if (!whole || *whole < 0 || *whole > kMost) return std::nullopt;
  if (dot == std::string_view::npos) return *whole * kMillisecond;
  const auto part = fraction(text.substr(dot), 6);
  if (!part) return std::nullopt;
  return *whole * kMillisecond + *part;
}

}  // namespace greenline::mlperf
