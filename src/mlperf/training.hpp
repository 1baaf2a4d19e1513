// The metric of a training result: energy to the target quality.
//
//   E_run = Σ nodes + Σ switches                       (training_log.hpp)
//   score = scaling_factor · mean of E_run over the runs that are left when the k fastest and the k
//           slowest by time are dropped; runs that did not converge count as slowest
#pragma once

#include <string>
#include <vector>

#include "mlperf/score.hpp"
#include "mlperf/training_log.hpp"

namespace greenline::mlperf {

// Runs dropped at each end: 4 for unet3d, 1 for every other benchmark.
std::size_t num_dropped_runs(const std::string& benchmark);

// One run from its log and its power logs: those of nodes, and those of switches.
TrainingRun training_run(const RunLog& run, const std::vector<PowerLog>& nodes,
                         const std::vector<PowerLog>& switches, base::Time trace_shift);

// `runs` in any order; `scaling_factor` nothing where the result has no scaling file, which counts
// as 1. DataError "too-few-runs" when none is left or more runs than can be dropped did not
// converge, "uneven-nodes" when a run has other numbers of power logs than the rest.
Score training_score(std::vector<TrainingRun> runs, const std::string& benchmark,
                     std::optional<double> scaling_factor, const std::string& folder);

}  // namespace greenline::mlperf
