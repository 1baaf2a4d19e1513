// CLP of COIN-OR. Its C++ interface and not the C one: only an event handler can stop a running
// simplex.
#include <algorithm>
#include <limits>

#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>
#include <coin/ClpSolve.hpp>
#include <fmt/format.h>

#include "base/error.hpp"
#include "solve/solver.hpp"

namespace greenline::solve {
namespace {

class Watch : public ClpEventHandler {
 public:
  explicit Watch(base::Progress& progress) : progress_(progress) {}
  ClpEventHandler* clone() const override { return new Watch(*this); }
  int event(Event which) override {
    constexpr int kStop = 0, kGoOn = -1;
    constexpr int kEvery = 64;  // iterations between two looks: well below a tenth of a second
    if (which != endOfIteration || ++iterations_ % kEvery != 0) return kGoOn;
    progress_.advance(kEvery);
    return progress_.cancelled() ? kStop : kGoOn;
  }

 private:
  base::Progress& progress_;
  int iterations_ = 0;
};

// CLP's own infinity.
std::vector<double> bounds(const std::vector<double>& values) {
  constexpr double kMost = std::numeric_limits<double>::max();
  std::vector<double> out = values;
  for (double& x : out) x = std::clamp(x, -kMost, kMost);
  return out;
}

constexpr Place place(ClpSimplex::Status status, double lower, double upper) {
  switch (status) {
    case ClpSimplex::basic:
      return Place::basic;
    case ClpSimplex::atUpperBound:
      return Place::at_upper;
    case ClpSimplex::atLowerBound:
    case ClpSimplex::isFixed:
      return Place::at_lower;
    case ClpSimplex::isFree:
    case ClpSimplex::superBasic:
      break;
  }
  // Between its bounds and not basic: as if free, unless a bound is there to go to.
  if (lower > -kInfinity) return Place::at_lower;
  return upper < kInfinity ? Place::at_upper : Place::free;
}

constexpr ClpSimplex::Status status(Place p) {
  switch (p) {
    case Place::basic:
      return ClpSimplex::basic;
    case Place::at_upper:
      return ClpSimplex::atUpperBound;
    case Place::at_lower:
      return ClpSimplex::atLowerBound;
    case Place::free:
      break;
  }
  return ClpSimplex::isFree;
}

Basis basis_of(const ClpSimplex& model, const LinearProgram& lp) {
  Basis out;
  out.columns.reserve(lp.cost.size());
  out.rows.reserve(lp.row_lower.size());
  for (int j = 0; j < lp.num_columns(); ++j)
    out.columns.push_back(place(model.getColumnStatus(j), lp.lower[static_cast<std::size_t>(j)],
                                lp.upper[static_cast<std::size_t>(j)]));
  for (int i = 0; i < lp.num_rows(); ++i)
    out.rows.push_back(place(model.getRowStatus(i), lp.row_lower[static_cast<std::size_t>(i)],
                             lp.row_upper[static_cast<std::size_t>(i)]));
  return out;
}

void set_basis(ClpSimplex& model, const Basis& basis) {
  model.createStatus();
  for (std::size_t j = 0; j < basis.columns.size(); ++j)
    model.setColumnStatus(static_cast<int>(j), status(basis.columns[j]));
  for (std::size_t i = 0; i < basis.rows.size(); ++i)
    model.setRowStatus(static_cast<int>(i), status(basis.rows[i]));
}

Status status_of(const ClpSimplex& model) {
  switch (model.status()) {
    case 0:
      return Status::optimal;
    case 1:
      return Status::infeasible;
    case 2:
      return Status::unbounded;
    case 3:
      return Status::iteration_limit;
    case 5:
      return Status::interrupted;
    default:
      return Status::not_converged;
  }
}

void run_simplex(ClpSimplex& model, const Options& options) {
  const bool warm = options.start != nullptr;
  const bool primal = options.method == Method::primal;
  if (warm) {
    primal ? model.primal(0) : model.dual(0);
    return;
  }
  ClpSolve how;
  how.setSolveType(primal ? ClpSolve::usePrimal : ClpSolve::useDual);
  how.setPresolveType(options.presolve && !options.careful ? ClpSolve::presolveOn
                                                           : ClpSolve::presolveOff);
  how.setSpecialOption(2, 1);              // leave the signal handlers of the process alone
  if (primal) how.setSpecialOption(1, 4);  // from all slacks: no idiot crash
  model.initialSolve(how);
}

class Clp : public Solver {
 public:
  std::string name() const override { return "CLP " CLP_VERSION; }

  Solution run(const LinearProgram& lp, const ColumnMatrix& matrix, const Options& options,
               base::Progress& progress) const override {
    const std::vector<double> lower = bounds(lp.lower), upper = bounds(lp.upper),
                              row_lower = bounds(lp.row_lower), row_upper = bounds(lp.row_upper);
    ClpSimplex model;
    model.setLogLevel(0);
    Watch watch(progress);
    model.passInEventHandler(&watch);
    model.loadProblem(lp.num_columns(), lp.num_rows(), matrix.begin.data(), matrix.row.data(),
                      matrix.value.data(), lower.data(), upper.data(), lp.cost.data(),
                      row_lower.data(), row_upper.data());
    // Perturbed costs: a year of hours is degenerate, and this saves a third of the iterations.
    constexpr int kPerturbAlways = 50, kPerturbWhenSlow = 100;
    model.setPerturbation(options.careful ? kPerturbWhenSlow : kPerturbAlways);
    // At its usual 1e-7, reduced costs just below 0 of thousands of columns add up to 1e-6 of the
    // objective; this costs no time.
    constexpr double kTight = 1e-9;
    model.setDualTolerance(kTight);
    // Its tolerances have to hold for the program as we scaled it.
    constexpr int kNoScaling = 0, kScaling = 3;
    model.scaling(options.careful ? kScaling : kNoScaling);
    if (options.max_iterations > 0)
      model.setMaximumIterations(static_cast<int>(
          std::min<std::int64_t>(options.max_iterations, std::numeric_limits<int>::max())));
    if (options.start != nullptr) set_basis(model, *options.start);
    run_simplex(model, options);
    Solution out;
    out.status = status_of(model);
    out.iterations = model.numberIterations();
    if (out.status != Status::optimal) return out;
    out.basis = basis_of(model, lp);
    out.primal.assign(model.primalColumnSolution(),
                      model.primalColumnSolution() + lp.num_columns());
    out.dual.assign(model.dualRowSolution(), model.dualRowSolution() + lp.num_rows());
    return out;
  }
};

}  // namespace

const Solver& clp() {
  static const Clp solver;
  return solver;
}

}  // namespace greenline::solve
