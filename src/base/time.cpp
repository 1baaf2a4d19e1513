#include "base/time.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/calendar.hpp"
#include "base/error.hpp"
#include "base/quantity_text.hpp"

namespace greenline::base {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

[[noreturn]] void out_of_range() {
  throw UserError("bad-time",
                  "a time outside 1677-09-21..2262-04-11, which 64-bit nanoseconds hold",
                  "check the year and the length of the run");
}

__extension__ using Wide = __int128;  // intermediate results may leave the range that the sum is in

Instant checked(Wide ns) {
  if (ns < std::numeric_limits<std::int64_t>::min() ||
      ns > std::numeric_limits<std::int64_t>::max()) {
    out_of_range();
  }
  return {static_cast<std::int64_t>(ns)};
}

Instant shifted(Instant t, std::int64_t seconds, std::int64_t ns) {
  return checked(Wide{t.ns} + Wide{seconds} * kNsPerSecond + ns);
}

// A double holds seconds to a nanosecond only for 104 days; whole seconds and the rest go apart.
Instant shifted(Instant t, double seconds) {
  if (!(std::abs(seconds) < 1e11)) out_of_range();
  const double whole = std::floor(seconds);
  return shifted(t, static_cast<std::int64_t>(whole), std::llround((seconds - whole) * 1e9));
}

// Reads a time from left to right; every step says whether it found what it looked for.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  bool at_digit() const { return !done() && rest_[0] >= '0' && rest_[0] <= '9'; }

