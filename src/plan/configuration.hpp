// What a plan is about: the fixed part (model, machine, batch) and what a search may turn.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/enum_name.hpp"
#include "base/quantity.hpp"
#include "catalog/entries.hpp"
#include "model/machine.hpp"
#include "model/workload.hpp"
#include "plan/strategy.hpp"

namespace greenline::plan {

// Activations that are computed again in the backward pass instead of kept: none; the attention
// core (when that is fused and keeps nothing: norms and activation functions); whole layers.
enum class Recompute : std::uint8_t { none, selective, full };
std::span<const base::EnumName> enum_names(Recompute);

// none: our model, with embedding, head, biases, norms and working buffers on the fullest stage.
// korthikanti: the closed forms as published, without them.
enum class Compat : std::uint8_t { none, korthikanti };
std::span<const base::EnumName> enum_names(Compat);

// Order of a pipeline's work: one forward one backward (interleaved when a rank has several chunks,
// narayanan2021), or weight gradients split off to fill the bubble (ZB-H1, qi2024).
enum class Schedule : std::uint8_t { one_f_one_b, zero_bubble };
std::span<const base::EnumName> enum_names(Schedule);

// What lives in host memory instead and crosses the host link: nothing; the optimizer state, whose
// step runs there (ren2021); kept activations as well.
enum class Offload : std::uint8_t { none, optimizer, all };
std::span<const base::EnumName> enum_names(Offload);

// What one iteration is: a training step; one with frozen parts; a batch of prompts read; one token
// more for each sequence of a batch.
enum class Task : std::uint8_t { pretrain, finetune, prefill, decode };
std::span<const base::EnumName> enum_names(Task);
inline bool is_training(Task task) { return task == Task::pretrain || task == Task::finetune; }

// Parts that a fine-tuning keeps as they are: no weight gradient, no optimizer state.
struct Frozen {
  bool embedding = false, layers = false, head = false;
};

struct Configuration {
  Strategy strategy;
  Recompute recompute = Recompute::none;
  std::int64_t micro_batch = 1;  // sequences
  std::int64_t interleave = 1;   // model chunks on each pipeline rank
  Schedule schedule = Schedule::one_f_one_b;
  Offload offload = Offload::none;
};

struct Problem {
  catalog::ModelShape shape;
  catalog::System system;
  model::Machine machine;
  std::int64_t devices = 0;
  std::int64_t global_batch = 0;     // sequences
  std::int64_t sequence_length = 0;  // tokens
  model::Attention attention = model::Attention::fused;
  model::Kernels kernels = model::Kernels::fused;
  bool overlap_gradients = true;  // data-parallel collectives run beside the computation
  bool overlap_tensor = false;    // tensor-parallel ones as well, cut in pieces (async TP)
  Task task = Task::pretrain;
  Frozen frozen;
  std::int64_t cached_tokens = 0;  // decode: of each sequence, before this step
  double gradient_bytes = 4;       // of one gradient on its way between data-parallel ranks
  double memory_reserve = 0;       // share of the device memory that the model cannot have
};

// Micro-batches that each pipeline runs in one iteration.
std::int64_t num_micro_batches(const Problem& problem, const Configuration& configuration);

// Tokens of each sequence that one iteration computes: one in decoding.
std::int64_t computed_tokens(const Problem& problem);

model::Slice slice_of(const Problem& problem, const Configuration& configuration);

// That of the output head: of a prompt only the last token needs logits.
model::Slice head_slice(const Problem& problem, const Configuration& configuration);

// "" when the configuration can run, else what stands against it: "global batch 64 is not a
// multiple of dp 8 x micro-batch 3 = 24".
std::string why_impossible(const Problem& problem, const Configuration& configuration);

}  // namespace greenline::plan
