// What one micro-batch costs one device: a layer of each kind, the embedding, the head. Everything
// here follows from how a layer is sliced; data and pipeline parallelism, sharding, recomputation
// and the rest of a configuration only add it up.
#pragma once

#include <cstdint>

#include "base/quantity.hpp"
#include "model/workload.hpp"
#include "plan/configuration.hpp"

namespace greenline::plan {

// Time of operators, by what bounds them in principle.
struct OperatorTime {
  base::Time matmul, attention, memory_bound;
  base::Time starved;  // part of the first two during which arithmetic has nothing to do
  base::Time total() const { return matmul + attention + memory_bound; }
  base::Time compute() const { return matmul + attention; }
};

// Exchanges of one pass through a layer.
struct ExchangeTime {
  base::Time tensor, context, experts;
  base::Time total() const { return tensor + context + experts; }
};

struct LayerCost {
  OperatorTime forward;
  OperatorTime backward;                             // without weight gradients
  OperatorTime weight_gradient;                      // what a pipeline may put off
  OperatorTime selective;                            // repeated by selective recomputation
  ExchangeTime forward_exchange, backward_exchange;  // what of them no computation hides
  ExchangeTime forward_hidden, backward_hidden;      // what runs beside the computation
  base::Time selective_exchange;  // inside the tensor-parallel group, repeated with it; and hidden
  base::Time selective_hidden;
  model::LayerActivations activations;
};

struct EndCost {
  OperatorTime forward, backward, weight_gradient;
  base::Time exchange;   // inside the tensor-parallel group
  base::Data kept;       // activations
  base::Data gradients;  // that live for a moment
};

struct SliceCost {
  LayerCost dense, experts;  // `experts` is empty where the shape has none
  EndCost embedding, head;
};

SliceCost slice_cost(const Problem& problem, const Configuration& configuration);

// All that the closed forms need to know of a problem and a slice; they hold references.
struct Costs {
  const Problem& problem;
  const model::ParameterCounts& parameters;
  const SliceCost& slice;
};

// Everything that slice_cost depends on, for a given problem.
struct SliceKey {
  std::int64_t tensor = 1, context = 1, experts = 1, micro_batch = 1;
  std::int64_t tensor_per_node = 1, context_per_node = 1, experts_per_node = 1;
  bool sequence_parallel = false, zero_bubble = false;
  bool operator==(const SliceKey&) const = default;
};
SliceKey slice_key(const Problem& problem, const Configuration& configuration);

// What an exchange adds to a computation of length `cover` beside which it runs: what is longer,
// and what it slows the computation down by (Efficiency::overlap_slowdown).
base::Time shown(const model::Machine& machine, base::Time exchange, base::Time cover);
// The same when it is cut into `pieces`, each but one of them beside the computation of another
// piece.
base::Time shown(const model::Machine& machine, base::Time exchange, base::Time cover,
                 double pieces);

// Bytes of a micro-batch between two layers, on one context-parallel rank.
base::Data activation_bytes(const Problem& problem, const Configuration& configuration);

}  // namespace greenline::plan
