// Solves a linear program, and holds every answer against the program itself before it is given.
//
//   Solution s = solve(lp);
//   if (s.status == Status::optimal) use(s.objective, s.primal, s.dual);
//   lp.row_upper[budget] = 90;                       // another cost, bound or right-hand side:
//   Solution t = solve(lp, {.start = &s.basis});     // starts from the answer before
//
// The program is first scaled by powers of two, which rounds nothing, and the answer scaled back.
// `check` below looks at the original program only: it takes the solver's x and y and nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_name.hpp"
#include "base/progress.hpp"
#include "solve/linear_program.hpp"

namespace greenline::solve {

// All but `optimal` are outcomes, not errors. `not_converged`: the solver gave up, or its answer
// does not pass the check.
enum class Status { optimal, infeasible, unbounded, interrupted, iteration_limit, not_converged };
std::span<const base::EnumName> enum_names(Status);

// Where a simplex stands: of each column and row whether it is basic or at which bound.
enum class Place : std::uint8_t { free, basic, at_upper, at_lower };
struct Basis {
  std::vector<Place> columns, rows;  // (num_columns), (num_rows)
  bool empty() const { return columns.empty() && rows.empty(); }
};

// How far an answer is from one that is exactly right, in the units of the program, and relative to
// the largest term of the row, the column or the objective in question.
struct Residuals {
  double primal = 0, primal_relative = 0;  // bounds and rows exceeded
  double dual = 0, dual_relative = 0;      // reduced costs of the wrong sign
  double gap = 0, gap_relative = 0;        // primal less dual objective
  bool small() const;                      // each relative one is at most kTolerance
};
inline constexpr double kTolerance = 1e-6;

struct Solution {
  Status status = Status::not_converged;
  double objective = 0;                      // cost · x + offset, by us
  double dual_objective = 0;                 // what the dual prices prove: no answer can be below
  std::vector<double> primal, reduced_cost;  // (num_columns); empty unless optimal
  std::vector<double> activity, dual;        // (num_rows), A x and ∂objective / ∂bound
  Basis basis;
  Residuals residuals;
  std::int64_t iterations = 0;
  double seconds = 0;  // wall time
  std::string solver;  // "CLP 1.17.6"
};

enum class Method { automatic, dual, primal };

class Solver;
struct Options {
  const Basis* start = nullptr;  // of a program of the same columns and rows
  Method method = Method::automatic;
  bool presolve = true;  // not from a start
  // Slower, for what does not pass otherwise: no presolve, no perturbed costs, the solver's own
  // scaling on top of ours. `solve` turns it on where it has to.
  bool careful = false;
  std::int64_t max_iterations = 0;  // 0: no limit
  const Solver* solver = nullptr;   // clp() when null
};

// UserError "bad-linear-program"; InternalError for a start of another size. Infeasible and
// unbounded are proved too: by a second program, always feasible and bounded, whose answer is
// checked in the same way.
Solution solve(const LinearProgram& lp, const Options& options = {},
               base::Progress& progress = base::no_progress());

// Residuals of x and y, from scratch.
Residuals residuals(const LinearProgram& lp, std::span<const double> x, std::span<const double> y);

// The seam for solvers. `run` gets a program that is scaled and valid and has no crossed bounds; it
// fills in status, primal, dual, basis and iterations, nothing else.
class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string name() const = 0;
  virtual Solution run(const LinearProgram& lp, const ColumnMatrix& matrix, const Options& options,
                       base::Progress& progress) const = 0;
};
const Solver& clp();
// Null when this build has none.
const Solver* highs();

}  // namespace greenline::solve
