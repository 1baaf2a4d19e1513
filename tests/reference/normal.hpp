// The normal quantile by bisection: slow and obvious.
#pragma once

#include <cmath>

namespace greenline::reference {

inline double normal_quantile(double p) {
  long double low = -40, high = 40;
  while (true) {
    const long double middle = (low + high) / 2;
    if (middle <= low || middle >= high) return static_cast<double>(middle);
    // Distances from the median near it, and each tail on its own: no digits cancel.
    const long double z = middle / std::sqrt(2.0L);
    const bool below = p < 0.25   ? std::erfc(-z) / 2 < p
                       : p < 0.75 ? std::erf(z) / 2 < p - 0.5L
                                  : std::erfc(z) / 2 > 1 - p;
    (below ? low : high) = middle;
  }
}

}  // namespace greenline::reference
