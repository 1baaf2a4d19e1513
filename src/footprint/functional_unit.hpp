// What a footprint is divided by: a count with its noun. A token is not a sample, so nouns are
// compared and never dropped.
#pragma once

#include <string>
#include <string_view>

#include "base/quantity.hpp"

namespace greenline::footprint {

struct Counted {
  double count = 0;
  std::string noun;  // singular: "token"
};
// "5e9 requests", "2T tokens". `what` names the input in messages. UserError "bad-count": no noun,
// no number, a thousands separator, a count that is not above 0.
Counted parse_counted(std::string_view text, std::string_view what);

struct EnergyPer {
  base::Energy energy;
  std::string noun;
};
// "0.28 J/request". UserError "bad-count" without a noun, "bad-quantity" for what is no energy.
EnergyPer parse_energy_per(std::string_view text, std::string_view what);

// UserError "unit-mismatch" unless both name the same thing.
void require_same_noun(std::string_view a, std::string_view what_a, std::string_view b,
                       std::string_view what_b);

}  // namespace greenline::footprint
