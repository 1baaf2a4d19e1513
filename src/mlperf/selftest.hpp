// Published MLPerf power metrics beside ours, computed from the logs.
#pragma once

#include <vector>

#include "base/progress.hpp"
#include "base/selftest.hpp"

namespace greenline::mlperf {

// Oracle files: a CSV file with columns run_dir and published (inference: W, J or mJ as published,
// within 2e-6; the scenario is the third part of run_dir from its end) or dir and published_kJ
// (training, within 0.02 kJ). Folders of logs are looked for in the root, in the folders of
// root/data/power and in the folders of the root. Kind "tiny": every session below the root, each
// window within 0.001 µJ and each median at three decimals of its own results.txt. Without oracle
// and kind: what root/oracles and root/data/power hold.
std::vector<base::CheckRow> selftest(const base::SelftestRequest& request,
                                     base::Progress& progress);

}  // namespace greenline::mlperf
