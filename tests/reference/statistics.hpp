// Order statistics by counting: quadratic and obvious.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace greenline::reference {

// How many are smaller, and half of the other ties.
inline std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> out;
  for (const double x : values) {
    double rank = -0.5;
    for (const double y : values) rank += y < x ? 1 : y == x ? 0.5 : 0;
    out.push_back(rank);
  }
  return out;
}

// Pearson's correlation of the ranks, squared; 0 without spread.
inline double rank_correlation_squared(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = ranks(a), y = ranks(b);
  const auto n = static_cast<double>(x.size());
  double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    syy += y[i] * y[i];
    sxy += x[i] * y[i];
  }
  const double vx = sxx - sx * sx / n, vy = syy - sy * sy / n, c = sxy - sx * sy / n;
  return vx == 0 || vy == 0 ? 0 : c * c / (vx * vy);
}

// The value at place share * (n - 1) of the sorted list, on the line between its neighbours.
inline double percentile(const std::vector<double>& values, double share) {
  const auto at_rank = [&](std::size_t rank) {
    for (const double x : values) {
      std::size_t smaller = 0, equal = 0;
      for (const double y : values) {
        smaller += y < x;
        equal += y == x;
      }
      if (smaller <= rank && rank < smaller + equal) return x;
    }
    return std::nan("");
  };
  const double place = share * static_cast<double>(values.size() - 1);
  const double below = std::floor(place), above = std::ceil(place);
  const double a = at_rank(static_cast<std::size_t>(below));
  const double b = at_rank(static_cast<std::size_t>(above));
  return a + (place - below) * (b - a);
}

}  // namespace greenline::reference
