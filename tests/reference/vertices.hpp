// The best vertex of a small bounded linear program, by looking at every one: each choice of as
// many limits as there are columns, taken as equations. Slow and obvious.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "solve/linear_program.hpp"

namespace greenline::reference {

using Row = std::vector<double>;

// Gauss with the largest pivot; nothing when the rows do not fix one point.
inline std::optional<Row> solved(std::vector<Row> a, Row b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    if (std::abs(a[pivot][k]) < 1e-9) return std::nullopt;
    std::swap(a[k], a[pivot]), std::swap(b[k], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double f = a[i][k] / a[k][k];
      for (std::size_t j = 0; j < n; ++j) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = 0; k < n; ++k) b[k] /= a[k][k];
  return b;
}

// The least cost, or nothing when the program is infeasible. All columns need finite bounds.
inline std::optional<double> best_vertex(const solve::LinearProgram& lp) {
  const auto n = lp.cost.size();
  std::vector<Row> normals;
  Row lower = lp.lower, upper = lp.upper;
  for (std::size_t j = 0; j < n; ++j) {
    normals.emplace_back(n, 0.0);
    normals.back()[j] = 1;
  }
  for (std::size_t i = 0; i < lp.row_lower.size(); ++i) normals.emplace_back(n, 0.0);
  for (const auto& e : lp.entries)
    normals[n + static_cast<std::size_t>(e.row)][static_cast<std::size_t>(e.column)] += e.value;
  lower.insert(lower.end(), lp.row_lower.begin(), lp.row_lower.end());
  upper.insert(upper.end(), lp.row_upper.begin(), lp.row_upper.end());

  struct Limit {
    std::size_t normal;
    double bound;
  };
  std::vector<Limit> limits;
  for (std::size_t i = 0; i < normals.size(); ++i) {
    if (std::isfinite(lower[i])) limits.push_back({i, lower[i]});
    if (std::isfinite(upper[i])) limits.push_back({i, upper[i]});
  }
  const auto feasible = [&](const Row& x) {
    for (std::size_t i = 0; i < normals.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += normals[i][j] * x[j];
      if (sum < lower[i] - 1e-7 || sum > upper[i] + 1e-7) return false;
    }
    return true;
  };
  std::optional<double> best;
  std::vector<bool> chosen(limits.size(), false);
  std::fill_n(chosen.begin(), n, true);
  do {
    std::vector<Row> a;
    Row b;
    for (std::size_t i = 0; i < limits.size(); ++i)
      if (chosen[i]) a.push_back(normals[limits[i].normal]), b.push_back(limits[i].bound);
    const std::optional<Row> x = solved(std::move(a), std::move(b));
    if (!x || !feasible(*x)) continue;
    double cost = lp.offset;
    for (std::size_t j = 0; j < n; ++j) cost += lp.cost[j] * (*x)[j];
    if (!best || cost < *best) best = cost;
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return best;
}

}  // namespace greenline::reference
