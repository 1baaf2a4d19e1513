// Text to quantities. The grammar, after spaces are trimmed:
//
//   quantity  = number [unit] | duration
//   number    = ["+" | "-"] decimal, as "12", "1.5", ".5", "3e-4"
//   duration  = number time-unit number time-unit ..., units falling: "1h30m"
//   unit      = [count-prefix] ["/"] term {("/" | "*" | "·") term}
//   term      = word ["^" digit]; "kg CO2e" is one word
//
// A count prefix (k M G T P E) stands alone or before a counting word: "2T", "15 T tokens".
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "base/unit_table.hpp"

namespace greenline::base {
namespace {

constexpr std::size_t kLongestText = 200;
constexpr int kMostTerms = 8;  // keeps every exponent of a dimension within its 8 bits

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// One spelling for what keyboards and word processors write in several ways.
std::string normalised(std::string_view text) {
  std::string out(text);
  replace_all(out, "\u2082", "2");  // subscript two of CO2
  replace_all(out, "\u00b2", "2");  // square
  replace_all(out, "\u00b7", "*");  // middle dot
  replace_all(out, "\u22c5", "*");  // dot operator
  replace_all(out, "\u00a0", " ");  // no-break space
  replace_all(out, "\u202f", " ");  // narrow no-break space
  replace_all(out, "\u2212", "-");  // minus sign
  return out;
}

// Reads one text; knows the whole of it for messages.
class Reader {
 public:
  explicit Reader(std::string_view text) : original_(text) {
    if (text.size() > kLongestText) {
      fail(fmt::format("longer than {} bytes", kLongestText), "write a number and a unit");
    }
    text_ = normalised(text);
    rest_ = text_;
    skip_spaces();
    while (!rest_.empty() && is_space(rest_.back())) rest_.remove_suffix(1);
  }

  AnyQuantity quantity() {
    after_number_ = true;
    const double first = number();
    skip_spaces();
    if (rest_.empty()) return {first};
    if (starts_duration()) return duration(first);
    return scaled(first, unit());
  }

  AnyQuantity unit_alone() {
    if (rest_.empty() || rest_ == "1") return {1.0};
    return checked(unit());
  }

  [[noreturn]] void fail(std::string_view why, std::string hint) const {
    throw UserError("bad-quantity", fmt::format("bad quantity {}: {}", quoted(original_), why),
                    std::move(hint));
  }

 private:
  void skip_spaces() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
  }

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  double number() {
    constexpr const char* kForm = "write a number and a unit, like 1.2 MWh or 90 s";
    if (rest_.empty()) fail("empty", kForm);
    const bool negative = take('-');
    if (!negative) take('+');
    const bool starts = !rest_.empty() && (is_digit(rest_[0]) || rest_[0] == '.');
    if (!starts) {
      if (rest_.starts_with('$')) fail("the unit stands before the number", "write 2 USD or 2 $/h");
      fail("it does not start with a finite number", kForm);
    }
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error == std::errc::result_out_of_range) {
      fail("the number is out of the range of a double", "use a larger or smaller unit");
    }
    if (error != std::errc()) fail("it does not start with a finite number", kForm);
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (!rest_.empty() && (rest_[0] == ',' || rest_[0] == '_' || rest_[0] == '\'')) {
      fail("separators inside a number are ambiguous",
           "write 1000 without them, or 1.5 with a point");
    }
    return negative ? -value : value;
  }

  // A unit of time and then a number, as in "1h30m" or "1 d 12 h"; "m2" is an area.
  bool starts_duration() const {
    std::size_t letters = 0, end = 0;
    while (letters < rest_.size() && is_letter(rest_[letters])) ++letters;
    if (!time_word(rest_.substr(0, letters))) return false;
    for (end = letters; end < rest_.size() && is_digit(rest_[end]);) ++end;
    if (detail::find_unit(rest_.substr(0, end)) && end > letters) return false;
    for (end = letters; end < rest_.size() && is_space(rest_[end]);) ++end;
    return end < rest_.size() && is_digit(rest_[end]);
  }

