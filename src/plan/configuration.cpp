#include "plan/configuration.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace greenline::plan {

std::span<const base::EnumName> enum_names(Recompute) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Recompute::none), "none", "everything is kept"},
      {static_cast<int>(Recompute::selective), "selective",
       "the attention core, or norms and activation functions when it is fused"},
      {static_cast<int>(Recompute::full), "full", "whole layers, from their inputs"},
  };
  return kNames;
}

std::span<const base::EnumName> enum_names(Compat) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Compat::none), "none", "our model"},
      {static_cast<int>(Compat::korthikanti), "korthikanti",
       "the closed forms of the paper: no embedding, biases, norms or buffers"},
  };
  return kNames;
}

std::int64_t num_micro_batches(const Problem& p, const Configuration& c) {
  return p.global_batch / (c.strategy.data_parallel * c.micro_batch);
}

std::int64_t stage_layers(const catalog::ModelShape& shape, std::int64_t stages,
                          std::int64_t stage) {
  return shape.layers / stages + (stage < shape.layers % stages ? 1 : 0);
}

model::Slice slice_of(const Problem& p, const Configuration& c) {
  return {c.strategy.tensor_parallel, c.strategy.sequence_parallel, c.micro_batch,
          p.sequence_length, p.attention};
}

model::Group tensor_parallel_group(const Problem& p, const Strategy& s) {
  return {s.tensor_parallel, std::gcd(s.tensor_parallel, p.system.devices_per_node)};
}

model::Group data_parallel_group(const Problem& p, const Strategy& s) {
  const std::int64_t room =
      std::max<std::int64_t>(1, p.system.devices_per_node / s.tensor_parallel);
  return {s.data_parallel, std::min(room, s.data_parallel)};
}

StageParameters stage_parameters(const catalog::ModelShape& shape, const Strategy& s,
                                 std::int64_t stage) {
  const model::ParameterCounts count = model::count_parameters(shape);
  const auto t = static_cast<double>(s.tensor_parallel);
  const auto layers = static_cast<double>(stage_layers(shape, s.pipeline_parallel, stage));
  StageParameters p;
  // Matrices are split; of the vectors some are and some are not, and they are too small to tell
  // apart.
  p.layers = layers * (count.layer_matrices / t + count.layer_vectors);
  if (stage == 0) p.embedding = count.token_embedding / t + count.position_embedding;
  if (stage == s.pipeline_parallel - 1) {
    p.head = count.output_head / t + count.final_norm;
    // A tied head on another stage than the embedding is a copy that is kept in step.
    if (shape.tied_embeddings && s.pipeline_parallel > 1) p.head += count.token_embedding / t;
  }
  return p;
}

std::string why_impossible(const Problem& p, const Configuration& c) {
  const Strategy& s = c.strategy;
  const auto& shape = p.shape;
  if (shape.heads % s.tensor_parallel != 0 || shape.ffn_hidden % s.tensor_parallel != 0)
    return fmt::format("tp {} does not divide the {} heads and feed-forward size {} of {}",
                       s.tensor_parallel, shape.heads, shape.ffn_hidden, shape.id);
  if (shape.kv_heads % s.tensor_parallel != 0)
    return fmt::format("tp {} does not divide the {} key and value heads of {}", s.tensor_parallel,
                       shape.kv_heads, shape.id);
  if (s.pipeline_parallel * c.interleave > shape.layers)
    return fmt::format("pp {} x interleave {} is more than the {} layers of {}",
                       s.pipeline_parallel, c.interleave, shape.layers, shape.id);
  if (c.interleave > 1 && s.pipeline_parallel == 1)
    return fmt::format("interleave {} needs a pipeline: pp is 1", c.interleave);
  const std::int64_t step = s.data_parallel * c.micro_batch;
  if (p.global_batch % step != 0 || p.global_batch < step)
    return fmt::format("global batch {} is not a multiple of dp {} x micro-batch {} = {}",
                       p.global_batch, s.data_parallel, c.micro_batch, step);
  if (const std::int64_t m = num_micro_batches(p, c);
      c.interleave > 1 && m % s.pipeline_parallel != 0)
    return fmt::format(
        "interleaving needs micro-batches in multiples of pp {}; global batch {} makes {}",
        s.pipeline_parallel, p.global_batch, m);
  return "";
}

}  // namespace greenline::plan
