// The metric of a tiny session: median over the measured windows of energy by inferences.
#pragma once

#include "mlperf/score.hpp"
#include "mlperf/tiny_trace.hpp"

namespace greenline::mlperf {

// The measured windows are the even ones: between the odd ones the runner sets up. DataError
// "missing-key" when the log states no iterInfer, "no-samples" when a window lies behind the trace.
Score tiny_score(const EnergyTrace& trace, const std::vector<double>& timestamps,
                 const TinyLog& log);

}  // namespace greenline::mlperf
