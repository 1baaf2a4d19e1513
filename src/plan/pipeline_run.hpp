// The passes of all stages of a pipeline one after the other, each as soon as it may: exact, and
// without a list of tasks.
#pragma once

#include "plan/configuration.hpp"
#include "plan/slice_cost.hpp"

namespace greenline::plan {

// From the first pass to when nothing is left but the optimizer step; in decoding, what one token
// more adds. Once the stages keep pace, the passes of many micro-batches are those of a few and so
// many times what one of them adds.
base::Time pipeline_run(const Costs& costs, const Configuration& configuration);

// Never longer, and much cheaper: each kind of stage waits for the first micro-batch and for its
// own exchanges, not for its neighbours. 0 where that says nothing.
base::Time least_pipeline_run(const Costs& costs, const Configuration& configuration);

}  // namespace greenline::plan
