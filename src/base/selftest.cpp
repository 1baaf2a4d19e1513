#include "base/selftest.hpp"

#include <cmath>

namespace greenline::base {

bool CheckRow::pass() const {
  const double allowed = floor + (relative ? tolerance * std::abs(expected) : tolerance);
  return std::abs(got - expected) <= allowed;  // false for NaN
}

}  // namespace greenline::base
