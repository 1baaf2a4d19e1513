#pragma once

#include <vector>

#include "base/selftest.hpp"

namespace greenline::trace {

// Breakdowns beside the reports of another tool: each trace X.json.gz of a folder with its
// X_csv/gpu_timeline.csv (tracelens2026), to 5e-8 s, since that tool adds up doubles. The folders
// are request.oracles, or data/traces/tracelens of request.root; an oracle may also be one trace.
// Without either only what can be computed by hand.
std::vector<base::CheckRow> selftest(const base::SelftestRequest& request,
                                     base::Progress& progress);

}  // namespace greenline::trace
