// Time of one iteration, by cause. The parts sum to the total. An iteration of
// inference is a forward pass over the batch.
#pragma once

#include <cstdint>
#include <vector>

#include "base/quantity.hpp"
#include "model/power.hpp"
#include "plan/configuration.hpp"
#include "plan/slice_cost.hpp"
#include "plan/stage.hpp"
#include "plan/stage_time.hpp"

namespace greenline::plan {

struct Iteration {
  base::Time matmul, attention, memory_bound, recompute;
  base::Time tensor_parallel, context_parallel, expert_parallel, pipeline, bubble, data_parallel,
      offload;  // exposed communication, and waiting
  base::Time optimizer;
  model::BusyFractions busy;

  base::Time total() const {
    return matmul + attention + memory_bound + recompute + tensor_parallel + context_parallel +
           expert_parallel + pipeline + bubble + data_parallel + offload + optimizer;
  }
};

StageTime stage_time(const Problem& problem, const Configuration& configuration,
                     std::int64_t stage);

// The passes of the pipeline (plan/pipeline_run.hpp), then the optimizer step, for which all stages
// know the norm of all gradients. Work is that of the slowest stage; `bubble` is what the pipeline
// takes beyond it without exchanges between data-parallel ranks, `data_parallel` what those add.
Iteration iteration(const Problem& problem, const Configuration& configuration);
Iteration iteration(const Costs& costs, const Configuration& configuration);

// Never above the total of iteration(), and cheaper: no exchange between data-parallel ranks.
base::Time iteration_lower_bound(const Costs& costs, const Configuration& configuration);

// The same, and the least time for which a device computes, moves memory and waits for the network:
// never above total() times busy.compute, busy.memory and busy.network.
struct IterationBound {
  base::Time total, compute, memory, network;
};
IterationBound iteration_bound(const Costs& costs, const Configuration& configuration);
// Closer, with the exchanges of each stage, and dearer.
IterationBound closer_bound(IterationBound bound, const Costs& costs,
                            const Configuration& configuration);

}  // namespace greenline::plan
