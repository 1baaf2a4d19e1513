// Time of one training iteration in closed form, by cause. The parts sum to the total.
#pragma once

#include <cstdint>
#include <vector>

#include "base/quantity.hpp"
#include "model/power.hpp"
#include "plan/configuration.hpp"

namespace greenline::plan {

// Everything that a pipeline rank does for one micro-batch (all its chunks), forward and backward
// together.
struct StageTime {
  base::Time matmul, attention, memory_bound;  // first execution, forward and backward
  base::Time recompute_compute, recompute_memory;
  base::Time tensor_parallel;  // collectives inside the tensor-parallel group
  base::Time pipeline;         // sends to the neighbours
  base::Time data_parallel;    // collectives of ZeRO-2 and ZeRO-3 that no computation hides
  base::Time
      backward;  // part of the above that is the backward pass: what can hide gradient exchange

  base::Time total() const {
    return matmul + attention + memory_bound + recompute_compute + recompute_memory +
           tensor_parallel + pipeline + data_parallel;
  }
};

struct Iteration {
  base::Time matmul, attention, memory_bound, recompute;
  base::Time tensor_parallel, pipeline, bubble,
      data_parallel;  // exposed communication, and waiting
  base::Time optimizer;
  model::BusyFractions busy;

  base::Time total() const {
    return matmul + attention + memory_bound + recompute + tensor_parallel + pipeline + bubble +
           data_parallel + optimizer;
  }
};

StageTime stage_time(const Problem& problem, const Configuration& configuration,
                     std::int64_t stage);

// Pipeline of p stages with times t_i per micro-batch, m micro-batches and v chunks a rank:
//   sum_i t_i / v + (m - 1/v) max_i t_i          (equal stages: m t + (p - 1) t / v, narayanan2021
//   section 2.2)
// then what remains of the gradient exchange and the optimizer step, each of the stage that it
// keeps longest.
Iteration iteration(const Problem& problem, const Configuration& configuration);

// The pipeline alone, for stage times that the caller gives.
base::Time pipeline_time(const std::vector<base::Time>& stages, std::int64_t micro_batches,
                         std::int64_t chunks);

}  // namespace greenline::plan