  bool take(char c) {
    if (done() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  // Exactly `width` digits.
  std::optional<int> number(std::size_t width) {
    if (rest_.size() < width) return std::nullopt;
    int value = 0;
    for (std::size_t i = 0; i < width; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') return std::nullopt;
      value = 10 * value + (rest_[i] - '0');
    }
    rest_.remove_prefix(width);
    return value;
  }

  void skip_spaces() {
    while (take(' ')) {
    }
  }

 private:
  std::string_view rest_;
};

class InstantReader {
 public:
  InstantReader(std::string_view text, bool assume_utc)
      : text_(text), cursor_(text), assume_utc_(assume_utc) {}

  Instant read() {
    date();
    if (cursor_.take('T') || cursor_.take('t')) {
      clock();
    } else if (!cursor_.done()) {
      cursor_.skip_spaces();
      if (cursor_.at_digit()) clock();
    }
    cursor_.skip_spaces();
    offset();
    if (!cursor_.done()) fail("unexpected text after the time");
    return instant_at(days_ * 86400 + seconds_ - offset_seconds_, nanoseconds_);
  }

 private:
  [[noreturn]] void fail(std::string_view why) const {
    throw UserError("bad-time", fmt::format("bad time {}: {}", quoted(text_), why),
                    "write it like 2021-05-01T00:00:00Z");
  }

  int number(std::size_t width, int most, const char* name) {
    const std::optional<int> value = cursor_.number(width);
    if (!value) fail(fmt::format("expected {} digits for the {}", width, name));
    if (*value > most) fail(fmt::format("{} {} is above {}", name, *value, most));
    return *value;
  }

  void date() {
    const int year = number(4, 9999, "year");
    const bool dashed = cursor_.take('-');
    const int month = number(2, 12, "month");
    if (cursor_.take('-') != dashed) fail("dashes in only half of the date");
    const int day = number(2, 31, "day");
    const std::chrono::year_month_day date{std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok()) fail("this day does not exist");
    days_ = std::chrono::sys_days(date).time_since_epoch().count();
  }

  void clock() {
    seconds_ = 3600 * number(2, 23, "hour");
    const bool colons = cursor_.take(':');
    if (!colons && !cursor_.at_digit()) return;
    seconds_ += 60 * number(2, 59, "minute");
    if (colons ? !cursor_.take(':') : !cursor_.at_digit()) return;
    seconds_ += number(2, 59, "second");
    if (cursor_.take('.') || cursor_.take(',')) fraction();
  }

  void fraction() {
    std::int64_t unit = kNsPerSecond;
    while (cursor_.at_digit()) {
      const int digit = *cursor_.number(1);
      if (unit == 1) fail("digits below a nanosecond");
      unit /= 10;
      nanoseconds_ += digit * unit;
    }
    if (unit == kNsPerSecond) fail("no digits after the decimal mark");
  }

  void offset() {
    if (cursor_.take('Z') || cursor_.take('z') || cursor_.take("UTC")) return;
    const bool west = cursor_.take('-');
    if (!west && !cursor_.take('+')) {
      if (!assume_utc_ && cursor_.done()) fail("no zone: add Z or an offset such as -05:00");
      return;
    }
    int seconds = 3600 * number(2, 23, "hours of the offset");
    if (cursor_.take(':') || cursor_.at_digit())
      seconds += 60 * number(2, 59, "minutes of the offset");
    offset_seconds_ = west ? -seconds : seconds;
  }

  std::string_view text_;
  Cursor cursor_;
  bool assume_utc_;
  std::int64_t days_ = 0, seconds_ = 0, offset_seconds_ = 0, nanoseconds_ = 0;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

}  // namespace

Instant instant_at(std::int64_t seconds, std::int64_t nanoseconds) {
  return shifted(Instant{}, seconds, nanoseconds);
}

Instant operator+(Instant t, Time d) { return shifted(t, d.in(units::s)); }
Instant operator-(Instant t, Time d) { return shifted(t, -d.in(units::s)); }

Time operator-(Instant later, Instant earlier) {
  // Unsigned, because the difference of two instants can be twice the range of one.
  const bool negative = later < earlier;
  const auto a = static_cast<std::uint64_t>(later.ns), b = static_cast<std::uint64_t>(earlier.ns);
  const std::uint64_t ns = negative ? b - a : a - b;
  const std::uint64_t whole = ns / kNsPerSecond;
  const double seconds = static_cast<double>(whole) + static_cast<double>(ns % kNsPerSecond) * 1e-9;
  return (negative ? -seconds : seconds) * units::s;
}

Instant advance(Instant start, Time step, std::size_t steps) {
  const double ns = step.in(units::s)*1e9;
  const double rounded = std::round(ns);
  // A step that is decimal in seconds, such as 0.001 s, is a whole number of nanoseconds up to
  // rounding.
  const bool whole = std::abs(ns - rounded) <= 1e-12 * std::abs(ns) && std::abs(ns) < 0x1p53;
  if (!whole) return start + static_cast<double>(steps) * step;
  return checked(Wide{start.ns} + Wide{static_cast<std::int64_t>(rounded)} * Wide{steps});
}

Instant parse_instant(std::string_view text, bool assume_utc) {
  return InstantReader(trimmed(text), assume_utc).read();
}

std::string format_instant(Instant t) {
  const CivilTime c = civil_utc(t);
  std::string out = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", c.year, c.month, c.day,
                                c.hour, c.minute, c.second);
  if (c.nanosecond != 0) {
    out += fmt::format(".{:09}", c.nanosecond);
    out.erase(out.find_last_not_of('0') + 1);
  }
  return out + "Z";
}

namespace detail {

std::size_t whole_ratio(Time to, Time from, std::size_t size) {
  const auto refuse = [&](const std::string& why) {
    throw UserError("bad-step",
                    fmt::format("cannot resample steps of {} to {}: {}", format_quantity(from),
                                format_quantity(to), why),
                    "choose a whole multiple of the step that divides the length");
  };
  const double ratio = to / from;
  const double whole = std::round(ratio);
  // Steps are decimal fractions of a second at best, so their ratio is whole up to a few roundings.
  if (!(whole >= 1 && whole < 0x1p53 && std::abs(ratio - whole) <= 1e-9 * whole)) {
    refuse("not a whole multiple");
  }
  const auto n = static_cast<std::size_t>(whole);
  if (size % n != 0) refuse(fmt::format("{} steps are not a multiple of {}", size, n));
  return n;
}

}  // namespace detail
}  // namespace greenline::base
