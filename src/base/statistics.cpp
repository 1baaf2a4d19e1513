#include "base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "base/error.hpp"

namespace greenline::base {
namespace {

// 0 for the smallest; equal values share the mean of their places.
std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  std::vector<double> out(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i)
      out[order[i]] = static_cast<double>(begin + end - 1) / 2;
    begin = end;
  }
  return out;
}

}  // namespace

double spearman(std::span<const double> a, std::span<const double> b) {
  GL_CHECK_EQ(a.size(), b.size());
  const std::vector<double> x = ranks(a), y = ranks(b);
  const double mean = (static_cast<double>(a.size()) - 1) / 2;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
    xy += (x[i] - mean) * (y[i] - mean);
  }
  if (xx == 0 || yy == 0) return std::numeric_limits<double>::quiet_NaN();
  return xy / std::sqrt(xx * yy);
}

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
