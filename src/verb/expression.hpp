// The small language of `--fail-if` and of derivations.
//
//   operational.location_kgco2e > 1000 t and duration_s < 60 days
//   nodes × node_power × pue × duration
//   sum(hours.energy_kwh × hours.g_per_kwh)
//
// Numbers may carry a unit ("1.2 MWh", "3 tCO2e"), which follows the number; a compound unit has no
// spaces ("361 gCO2e/kWh"). The number 0 needs no unit. Names are result paths, whose unit is their
// key's suffix; a path through a table is its column, and "hours.0.energy_kwh" one cell. Text
// stands in quotes and can be compared by == and != only. Columns combine row by row with columns
// of the same length and with numbers.
//
// Operators, loosest first:
//   or
//   and
//   < <= > >= == !=   also ≤ ≥ ≠; comparisons do not chain
//   + -               also −
//   * /               also × · ÷
//   unary -
//   ^                 with a whole number
// Functions: sum, mean, min, max, count of a column; min and max also of several values; abs, sqrt,
// exp, ln.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"
#include "io/value.hpp"

namespace greenline::verb {

// A number or a column of numbers, in base units, or a text. Truth is a dimensionless 1 or 0.
struct ExpressionValue {
  std::vector<double> values;
  base::Dimension dimension;
  bool is_column = false;
  std::optional<std::string> text;
  // Why a column can only be counted: its rows are tables, texts or, one of them, n/a. Empty for
  // numbers.
  std::string why_only_counted;

  static ExpressionValue number(double base_value, base::Dimension dimension) {
    return {{base_value}, dimension, false, std::nullopt, ""};
  }
};

// The value of a name; throws UserError "unknown-path" with the nearest.
using Lookup = std::function<ExpressionValue(std::string_view name)>;

// UserError "bad-expression" with the column and what was expected; "unit-mismatch" when dimensions
// disagree.
ExpressionValue evaluate(std::string_view expression, const Lookup& lookup);

// As evaluate, but the outcome must be one truth: a number without unit or a column is refused.
bool evaluate_truth(std::string_view expression, const Lookup& lookup);

// Names of an expression in order of first use.
std::vector<std::string> names_in(std::string_view expression);

// Looks names up in the `result` object of a document, which must outlive the lookup: the unit is
// the suffix of the last key.
Lookup lookup_in(const io::Value& result);

}  // namespace greenline::verb
