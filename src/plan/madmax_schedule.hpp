// One iteration of hsia2024 as tasks of two streams, in the order in which their rules enqueue
// them: processor 0 computes, processor 1 communicates, each one task at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/quantity.hpp"
#include "plan/madmax.hpp"

namespace greenline::plan {

// A collective that follows the backward pass of a layer.
struct MadmaxCollective {
  MadmaxTag tag = MadmaxTag::all_reduce;
  base::Time time;
  bool is_awaited = false;  // the layer below starts after it: an activation, not a gradient
};

// A matrix layer, or the attention or feed-forward half of a transformer layer.
struct MadmaxLayerTimes {
  MadmaxBlock block;
  base::Time forward, backward;
  std::optional<base::Time> gather;             // of its weights, before each pass
  std::optional<base::Time> reduce_activation;  // after the forward pass
  std::vector<MadmaxCollective> after_backward;
};

struct MadmaxTimes {
  std::vector<MadmaxLayerTimes> layers;  // in the order of the forward pass
  std::size_t first_after_embedding = 0;
  base::Time lookup;                        // of embedding rows, forward and backward
  std::optional<base::Time> exchange;       // all-to-all of looked-up rows, both ways
  std::optional<base::Time> reduce_lookup;  // after the backward pass, of replicated tables
  bool embedding_closes_backward = false;   // its backward pass waits for both streams
  bool trains = true;
  bool prefetch = false;
};

struct MadmaxTasks {
  model::Timeline timeline;
  std::vector<MadmaxBlock> blocks;  // (num_tasks)
};

MadmaxTasks madmax_tasks(const MadmaxTimes& times);

}  // namespace greenline::plan
