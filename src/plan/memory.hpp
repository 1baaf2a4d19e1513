// Bytes on the fullest device, by kind, and whether they fit.
#pragma once

#include <cstdint>

#include "base/quantity.hpp"
#include "plan/configuration.hpp"
#include "plan/slice_cost.hpp"

namespace greenline::plan {

struct Memory {
  base::Data weights;      // 2 bytes a parameter
  base::Data gradients;    // 4 bytes: accumulated in fp32
  base::Data optimizer;    // 12 bytes: Adam with fp32 weights and two moments
  base::Data activations;  // kept between forward and backward passes
  base::Data buffers;      // one layer recomputed, gradients of the logits, one whole gradient
                           // under ZeRO-2 and 3, gathered layers under ZeRO-3, keys and values on
                           // their way to another context rank; 0 under --compat
  base::Data kv_cache;     // keys and values of all sequences of a device: inference
  std::int64_t stage = 0;  // pipeline stage of that device, from 0
  base::Data capacity;     // of the device
  base::Data reserve;      // share of it that the model cannot have

  base::Data total() const {
    return weights + gradients + optimizer + activations + buffers + kv_cache;
  }
  base::Data usable() const { return capacity - reserve; }
  bool fits() const { return total() <= usable(); }
};

// Of one layer, from its forward to its backward pass.
base::Data kept_by_layer(const model::LayerActivations& activations, Recompute recompute);

Memory fullest_stage(const Problem& problem, const Configuration& configuration);
Memory fullest_stage(const Costs& costs, const Configuration& configuration);

// korthikanti2022 section 4 and table 2, and 18 bytes a weight of the layer matrices: no
// embedding, head, biases, norms or buffers. UnsupportedError for a shape they do not describe
// (GQA, SwiGLU, ffn != 4h).
Memory korthikanti_memory(const Problem& problem, const Configuration& configuration);

Memory memory_of(const Problem& problem, const Configuration& configuration, Compat compat);

}  // namespace greenline::plan
