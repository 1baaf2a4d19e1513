#pragma once

#include <vector>

#include "base/selftest.hpp"

namespace greenline::grid {

// Intensities and coverages of the Carbon Explorer release beside ours. Rows on hourly files need
// `request.root` (GREENLINE_SHARED), whose folder data/grid holds them; without it the journal says
// so.
std::vector<base::CheckRow> selftest(const base::SelftestRequest& request,
                                     base::Progress& progress);

}  // namespace greenline::grid
