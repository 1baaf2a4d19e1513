// Points in time and evenly spaced series. Everything is UTC and interval-start: a value at `start`
// holds for [start, start + step).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"

namespace greenline::base {

// Nanoseconds since 1970-01-01T00:00:00Z, proleptic Gregorian, no leap seconds. Range 1677..2262.
struct Instant {
  std::int64_t ns = 0;
  constexpr auto operator<=>(const Instant&) const = default;
};

// Seconds and nanoseconds since 1970-01-01T00:00:00Z, exactly. UserError "bad-time" outside the
// range.
Instant instant_at(std::int64_t seconds, std::int64_t nanoseconds = 0);

// Rounded to the nearest nanosecond. UserError "bad-time" when the result leaves the range.
Instant operator+(Instant t, Time d);
Instant operator-(Instant t, Time d);
Time operator-(Instant later, Instant earlier);

// Parses ISO 8601 in UTC or with an offset: "2021-05-01T00Z", "2021-05-01 00:00:00+00:00",
// "20210501T00Z", "2021-05-01" (midnight). Without Z or offset the time is UTC only when
// `assume_utc`; otherwise UserError "bad-time". The text is read as integers; no double is
// involved. Digits below a nanosecond are refused.
Instant parse_instant(std::string_view text, bool assume_utc = true);

// "2021-05-01T00:00:00Z"; fractions of a second only when there are any.
std::string format_instant(Instant t);

// start + steps * step without the rounding of the product: a step of whole nanoseconds stays exact
// however long the series.
Instant advance(Instant start, Time step, std::size_t steps);

// Evenly spaced values of Q over [start, start + step * size).
template <class Q>
struct Series {
  Instant start;
  Time step;
  std::vector<Q> values;  // (num_steps)

  std::size_t size() const { return values.size(); }
  Instant time(std::size_t i) const { return advance(start, step, i); }
  Instant end() const { return time(values.size()); }
};

// Resampling to a whole multiple of the step that divides the series; UserError "bad-step"
// otherwise. Powers and intensities average, energies sum: two functions with two names, because
// taking the wrong one is off by the ratio of the steps.
template <class Q>
Series<Q> average_to(const Series<Q>& s, Time step);
template <class Q>
Series<Q> sum_to(const Series<Q>& s, Time step);

namespace detail {
// How many steps of `from` make one of `to`; throws UserError "bad-step" unless a whole number.
std::size_t whole_ratio(Time to, Time from, std::size_t size);
}  // namespace detail

template <class Q>
Series<Q> sum_to(const Series<Q>& s, Time step) {
  const std::size_t n = detail::whole_ratio(step, s.step, s.size());
  Series<Q> out{s.start, step, {}};
  out.values.reserve(s.size() / n);
  for (std::size_t i = 0; i < s.size(); i += n) {
    Q total{};
    for (std::size_t j = 0; j < n; ++j) total += s.values[i + j];
    out.values.push_back(total);
  }
  return out;
}

template <class Q>
Series<Q> average_to(const Series<Q>& s, Time step) {
  Series<Q> out = sum_to(s, step);
  const double n = static_cast<double>(s.size()) / static_cast<double>(out.size());
  for (Q& v : out.values) v /= n;
  return out;
}

}  // namespace greenline::base
