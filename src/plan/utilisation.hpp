// FLOP that a training iteration executes, in the convention of model::model_flops: what HFU
// counts.
#pragma once

#include "base/quantity.hpp"
#include "plan/configuration.hpp"

namespace greenline::plan {

// Model FLOP of the global batch and what recomputation repeats (the head is never repeated). Under
// korthikanti selective recomputation counts three passes over the attention scores, as appendix A
// of the paper does; one is executed. `causal_share` as in model::model_flops.
base::Work executed_flops(const Problem& problem, const Configuration& configuration, Compat compat,
                          double causal_share = 1);

}  // namespace greenline::plan
