// A linear program as a file that any solver reads.
#pragma once

#include <ostream>

#include "solve/linear_program.hpp"

namespace greenline::solve {

// Free MPS with numbers that read back to the same bits; a row of two finite bounds is the one case
// where the reader adds two of them. Rows without a name are R1, R2, …, columns C1, …; the
// objective is `cost`. The offset is the cost of a column `constant` that is fixed to 1: readers do
// not agree on the sign of a right-hand side of the objective. UserError "bad-linear-program" as
// `check`, and for a name that is empty beside others, given twice, has blanks or begins with a `$`
// or `*`, or crossed bounds.
void write_mps(const LinearProgram& lp, std::ostream& out);

}  // namespace greenline::solve
