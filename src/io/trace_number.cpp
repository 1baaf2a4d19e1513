#include "io/trace_number.hpp"

#include <limits>

#include "io/trace_columns.hpp"

namespace greenline::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// digits × 10^exponent, with the sign apart.
struct Decimal {
  std::string_view whole, fraction;
  std::int64_t exponent = 0;
  bool negative = false;
};

std::string_view take_digits(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  const std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

std::optional<std::int64_t> take_exponent(std::string_view& text) {
  constexpr std::int64_t kFar = 100'000;  // any exponent beyond is as good as this one
  text.remove_prefix(1);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = take_digits(text);
  if (digits.empty()) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : digits) value = value < kFar ? 10 * value + (c - '0') : kFar;
  return negative ? -value : value;
}

std::optional<Decimal> decimal(std::string_view text) {
  Decimal d;
  d.negative = text.starts_with('-');
  if (d.negative) text.remove_prefix(1);
  d.whole = take_digits(text);
  if (d.whole.empty()) return std::nullopt;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    d.fraction = take_digits(text);
    if (d.fraction.empty()) return std::nullopt;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    const auto exponent = take_exponent(text);
    if (!exponent) return std::nullopt;
    d.exponent = *exponent;
  }
  if (!text.empty()) return std::nullopt;
  return d;
}

// The value × 10^shift as an integer of at most `most`, with what is cut off in `rest`: its first
// digit, and whether more follows that is not zero.
struct Scaled {
  std::uint64_t value = 0;
  int first_cut = 0;
  bool more_cut = false;
};

std::optional<Scaled> scaled(const Decimal& d, std::int64_t shift, std::uint64_t most) {
  Scaled s;
  // Digits that stand before the point after shifting.
  const std::int64_t kept = static_cast<std::int64_t>(d.whole.size()) + d.exponent + shift;
  const auto num_digits = static_cast<std::int64_t>(d.whole.size() + d.fraction.size());
  const auto digit = [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    return at < d.whole.size() ? d.whole[at] - '0' : d.fraction[at - d.whole.size()] - '0';
  };
  for (std::int64_t i = 0; i < num_digits; ++i) {
    const int value = digit(i);
    if (i < kept) {
      if (s.value > (most - static_cast<std::uint64_t>(value)) / 10) return std::nullopt;
      s.value = 10 * s.value + static_cast<std::uint64_t>(value);
    } else if (i == kept) {
      s.first_cut = value;
    } else {
      s.more_cut = s.more_cut || value != 0;
    }
  }
  for (std::int64_t i = num_digits; i < kept && s.value != 0; ++i) {
    if (s.value > most / 10) return std::nullopt;
    s.value *= 10;
  }
  return s;
}

// The shape of nearly every stamp, at the speed of its bytes: up to 16 digits, at most three
// decimals.
std::optional<std::int64_t> plain_nanoseconds(std::string_view text) {
  constexpr std::size_t kMostDigits = 16;
  std::uint64_t value = 0;  // at most 19 digits
  std::size_t i = 0;
  for (; i < text.size() && is_digit(text[i]); ++i)
    value = 10 * value + static_cast<std::uint64_t>(text[i] - '0');
  if (i == 0 || i > kMostDigits) return std::nullopt;
  unsigned decimals = 0;
  if (i < text.size() && text[i] == '.')
    for (++i; i < text.size() && is_digit(text[i]) && decimals < 3; ++i, ++decimals)
      value = 10 * value + static_cast<std::uint64_t>(text[i] - '0');
  if (i != text.size() || text.back() == '.') return std::nullopt;
  constexpr std::uint64_t kRest[] = {1000, 100, 10, 1};
  value *= kRest[decimals];
  if (value > static_cast<std::uint64_t>(kMaxTraceTime)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

}  // namespace

std::optional<std::int64_t> nanoseconds(std::string_view text) {
  constexpr std::size_t kPlain = 20;  // 16 digits, a point, 3 digits: no overflow
  if (text.size() <= kPlain)
    if (const auto plain = plain_nanoseconds(text)) return plain;
  const auto d = decimal(text);
  if (!d) return std::nullopt;
  const auto s = scaled(*d, 3, static_cast<std::uint64_t>(kMaxTraceTime));
  if (!s) return std::nullopt;
  // Halves go upwards: away from zero for what is positive, towards zero for what is negative.
  const bool up =
      d->negative ? s->first_cut > 5 || (s->first_cut == 5 && s->more_cut) : s->first_cut >= 5;
  const auto magnitude = static_cast<std::int64_t>(s->value) + (up ? 1 : 0);
  if (magnitude > kMaxTraceTime) return std::nullopt;
  return d->negative ? -magnitude : magnitude;
}

std::optional<std::int64_t> integer(std::string_view text) {
  constexpr std::size_t kPlain = 18;  // digits that cannot overflow
  std::int64_t value = 0;
  std::size_t i = 0;
  for (; i < text.size() && i < kPlain && is_digit(text[i]); ++i)
    value = 10 * value + (text[i] - '0');
  if (i == text.size() && i > 0) return value;
  const auto d = decimal(text);
  if (!d) return std::nullopt;
  const auto s =
      scaled(*d, 0, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
  if (!s || s->first_cut != 0 || s->more_cut) return std::nullopt;
  value = static_cast<std::int64_t>(s->value);
  return d->negative ? -value : value;
}

}  // namespace greenline::io