  // The seconds of a time unit of a duration. "m" is a minute here, as in "1h30m".
  static std::optional<double> time_word(std::string_view word) {
    if (word == "m") return 60.0;
    const auto unit = detail::find_unit(word);
    if (!unit || unit->dimension != kTime) return std::nullopt;
    return unit->value;
  }

  AnyQuantity duration(double first) {
    double amount = std::abs(first), total = 0, last = HUGE_VAL;
    while (true) {
      std::size_t letters = 0;
      while (letters < rest_.size() && is_letter(rest_[letters])) ++letters;
      const std::string_view name = rest_.substr(0, letters);
      rest_.remove_prefix(letters);
      if (name.empty()) fail("a number without its unit of time", "write it like 1h30m");
      const auto seconds = time_word(name);
      if (!seconds)
        fail(fmt::format("{} is not a unit of time", quoted(name)), "write it like 1h30m");
      if (!(*seconds < last)) fail("the units of a duration must fall", "write it like 1h30m");
      last = *seconds;
      total += amount * *seconds;
      skip_spaces();
      if (rest_.empty()) break;
      if (!is_digit(rest_[0])) fail("a unit without its number", "write it like 1h30m");
      amount = number();
      skip_spaces();
    }
    return scaled(std::signbit(first) ? -1.0 : 1.0, {total, kTime});
  }

  // Letters and what else a unit word may hold, with the digits that belong to it (m2, CO2e).
  std::string_view word() {
    std::size_t end = 0;
    while (end < rest_.size()) {
      const char c = rest_[end];
      const bool inside = is_letter(c) || c == '$' || c == '%' || (c & 0x80) != 0 ||
                          (is_digit(c) && (end > 0 || rest_.starts_with("1/")));
      if (!inside) break;
      ++end;
    }
    // A hyphen belongs to a word only in "CO2-eq".
    if (rest_.substr(end).starts_with("-eq")) end += 3;
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return found;
  }

  AnyQuantity unit() {
    AnyQuantity product = take('/') ? inverse(term()) : first_term();
    for (int terms = 1;; ++terms) {
      skip_spaces();
      if (rest_.empty()) return product;
      const bool divide = take('/');
      if (!divide && !take('*')) fail_rest();
      if (terms == kMostTerms) fail("too many units", "combine at most 8");
      product = times(product, divide ? inverse(term()) : term());
    }
  }

  [[noreturn]] void fail_rest() const {
    fail(fmt::format("unexpected {}", quoted(rest_)), "combine units with / or *, like gCO2e/kWh");
  }

  static AnyQuantity inverse(AnyQuantity q) { return {1 / q.value, -q.dimension}; }
  static AnyQuantity times(AnyQuantity a, AnyQuantity b) {
    return {a.value * b.value, a.dimension + b.dimension};
  }

  // The first term may be a count prefix, or a lone "m".
  AnyQuantity first_term() {
    const std::string_view before = rest_;
    const std::string_view name = word();
    if (const auto factor = detail::count_prefix(name)) {
      skip_spaces();
      if (rest_.empty()) return {*factor};
      if (rest_[0] == '/') return {*factor};
      const AnyQuantity counted = term();
      if (counted.dimension == kDimensionless) return {*factor * counted.value};
      rest_ = before;
      fail("a prefix apart from its unit", "write them together, like 2 TB");
    }
    if (name == "m" && rest_.empty() && after_number_) return {60.0, kTime};
    rest_ = before;
    return term();
  }

  AnyQuantity term() {
    skip_spaces();
    std::string name(word());
    if (name.empty()) {
      if (rest_.empty()) fail("a unit is missing at the end", "write it like gCO2e/kWh");
      fail_rest();
    }
    if (joins_co2()) {
      skip_spaces();
      name += word();
    }
    require_clear(name);
    if (is_flops(name)) name.replace(name.size() - 5, 5, "FLOP");
    const auto unit = detail::find_unit(name);
    if (!unit) fail_unknown(name);
    if (!take('^')) return *unit;
    if (rest_.empty() || !is_digit(rest_[0])) fail("^ needs a digit", "write it like s^2");
    AnyQuantity power{1.0};
    for (int i = rest_[0] - '0'; i > 0; --i) power = times(power, *unit);
    rest_.remove_prefix(1);
    if (!rest_.empty() && is_digit(rest_[0])) fail("an exponent above 9", "write it like s^2");
    return power;
  }

