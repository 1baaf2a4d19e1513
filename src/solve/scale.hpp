// Geometric scaling by powers of two: a program whose coefficients, costs and bounds are near 1.
//
// With R, C > 0 per row and column, and two factors for the whole:
//
//   x = C x' / bounds     A' = R A C     costs' = objective · C · cost     y = R y' / objective
#pragma once

#include <vector>

#include "solve/linear_program.hpp"

namespace greenline::solve {

struct Scaling {
  std::vector<double> row, column;  // R (num_rows), C (num_columns)
  double objective = 1, bounds = 1;
};

Scaling geometric_scaling(const LinearProgram& lp, const ColumnMatrix& matrix);

// The scaled program without its entries and names, and the scaled matrix.
LinearProgram scaled(const LinearProgram& lp, const Scaling& scaling);
ColumnMatrix scaled(ColumnMatrix matrix, const Scaling& scaling);

}  // namespace greenline::solve
