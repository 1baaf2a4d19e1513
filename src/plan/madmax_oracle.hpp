// Printed results of the program of hsia2024 beside ours: rows of a file, and those that are part
// of the package.
#pragma once

#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/selftest.hpp"
#include "catalog/catalog.hpp"
#include "io/csv.hpp"

namespace greenline::plan {

// Does a table have the columns of such results (model, system, dense_strategy, ..., iter_ms)?
bool is_madmax_oracle(const io::CsvTable& table);

// The columns of times: all, or without those of matrix products and embedding.
enum class MadmaxColumns { all, without_parts };

// One row a configuration: of iteration, exposed communication, matrix products, embedding and each
// collective the one that is furthest off; it passes within 1e-6 of the printed value and 6e-7 ms
// more, for they print six decimals. A model `DLRM_A` is `dlrm-a-madmax` of the catalogue or else
// `dlrm-a`; a system `CloudA-512-p5.48xlarge` is `p5.48xlarge-madmax`, `DC_A-128` is `dc-a`.
// DataError "bad-run" with its place for a row that can't be: an unknown model or system, a
// strategy that is refused, batches that contradict each other, numbers that no run has; UserError
// "unknown-column" for a column that is missing.
std::vector<base::CheckRow> madmax_oracle_rows(const catalog::Catalog& facts,
                                               const io::CsvTable& table,
                                               MadmaxColumns columns = MadmaxColumns::all);

// The results that the authors print in their artifact's notebooks.
std::vector<base::CheckRow> madmax_reference_rows(const catalog::Catalog& facts);

}  // namespace greenline::plan
