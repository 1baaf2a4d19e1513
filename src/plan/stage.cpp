#include "plan/stage.hpp"

#include <algorithm>

namespace greenline::plan {
namespace {

std::int64_t dense_layers(const catalog::ModelShape& shape) {
  return shape.experts ? std::min(shape.experts->dense_layers, shape.layers) : shape.layers;
}

std::int64_t first_layer(const catalog::ModelShape& shape, std::int64_t stages,
                         std::int64_t stage) {
  return stage * (shape.layers / stages) + std::min(stage, shape.layers % stages);
}

// The stage that holds the first expert layer, `stages` when there is none.
std::int64_t first_expert_stage(const catalog::ModelShape& shape, std::int64_t stages) {
  const std::int64_t layer = dense_layers(shape);
  const std::int64_t each = shape.layers / stages, more = shape.layers % stages;
  if (layer >= shape.layers) return stages;
  if (layer < more * (each + 1)) return layer / (each + 1);
  return more + (layer - more * (each + 1)) / each;
}

}  // namespace

std::int64_t stage_layers(const catalog::ModelShape& shape, std::int64_t stages,
                          std::int64_t stage) {
  return shape.layers / stages + (stage < shape.layers % stages ? 1 : 0);
}

StageKind stage_kind(const catalog::ModelShape& shape, std::int64_t stages, std::int64_t stage) {
  const std::int64_t layers = stage_layers(shape, stages, stage);
  const std::int64_t dense =
      std::clamp<std::int64_t>(dense_layers(shape) - first_layer(shape, stages, stage), 0, layers);
  StageKind kind;
  kind.first = stage;
  kind.dense_layers = static_cast<double>(dense);
  kind.expert_layers = static_cast<double>(layers - dense);
  kind.embedding = stage == 0;
  kind.head = stage == stages - 1;
  return kind;
}

StageKinds stage_kinds(const catalog::ModelShape& shape, std::int64_t stages) {
  const std::int64_t mixed = first_expert_stage(shape, stages);
  std::array<std::int64_t, 6> first = {0, 1, stages - 1, shape.layers % stages, mixed, mixed + 1};
  std::sort(first.begin(), first.end());
  StageKinds kinds;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] >= stages || (i > 0 && first[i] == first[i - 1])) continue;
    StageKind kind = stage_kind(shape, stages, first[i]);
    std::int64_t end = stages;
    for (std::size_t j = i + 1; j < first.size() && end == stages; ++j)
      if (first[j] > first[i]) end = std::min(stages, first[j]);
    kind.stages = end - first[i];
    kinds.add(kind);
  }
  return kinds;
}

StageParameters layer_parameters(const model::ParameterCounts& count, const Strategy& s,
                                 model::LayerKind kind) {
  const auto t = static_cast<double>(s.tensor_parallel);
  StageParameters p;
  // Matrices are split; of the vectors some are and some are not, and they are too small to tell
  // apart.
  if (kind == model::LayerKind::dense) {
    p.layers = count.layer_matrices / t + count.layer_vectors;
  } else {
    p.layers = count.expert_layer_matrices / t + count.expert_layer_vectors;
    p.experts = count.routed_experts / (t * static_cast<double>(s.expert_parallel));
  }
  return p;
}

StageParameters stage_parameters(const model::ParameterCounts& count,
                                 const catalog::ModelShape& shape, const Strategy& s,
                                 const StageKind& kind) {
  const auto t = static_cast<double>(s.tensor_parallel);
  StageParameters p;
  const StageParameters dense = layer_parameters(count, s, model::LayerKind::dense);
  p.layers = kind.dense_layers * dense.layers;
  if (kind.expert_layers > 0) {
    const StageParameters experts = layer_parameters(count, s, model::LayerKind::experts);
    p.layers += kind.expert_layers * experts.layers;
    p.experts = kind.expert_layers * experts.experts;
  }
  if (kind.embedding)
    p.embedding = (count.token_embedding + count.patch_embedding) / t + count.position_embedding;
  if (kind.head) {
    p.head = count.output_head / t + count.final_norm;
    // A tied head on another stage than the embedding is a copy that is kept in step.
    if (shape.tied_embeddings && s.pipeline_parallel > 1) p.head += count.token_embedding / t;
  }
  return p;
}

StageParameters stage_parameters(const catalog::ModelShape& shape, const Strategy& s,
                                 std::int64_t stage) {
  return stage_parameters(model::count_parameters(shape), shape, s,
                          stage_kind(shape, s.pipeline_parallel, stage));
}

Training training_of(const Problem& p) {
  Training t;
  if (!is_training(p.task)) return t;
  t.embedding = !p.frozen.embedding;
  t.layers = !p.frozen.layers;
  t.head = !p.frozen.head;
  t.through_layers = t.embedding || t.layers;
  return t;
}

StageParameters trained(const Training& t, StageParameters p) {
  if (!t.embedding) p.embedding = 0;
  if (!t.layers) p.layers = p.experts = 0;
  if (!t.head) p.head = 0;
  return p;
}

}  // namespace greenline::plan
