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

struct Configuration {
  Strategy strategy;
  Recompute recompute = Recompute::none;
  std::int64_t micro_batch = 1;  // sequences
  std::int64_t interleave = 1;   // model chunks on each pipeline rank
};

struct Problem {
  catalog::ModelShape shape;
  catalog::System system;
  model::Machine machine;
  std::int64_t devices = 0;
  std::int64_t global_batch = 0;     // sequences
  std::int64_t sequence_length = 0;  // tokens
  model::Attention attention = model::Attention::fused;
  bool overlap_gradients = true;  // data-parallel collectives run beside the backward pass
  double memory_reserve = 0;      // share of the device memory that the model cannot have
};

// Micro-batches that each pipeline runs in one iteration.
std::int64_t num_micro_batches(const Problem& problem, const Configuration& configuration);

// Layers on pipeline stage i; the first stages carry one more when the depth does not divide
// evenly.
std::int64_t stage_layers(const catalog::ModelShape& shape, std::int64_t stages,
                          std::int64_t stage);

model::Slice slice_of(const Problem& problem, const Configuration& configuration);

// Ranks that share a layer. A group that does not divide a node straddles its edge, so that every
// exchange crosses the network.
model::Group tensor_parallel_group(const Problem& problem, const Strategy& strategy);

// Ranks that share gradients: `per_node` of them stand in one node.
model::Group data_parallel_group(const Problem& problem, const Strategy& strategy);

// Parameters of one device on `stage`, all of them and those of its layers alone.
struct StageParameters {
  double layers = 0, embedding = 0, head = 0;  // divided by tensor parallelism
  double total() const { return layers + embedding + head; }
};
StageParameters stage_parameters(const catalog::ModelShape& shape, const Strategy& strategy,
                                 std::int64_t stage);

// "" when the configuration can run, else what stands against it: "global batch 64 is not a
// multiple of dp 8 x micro-batch 3 = 24".
std::string why_impossible(const Problem& problem, const Configuration& configuration);

}  // namespace greenline::plan
