// The metric of an inference run.
//
//   W  = { w_i : power_begin < t_i < power_end, w_i > 0 },  P = mean(W),  D = end − begin
//   Offline, Server, Interactive   P                      [W]
//   SingleStream, MultiStream      P · D / Q              [J/stream up to v2.x, mJ/query since
//   v3.0]
//
// Q is result_query_count; logs up to v1.1 have none, and Q = result_qps_with_loadgen_overhead · D.
// Where the round is unknown the unit is J/stream for a log without result_query_count, else
// mJ/query: the version of LoadGen does not tell, since v3.0 results were made with that of v2.1
// too. The scenario is that of the directory: an Offline result may be inferred from a SingleStream
// run. Of a MultiStream result inferred from one, a query is 8 samples and costs 8 times as much.
#pragma once

#include <string>

#include "mlperf/loadgen.hpp"
#include "mlperf/score.hpp"
#include "mlperf/spl.hpp"

namespace greenline::mlperf {

// The run folder's scenario: the name of the folder two above it (…/Offline/performance/run_1), one
// above or its own; nothing when none of them is one.
std::optional<Scenario> directory_scenario(const std::string& run_folder);

// `scenario` is what the metric is of. DataError "no-samples" (with the shift of the clock that
// would fit, if one does), "missing-key", "bad-mllog".
Score inference_score(const LoadgenLog& log, const SplTrace& trace, Scenario scenario,
                      const ScoreOptions& options);

}  // namespace greenline::mlperf
