#include "base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/error.hpp"

namespace greenline::base {

double percentile_of_sorted(std::span<const double> sorted, double share) {
  GL_CHECK_GT(sorted.size(), std::size_t{0});
  GL_CHECK_GE(share, 0.0);
  GL_CHECK_LE(share, 1.0);
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace greenline::base
