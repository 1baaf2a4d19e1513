// Bytes on the fullest device, by kind, and whether they fit.
#pragma once

#include <cstdint>

#include "base/quantity.hpp"
#include "plan/configuration.hpp"

namespace greenline::plan {

struct Memory {
  base::Data weights;      // 2 bytes a parameter
  base::Data gradients;    // 4 bytes: accumulated in fp32
  base::Data optimizer;    // 12 bytes: Adam with fp32 weights and two moments
  base::Data activations;  // kept between forward and backward passes
  base::Data buffers;      // one layer recomputed, gradients of the logits, one whole gradient
                           // under ZeRO-2 and 3, gathered layers under ZeRO-3; 0 under --compat
  std::int64_t stage = 0;  // pipeline stage of that device, from 0
  base::Data capacity;     // of the device
  base::Data reserve;      // share of it that the model cannot have

  base::Data total() const { return weights + gradients + optimizer + activations + buffers; }
  base::Data usable() const { return capacity - reserve; }
  bool fits() const { return total() <= usable(); }
};

Memory fullest_stage(const Problem& problem, const Configuration& configuration);

// korthikanti2022 section 4 and table 2, and 18 bytes a weight of the layer matrices: no
// embedding, head, biases, norms or buffers. UnsupportedError for a shape they do not describe
// (GQA, SwiGLU, ffn != 4h).
Memory korthikanti_memory(const Problem& problem, const Configuration& configuration);

Memory memory_of(const Problem& problem, const Configuration& configuration, Compat compat);

}  // namespace greenline::plan
