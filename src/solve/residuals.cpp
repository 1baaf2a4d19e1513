// The check of an answer: plain sums over the program as it was given.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "solve/scale.hpp"
#include "solve/solver.hpp"

namespace greenline::solve {
namespace {

double beyond(double x, double lower, double upper) {
  return std::max({0.0, lower - x, x - upper});
}

// What a price earns at the bound that it speaks of; a price of a bound that is not there earns
// nothing and is wrong by its size.
struct Priced {
  double earned = 0, wrong = 0;
};
Priced priced(double price, double lower, double upper) {
  const double bound = price > 0 ? lower : upper;
  if (price == 0) return {};
  return std::isfinite(bound) ? Priced{price * bound, 0} : Priced{0, std::abs(price)};
}

void raise(double& most, double x) { most = std::max(most, x); }

}  // namespace

bool Residuals::small() const {
  // Written so that NaN is not small.
  return primal_relative <= kTolerance && dual_relative <= kTolerance && gap_relative <= kTolerance;
}

Residuals residuals(const LinearProgram& lp, std::span<const double> x, std::span<const double> y) {
  GL_CHECK_EQ(x.size(), lp.cost.size());
  GL_CHECK_EQ(y.size(), lp.row_lower.size());
  const ColumnMatrix a = by_columns(lp);
  const Scaling s = geometric_scaling(lp, a);
  Residuals out;
  std::vector<double> activity(y.size()), largest(y.size());
  double primal = lp.offset, dual = lp.offset, largest_cost = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    double reduced = lp.cost[j], largest_price = std::abs(lp.cost[j]);
    for (auto k = static_cast<std::size_t>(a.begin[j]);
         k < static_cast<std::size_t>(a.begin[j + 1]); ++k) {
      const auto i = static_cast<std::size_t>(a.row[k]);
      activity[i] += a.value[k] * x[j];
      raise(largest[i], std::abs(a.value[k] * x[j]));
      reduced -= a.value[k] * y[i];
      raise(largest_price, std::abs(a.value[k] * y[i]));
    }
    primal += lp.cost[j] * x[j];
    raise(largest_cost, std::abs(lp.cost[j] * x[j]));
    const double exceeded = beyond(x[j], lp.lower[j], lp.upper[j]);
    raise(out.primal, exceeded);
    raise(out.primal_relative, exceeded / (std::abs(x[j]) + s.column[j] / s.bounds));
    const Priced price = priced(reduced, lp.lower[j], lp.upper[j]);
    dual += price.earned;
    raise(out.dual, price.wrong);
    raise(out.dual_relative, price.wrong / (largest_price + 1 / (s.column[j] * s.objective)));
    if (!std::isfinite(x[j])) out.primal = out.primal_relative = kInfinity;
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double exceeded = beyond(activity[i], lp.row_lower[i], lp.row_upper[i]);
    raise(out.primal, exceeded);
    raise(out.primal_relative, exceeded / (largest[i] + 1 / (s.row[i] * s.bounds)));
    const Priced price = priced(y[i], lp.row_lower[i], lp.row_upper[i]);
    dual += price.earned;
    raise(out.dual, price.wrong);
    raise(out.dual_relative, price.wrong / (std::abs(y[i]) + s.row[i] / s.objective));
    if (!std::isfinite(y[i])) out.dual = out.dual_relative = kInfinity;
  }
  out.gap = primal - dual;
  out.gap_relative =
      std::abs(out.gap) /
      (std::max({std::abs(primal), std::abs(dual), largest_cost}) + 1 / (s.objective * s.bounds));
  return out;
}

}  // namespace greenline::solve
