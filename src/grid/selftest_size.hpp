// Rows of the self-test on sizing: linear programs that were solved elsewhere, and our two engines
// against each other.
#pragma once

#include "base/progress.hpp"
#include "grid/selftest_storage.hpp"

namespace greenline::grid {

// A site of a file of the shared data with the load of the release; rows whose file is missing are
// left out.
void add_size_rows(const SiteOfFile& site_of_file, std::vector<base::CheckRow>& rows,
                   base::Progress& progress);

}  // namespace greenline::grid
