#include "footprint/functional_unit.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"

namespace greenline::footprint {
namespace {

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

std::string singular(std::string_view noun) {
  std::string s(trimmed(noun));
  if (s.ends_with("ies")) return s.substr(0, s.size() - 3) + "y";
  if (s.size() > 1 && s.ends_with("s")) s.pop_back();
  return s;
}

bool is_noun(std::string_view s) {
  return !s.empty() && std::isalpha(static_cast<unsigned char>(s.front())) != 0;
}

[[noreturn]] void refuse(std::string_view what, std::string_view text, std::string_view expected) {
  throw base::UserError("bad-count",
                        fmt::format("{}: expected {}, got \"{}\"", what, expected, text),
                        "write the number without separators of thousands, then what is counted: "
                        "\"5e9 requests\", \"2T tokens\"");
}

}  // namespace

Counted parse_counted(std::string_view text, std::string_view what) {
  constexpr std::string_view kExpected = "a number and what is counted";
  const std::string_view all = trimmed(text);
  const std::size_t space = all.find(' ');
  if (space == std::string_view::npos || !is_noun(trimmed(all.substr(space))) ||
      all.find(',') != std::string_view::npos)
    refuse(what, text, kExpected);
  const std::string_view number = all.substr(0, space);
  const auto count = base::parse_quantity(number, base::kDimensionless, what).value;
  if (count <= 0) refuse(what, text, "a count above 0");
  return {count, singular(all.substr(space))};
}

EnergyPer parse_energy_per(std::string_view text, std::string_view what) {
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos || !is_noun(trimmed(text.substr(slash + 1))))
    refuse(what, text, "an energy for each of what is counted, as in \"0.28 J/request\"");
  const auto energy = base::parse_quantity(trimmed(text.substr(0, slash)), base::kEnergy, what);
  if (energy.value < 0) refuse(what, text, "an energy of at least 0");
  return {base::Energy::from_base(energy.value), singular(text.substr(slash + 1))};
}

void require_same_noun(std::string_view a, std::string_view what_a, std::string_view b,
                       std::string_view what_b) {
  if (a == b) return;
  throw base::UserError(
      "unit-mismatch",
      fmt::format("{} counts {}s and {} counts {}s; expected the same", what_a, a, what_b, b),
      "give both for the same thing; a sample has as many tokens as its source says");
}

}  // namespace greenline::footprint
