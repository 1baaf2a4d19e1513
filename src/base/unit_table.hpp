// The units that text may use. Internal to the text forms of base/quantity_text.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"

namespace greenline::base::detail {

// A unit word with its prefix ("MWh", "GiB", "kgCO2e"): base units per one of it. Nothing when
// unknown.
std::optional<AnyQuantity> find_unit(std::string_view word);

// The factor of a prefix that may stand after a plain number: k M G T P E. Nothing for anything
// else.
std::optional<double> count_prefix(std::string_view word);

// Spellings worth suggesting: every unit, with the prefixes people use with it.
std::vector<std::string> unit_spellings();

}  // namespace greenline::base::detail
