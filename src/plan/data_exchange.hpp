// What data-parallel ranks exchange: weights that they gather, gradients that they sum or scatter,
// the optimizer step on what each of them owns.
//
// Exchanges of a device run one after the other, beside its computation. A layer's weights are
// gathered while the layer before it computes, its gradient is scattered while the layer after it
// does, so that two gathered layers and one whole gradient are held. Embedding and head go with
// their neighbours.
#pragma once

#include "base/quantity.hpp"
#include "plan/configuration.hpp"
#include "plan/slice_cost.hpp"
#include "plan/stage.hpp"
#include "plan/stage_time.hpp"

namespace greenline::plan {

// Is there anything to exchange?
inline bool exchanges(const Strategy& s) { return s.data_parallel * s.context_parallel > 1; }

// Lengths of a stage's collectives.
struct StageExchange {
  // ZeRO-3 gathers a layer before its forward and again before its backward pass and scatters its
  // gradient after it; ZeRO-2 scatters only, and in the only micro-batch that is the exchange of
  // ZeRO-1. Of one slot; embedding and head once a micro-batch.
  bool each_micro_batch = false;
  base::Time gather, scatter, ends_gather, ends_scatter;
  // Once an iteration, after the last backward pass of a slot: its part of the gradients (equal
  // buckets), or what HSDP sums over copies.
  base::Time sum, ends_sum;
  // Once an iteration, before the first forward pass of a slot: its part of the updated weights,
  // which ZeRO-3 leaves divided.
  base::Time updated;
};
StageExchange stage_exchange(const Costs& costs, const Configuration& configuration,
                             const StageKind& kind, const Slots& slots);

// A tied head keeps a copy of the embedding on the last stage; both sum their gradients.
base::Time tied_exchange(const Problem& problem, const Strategy& strategy);

// Adam reads gradient, fp32 weight and two moments and writes the last three and the 2-byte weight;
// gradients are read once more for their norm and cleared.
base::Time optimizer_time(const Costs& costs, const Configuration& configuration,
                          const StageKind& kind);

}  // namespace greenline::plan
