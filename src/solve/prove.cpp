#include "solve/prove.hpp"

#include <algorithm>
#include <cmath>

namespace greenline::solve {
namespace {

void add_matrix(LinearProgram& lp, const ColumnMatrix& matrix) {
  for (std::size_t j = 0; j + 1 < matrix.begin.size(); ++j)
    for (auto k = static_cast<std::size_t>(matrix.begin[j]);
         k < static_cast<std::size_t>(matrix.begin[j + 1]); ++k)
      lp.add(matrix.row[k], static_cast<int>(j), matrix.value[k]);
}

// Rows may give way at a cost of 1.
LinearProgram elastic(const LinearProgram& lp, const ColumnMatrix& matrix) {
  LinearProgram out = lp;
  out.offset = 0;
  out.cost.assign(lp.cost.size(), 0);
  add_matrix(out, matrix);
  for (int i = 0; i < lp.num_rows(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    if (lp.row_lower[row] > -kInfinity) out.add(i, out.add_column(1, 0, kInfinity), 1);
    if (lp.row_upper[row] < kInfinity) out.add(i, out.add_column(1, 0, kInfinity), -1);
  }
  return out;
}

// Directions that no finite bound stops, of entries up to 1.
LinearProgram directions(const LinearProgram& lp, const ColumnMatrix& matrix) {
  LinearProgram out;
  const auto stop = [](double bound, double value) { return std::isfinite(bound) ? 0.0 : value; };
  for (std::size_t j = 0; j < lp.cost.size(); ++j)
    out.add_column(lp.cost[j], stop(lp.lower[j], -1), stop(lp.upper[j], 1));
  for (std::size_t i = 0; i < lp.row_lower.size(); ++i)
    out.add_row(stop(lp.row_lower[i], -kInfinity), stop(lp.row_upper[i], kInfinity));
  add_matrix(out, matrix);
  return out;
}

struct Checked {
  Status status = Status::not_converged;
  double objective = 0;
};
Checked run(const LinearProgram& lp, const Solver& solver, base::Progress& progress) {
  const ColumnMatrix matrix = by_columns(lp);
  for (const bool careful : {false, true}) {
    const Solution s = solver.run(lp, matrix, {.careful = careful}, progress);
    if (s.status == Status::interrupted) return {s.status, 0};
    if (s.status != Status::optimal || !residuals(lp, s.primal, s.dual).small()) continue;
    double objective = lp.offset;
    for (std::size_t j = 0; j < lp.cost.size(); ++j) objective += lp.cost[j] * s.primal[j];
    return {Status::optimal, objective};
  }
  return {};
}

}  // namespace

Status proved(const LinearProgram& lp, const ColumnMatrix& matrix, const Solver& solver,
              base::Progress& progress) {
  const Checked give_way = run(elastic(lp, matrix), solver, progress);
  if (give_way.status == Status::interrupted) return Status::interrupted;
  if (give_way.status != Status::optimal) return Status::not_converged;
  if (give_way.objective > kTolerance) return Status::infeasible;
  const Checked direction = run(directions(lp, matrix), solver, progress);
  if (direction.status == Status::interrupted) return Status::interrupted;
  if (direction.status == Status::optimal && direction.objective < -kTolerance)
    return Status::unbounded;
  return Status::not_converged;
}

}  // namespace greenline::solve
