#include "solve/scale.hpp"

#include <algorithm>
#include <cmath>

namespace greenline::solve {
namespace {

double power_of_two(double x) { return std::exp2(std::round(std::log2(x))); }

// Means in logarithms: of what was added, 1 when there was nothing.
struct GeometricMean {
  double logs = 0;
  int terms = 0;
  void add(double x) {
    if (x == 0 || !std::isfinite(x)) return;
    logs += std::log2(std::abs(x));
    ++terms;
  }
  double value() const { return terms > 0 ? std::exp2(logs / terms) : 1.0; }
};

// sqrt(smallest · largest) of what was added.
struct Middle {
  double smallest = kInfinity, largest = 0;
  void add(double x) {
    smallest = std::min(smallest, x);
    largest = std::max(largest, x);
  }
  double factor() const { return largest > 0 ? 1 / std::sqrt(smallest * largest) : 1.0; }
};

// One round: each row, then each column, to a middle of 1.
void refine(const ColumnMatrix& a, Scaling& s) {
  std::vector<Middle> rows(s.row.size());
  for (std::size_t j = 0; j < s.column.size(); ++j)
    for (auto k = static_cast<std::size_t>(a.begin[j]);
         k < static_cast<std::size_t>(a.begin[j + 1]); ++k)
      rows[static_cast<std::size_t>(a.row[k])].add(std::abs(a.value[k]) * s.column[j]);
  for (std::size_t i = 0; i < rows.size(); ++i) s.row[i] = rows[i].factor();
  for (std::size_t j = 0; j < s.column.size(); ++j) {
    Middle column;
    for (auto k = static_cast<std::size_t>(a.begin[j]);
         k < static_cast<std::size_t>(a.begin[j + 1]); ++k)
      column.add(std::abs(a.value[k]) * s.row[static_cast<std::size_t>(a.row[k])]);
    s.column[j] = column.factor();
  }
}

void multiply(std::vector<double>& values, const std::vector<double>& factors, double factor) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= factors[i] * factor;
}

}  // namespace

Scaling geometric_scaling(const LinearProgram& lp, const ColumnMatrix& matrix) {
  Scaling s;
  s.row.assign(lp.row_lower.size(), 1);
  s.column.assign(lp.cost.size(), 1);
  constexpr int kRounds = 4;  // further ones change little
  for (int round = 0; round < kRounds; ++round) refine(matrix, s);
  for (double& x : s.row) x = power_of_two(x);
  for (double& x : s.column) x = power_of_two(x);
  GeometricMean costs, bounds;
  for (std::size_t j = 0; j < s.column.size(); ++j) {
    costs.add(lp.cost[j] * s.column[j]);
    bounds.add(lp.lower[j] / s.column[j]);
    if (lp.upper[j] != lp.lower[j]) bounds.add(lp.upper[j] / s.column[j]);
  }
  for (std::size_t i = 0; i < s.row.size(); ++i) {
    bounds.add(lp.row_lower[i] * s.row[i]);
    if (lp.row_upper[i] != lp.row_lower[i]) bounds.add(lp.row_upper[i] * s.row[i]);
  }
  s.objective = power_of_two(1 / costs.value());
  s.bounds = power_of_two(1 / bounds.value());
  return s;
}

LinearProgram scaled(const LinearProgram& lp, const Scaling& s) {
  LinearProgram out;
  out.cost = lp.cost;
  out.lower = lp.lower;
  out.upper = lp.upper;
  out.row_lower = lp.row_lower;
  out.row_upper = lp.row_upper;
  std::vector<double> inverse = s.column;
  for (double& x : inverse) x = 1 / x;
  multiply(out.cost, s.column, s.objective);
  multiply(out.lower, inverse, s.bounds);
  multiply(out.upper, inverse, s.bounds);
  multiply(out.row_lower, s.row, s.bounds);
  multiply(out.row_upper, s.row, s.bounds);
  return out;
}

ColumnMatrix scaled(ColumnMatrix a, const Scaling& s) {
  for (std::size_t j = 0; j < s.column.size(); ++j)
    for (auto k = static_cast<std::size_t>(a.begin[j]);
         k < static_cast<std::size_t>(a.begin[j + 1]); ++k)
      a.value[k] *= s.column[j] * s.row[static_cast<std::size_t>(a.row[k])];
  return a;
}

}  // namespace greenline::solve
