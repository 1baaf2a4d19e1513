// FLOP that a training iteration executes, in the convention of model::model_flops: what HFU
// counts.
#pragma once

#include "base/quantity.hpp"
#include "plan/configuration.hpp"

namespace greenline::plan {

// What the global batch needs at least, without any recomputation: what MFU counts. Inference is a
// forward pass; frozen parts have no weight gradients, and nothing goes back below the lowest part
// that trains. `causal_share` as in model::model_flops.
base::Work required_flops(const Problem& problem, double causal_share = 1);

// The required FLOP and what recomputation repeats (the head is never repeated). Under
// korthikanti selective recomputation counts three passes over the attention scores, as appendix A
// of the paper does; one is executed.
base::Work executed_flops(const Problem& problem, const Configuration& configuration, Compat compat,
                          double causal_share = 1);

}  // namespace greenline::plan
