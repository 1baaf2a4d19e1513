// Proof that a program has no answer, or no best one.
#pragma once

#include "solve/solver.hpp"

namespace greenline::solve {

// Of a scaled program that `solver` calls infeasible or unbounded: which of both it is, by two
// programs that always have an answer, whose answers are checked like any other.
//
//   infeasible: the least sum of what rows have to give way is above 0
//   unbounded:  it is 0, and there is a direction that lowers the cost and leaves every limit
//
// `not_converged` when neither can be shown, `interrupted` after progress.cancelled().
Status proved(const LinearProgram& lp, const ColumnMatrix& matrix, const Solver& solver,
              base::Progress& progress);

}  // namespace greenline::solve
