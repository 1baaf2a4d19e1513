#include "solve/solver.hpp"

#include <chrono>
#include <cmath>

#include "base/error.hpp"
#include "solve/prove.hpp"
#include "solve/scale.hpp"

namespace greenline::solve {
namespace {

bool crossed(const LinearProgram& lp) {
  for (std::size_t j = 0; j < lp.cost.size(); ++j)
    if (lp.lower[j] > lp.upper[j]) return true;
  for (std::size_t i = 0; i < lp.row_lower.size(); ++i)
    if (lp.row_lower[i] > lp.row_upper[i]) return true;
  return false;
}

// An answer of the scaled program in the units of `lp`, with everything that follows from x and y.
void finish(const LinearProgram& lp, const Scaling& s, Solution& out) {
  const ColumnMatrix a = by_columns(lp);
  for (std::size_t i = 0; i < out.dual.size(); ++i) out.dual[i] *= s.row[i] / s.objective;
  out.activity.assign(out.dual.size(), 0);
  out.objective = lp.offset;
  for (std::size_t j = 0; j < out.primal.size(); ++j) {
    out.primal[j] *= s.column[j] / s.bounds;
    double reduced = lp.cost[j];
    for (auto k = static_cast<std::size_t>(a.begin[j]);
         k < static_cast<std::size_t>(a.begin[j + 1]); ++k) {
      const auto i = static_cast<std::size_t>(a.row[k]);
      out.activity[i] += a.value[k] * out.primal[j];
      reduced -= a.value[k] * out.dual[i];
    }
    out.reduced_cost.push_back(reduced);
    out.objective += lp.cost[j] * out.primal[j];
  }
  out.residuals = residuals(lp, out.primal, out.dual);
  out.dual_objective = out.objective - out.residuals.gap;
}

// What is said of an answer that is not kept.
void drop_answer(Solution& out) {
  out.primal.clear(), out.reduced_cost.clear(), out.activity.clear(), out.dual.clear();
}

struct Run {
  const LinearProgram& original;
  Scaling scaling;
  LinearProgram scaled_program;
  ColumnMatrix matrix;
  const Solver& solver;

  Solution operator()(const Options& options, base::Progress& progress) const {
    Solution out = solver.run(scaled_program, matrix, options, progress);
    if (out.status == Status::optimal) finish(original, scaling, out);
    return out;
  }
};

bool good(const Solution& x) { return x.status == Status::optimal && x.residuals.small(); }

bool stopped(Status s) { return s == Status::interrupted || s == Status::iteration_limit; }
bool claims_none(Status s) { return s == Status::infeasible || s == Status::unbounded; }

// As asked; then from nothing, since a start may lead astray; then carefully, by either simplex.
// CLP calls about one program in a thousand optimal whose answer misses its rows by far.
std::vector<Options> attempts(const Options& asked) {
  std::vector<Options> out{asked};
  Options next = asked;
  next.start = nullptr;
  if (asked.start != nullptr) out.push_back(next);
  next.careful = true;
  for (const Method method : {Method::dual, Method::primal}) {
    next.method = method;
    out.push_back(next);
  }
  return out;
}

Solution checked(const Run& run, const Options& asked, base::Progress& progress) {
  Solution out;
  std::int64_t iterations = 0;
  for (const Options& options : attempts(asked)) {
    out = run(options, progress);
    iterations += out.iterations;
    if (claims_none(out.status))
      out.status = proved(run.scaled_program, run.matrix, run.solver, progress);
    if (good(out) || stopped(out.status) || claims_none(out.status)) break;
    out.status = Status::not_converged;
  }
  out.iterations = iterations;
  if (out.status != Status::optimal) drop_answer(out);
  return out;
}

void check_start(const LinearProgram& lp, const Basis& start) {
  GL_CHECK_EQ(start.columns.size(), lp.cost.size());
  GL_CHECK_EQ(start.rows.size(), lp.row_lower.size());
}

}  // namespace

std::span<const base::EnumName> enum_names(Status) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Status::optimal), "optimal", "checked: feasible, and no answer is better"},
      {static_cast<int>(Status::infeasible), "infeasible", "no answer meets all limits"},
      {static_cast<int>(Status::unbounded), "unbounded", "answers get better without end"},
      {static_cast<int>(Status::interrupted), "interrupted", "stopped before an answer was found"},
      {static_cast<int>(Status::iteration_limit), "iteration-limit", "too many iterations"},
      {static_cast<int>(Status::not_converged), "not-converged",
       "the solver gave up, or its answer does not pass the check"}};
  return kNames;
}

Solution solve(const LinearProgram& lp, const Options& options, base::Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  check(lp);
  if (options.start != nullptr) check_start(lp, *options.start);
  const Solver& solver = options.solver != nullptr ? *options.solver : clp();
  Solution out;
  if (crossed(lp)) {
    out.status = Status::infeasible;
  } else {
    ColumnMatrix matrix = by_columns(lp);
    Scaling scaling = geometric_scaling(lp, matrix);
    LinearProgram scaled_program = scaled(lp, scaling);
    matrix = scaled(std::move(matrix), scaling);
    const Run run{lp, std::move(scaling), std::move(scaled_program), std::move(matrix), solver};
    out = checked(run, options, progress);
  }
  out.solver = solver.name();
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

}  // namespace greenline::solve
