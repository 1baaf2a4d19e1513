#pragma once

#include <vector>

#include "base/selftest.hpp"

namespace greenline::footprint {

// Closed forms of the amortisation and of constant intensities, as the papers print them.
std::vector<base::CheckRow> selftest(const base::SelftestRequest& request,
                                     base::Progress& progress);

}  // namespace greenline::footprint
