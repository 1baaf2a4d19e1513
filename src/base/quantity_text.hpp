// Quantities as text: parsing what a person types, printing for a person, and the fixed unit of
// files.
#pragma once

#include <string>
#include <string_view>

#include "base/quantity.hpp"

namespace greenline::base {

// Parses a number with a unit: "1.2 MWh", "-3e4 gCO2e/kWh", "90m", "1h30m", "2T" (dimensionless, SI
// suffix), "16 GiB", "500 lb/MWh", "400Gbit/s". SI and binary prefixes are told apart (GB is not
// GiB); gCO2, gCO2e and gCO2eq are the same unit. Units may be combined with '/' , '*' and '·'.
// Throws UserError "bad-quantity" on anything else, with the nearest known unit; refuses what is
// ambiguous ("flops" without "/s"), NaN, infinity and overflow.
AnyQuantity parse_quantity(std::string_view text);

// As parse_quantity, but the dimension must be `expected`; a bare number is refused unless
// `expected` is dimensionless (or the number is 0). `what` names the value in the message
// ("--load").
AnyQuantity parse_quantity(std::string_view text, Dimension expected, std::string_view what);

// Parses a unit alone, "gCO2e/kWh": base units per one of it, with its dimension.
AnyQuantity parse_unit(std::string_view text);

// For people: a prefix that keeps the number short and `digits` significant digits: "1.23 GWh",
// "54.2 days", "361 gCO2e/kWh". Dimensionless numbers get SI suffixes from a million up ("15 T").
std::string format_quantity(AnyQuantity q, int digits = 3);

// The one unit in which files hold this dimension, e.g. energy: {"kwh", "kWh", 3.6e6}.
// `suffix` is the key suffix without its leading underscore; empty when dimensionless.
struct FileUnit {
  std::string suffix;  // "kwh", "g_per_kwh", "bytes_per_s", "kgco2e_per_year"
  std::string symbol;  // "kWh"
  double factor = 1;   // base units per one
};
FileUnit file_unit(Dimension d);

// Joins a key with the suffix of its dimension: ("mean", power) -> "mean_w"; ("", g/kWh) ->
// "g_per_kwh".
std::string file_key(std::string_view key, Dimension d);

// The inverse: which dimension and factor a key's suffix means ("mean_w" -> 1 W); dimensionless,
// factor 1 when it has none.
AnyQuantity unit_of_key(std::string_view key);

// "energy/time" in words for messages: "power (W)".
std::string dimension_name(Dimension d);

// Shortest decimal text that reads back to the same double; "null" is never produced (throws on
// NaN).
std::string shortest(double x);

}  // namespace greenline::base