  // Whether the next word is a CO2 that belongs to the mass before it: "500 kg CO2e".
  bool joins_co2() const {
    std::size_t at = 0;
    while (at < rest_.size() && is_space(rest_[at])) ++at;
    return at > 0 && (rest_.substr(at).starts_with("CO2") || rest_.substr(at).starts_with("co2"));
  }

  // Upper or lower case throughout, "s" included: FLOPs is a plural, FLOPS may be a rate.
  static bool is_flops(std::string_view name) {
    return name.ends_with("FLOPS") || name.ends_with("flops") || name.ends_with("Flops");
  }

  // Refuses what people mean in two ways.
  void require_clear(std::string_view name) const {
    if (is_flops(name) && !rest_.starts_with('/')) {
      fail("flops may be an amount or a rate", "write FLOP for an amount, FLOP/s for a rate");
    }
    if (name == "m") fail("m is a minute only alone or in 1h30m", "write min, or m2 for an area");
    if (name == "ton" || name == "tons") {
      fail("a ton may be 1000 kg or 2000 lb", "write t for 1000 kg");
    }
    if (name == "KB" || name == "Kb" || name == "KW" || name == "KWh" || name == "K") {
      fail("K is not a prefix", "write k for 1000, Ki for 1024 (KiB)");
    }
  }

  [[noreturn]] void fail_unknown(std::string_view name) const {
    const std::vector<std::string> near = nearest(name, detail::unit_spellings());
    std::string why = fmt::format("unknown unit {}", quoted(name));
    if (!near.empty()) why += fmt::format("; nearest: {}", fmt::join(near, ", "));
    fail(why, "units are case-sensitive: MWh, mWh and GiB, GB all differ");
  }

  AnyQuantity checked(AnyQuantity q) const {
    const Dimension d = q.dimension;
    for (const int exponent : {d.time, d.energy, d.carbon, d.data, d.work, d.money, d.area}) {
      if (std::abs(exponent) > 9) fail("an exponent above 9", "write it like s^2");
    }
    if (std::isfinite(q.value) && q.value != 0) return q;
    fail("out of the range of a double", "use a larger or smaller unit");
  }

  AnyQuantity scaled(double k, AnyQuantity unit) const {
    const AnyQuantity q{k * unit.value, unit.dimension};
    if (k != 0) return checked(q);
    return {q.value, checked(unit).dimension};
  }

  std::string_view original_;
  std::string text_;
  std::string_view rest_;
  bool after_number_ = false;
};

// A hint for a value of the wrong dimension.
std::string mend(AnyQuantity got, Dimension expected, std::string_view text) {
  if (expected == kDimensionless && got.dimension == kData) {
    return "B is bytes; for 1e9 write 15G or 15e9";
  }
  if (got.dimension == kDimensionless) {
    return fmt::format("add a unit: {} {}", text, file_unit(expected).symbol);
  }
  return "";
}

}  // namespace

AnyQuantity parse_quantity(std::string_view text) { return Reader(text).quantity(); }

AnyQuantity parse_quantity(std::string_view text, Dimension expected, std::string_view what) {
  AnyQuantity got;
  try {
    got = parse_quantity(text);
  } catch (const UserError& error) {
    throw UserError(error.code(), fmt::format("{}: {}", what, error.message()), error.hint());
  }
  if (got.dimension == expected) return got;
  if (got.dimension == kDimensionless && got.value == 0) return {0, expected};
  throw UserError(
      "bad-quantity",
      fmt::format("{}: expected {}, got {}, which is {}", what, dimension_name(expected),
                  quoted(text), dimension_name(got.dimension)),
      mend(got, expected, text));
}

AnyQuantity parse_unit(std::string_view text) { return Reader(text).unit_alone(); }

}  // namespace greenline::base
