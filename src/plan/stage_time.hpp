// What one pipeline stage does for one micro-batch, without what it exchanges with other stages'
// copies of it (plan/data_exchange.hpp).
#pragma once

#include <cstdint>

#include "base/quantity.hpp"
#include "plan/configuration.hpp"
#include "plan/slice_cost.hpp"
#include "plan/stage.hpp"

namespace greenline::plan {

// Forward and backward passes together, of all chunks of the stage.
struct StageTime {
  base::Time matmul, attention, memory_bound;  // first execution, forward and backward
  base::Time recompute_compute, recompute_memory;
  base::Time starved;  // part of products and attention that waits for memory, repeated ones too
  base::Time tensor_parallel;   // collectives inside the tensor-parallel group
  base::Time context_parallel;  // keys and values that attention waits for
  base::Time expert_parallel;   // tokens to the experts and back
  base::Time pipeline;          // sends to the neighbours
  base::Time offload;           // activations to and from the host that no computation hides
  base::Time
      backward;  // part of the above that is the backward pass: what can hide gradient exchange
  base::Time weight_gradient;  // part of the backward pass that no other stage waits for

  base::Time computing() const { return matmul + attention + recompute_compute - starved; }
  base::Time moving_memory() const { return memory_bound + recompute_memory + starved; }
  base::Time total() const {
    return matmul + attention + memory_bound + recompute_compute + recompute_memory +
           tensor_parallel + context_parallel + expert_parallel + pipeline + offload;
  }
  base::Time forward() const { return total() - backward; }
};

// A stage without its exchanges between data-parallel ranks and with the host.
StageTime local_time(const Costs& costs, const Configuration& configuration, const StageKind& kind);

// Time of a pass through one layer, with its recomputation and the exchanges that show.
struct PassTimes {
  base::Time forward, backward, weight_gradient;  // backward: without weight gradients
  base::Time all_backward() const { return backward + weight_gradient; }
};
PassTimes layer_times(const Costs& costs, const Configuration& configuration,
                      model::LayerKind kind);
PassTimes embedding_times(const Costs& costs);
PassTimes head_times(const Costs& costs);

// A send to the next or the previous stage. Ranks of a tensor-parallel group send a share each and
// gather it on the other side, unless sequence parallelism keeps it split (narayanan2021
// section 4.1).
base::Time pipeline_send(const Problem& problem, const Configuration& configuration);

// A chunk of a stage as equal slots, a layer each (a little more or less where the layers do not
// divide): what runs in one of them can hide what the next one needs.
struct Slots {
  std::int64_t chunks = 1, slots = 1;  // chunks of the stage, slots of a chunk
  bool first = false;                  // of the pipeline
  bool splits = false;                 // weight gradients are a pass of their own
  PassTimes layer;
  PassTimes embedding, head;  // a chunk's equal share; zero on other stages
  base::Time send;            // after each pass through a chunk
};
Slots slots_of(const Costs& costs, const Configuration& configuration, const StageKind& kind);

}  // namespace greenline::plan
