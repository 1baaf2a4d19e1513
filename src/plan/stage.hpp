// What stands on each pipeline stage. Stages differ by position only, so that a few kinds describe
// any number of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "model/workload.hpp"
#include "plan/configuration.hpp"

namespace greenline::plan {

// `stages` neighbouring stages from `first` on that hold the same.
struct StageKind {
  std::int64_t first = 0, stages = 1;
  double dense_layers = 0, expert_layers = 0;  // of each stage
  bool embedding = false, head = false;

  double layers() const { return dense_layers + expert_layers; }
  std::int64_t last() const { return first + stages - 1; }
};

// First stage, last stage, and what changes between them: stages with a layer more, stages with
// other kinds of layers.
class StageKinds {
 public:
  static constexpr int kMost = 6;
  void add(const StageKind& kind) { kinds_[static_cast<std::size_t>(size_++)] = kind; }
  const StageKind* begin() const { return kinds_.data(); }
  const StageKind* end() const { return kinds_.data() + size_; }
  int size() const { return size_; }
  const StageKind& operator[](int i) const { return kinds_[static_cast<std::size_t>(i)]; }

 private:
  std::array<StageKind, kMost> kinds_;
  int size_ = 0;
};

// Layers on pipeline stage i; the first stages carry one more when the depth does not divide
// evenly.
std::int64_t stage_layers(const catalog::ModelShape& shape, std::int64_t stages,
                          std::int64_t stage);

StageKind stage_kind(const catalog::ModelShape& shape, std::int64_t stages, std::int64_t stage);
StageKinds stage_kinds(const catalog::ModelShape& shape, std::int64_t stages);

// Parameters of one device: what is divided by tensor parallelism alone, and routed experts, which
// expert parallelism divides as well.
struct StageParameters {
  double layers = 0, embedding = 0, head = 0;
  double experts = 0;
  double shared() const { return layers + embedding + head; }
  double total() const { return shared() + experts; }
};
StageParameters stage_parameters(const model::ParameterCounts& count,
                                 const catalog::ModelShape& shape, const Strategy& strategy,
                                 const StageKind& kind);
StageParameters stage_parameters(const catalog::ModelShape& shape, const Strategy& strategy,
                                 std::int64_t stage);
// Of one layer.
StageParameters layer_parameters(const model::ParameterCounts& count, const Strategy& strategy,
                                 model::LayerKind kind);

// Parts of a model whose weights change, and parts that pass gradients on to them.
struct Training {
  bool embedding = false, layers = false, head = false;
  bool through_layers = false;  // layers or what stands below them trains
  bool any() const { return embedding || layers || head; }
};
Training training_of(const Problem& problem);

// Those of them that change in training.
StageParameters trained(const Training& training, StageParameters parameters);

}  // namespace greenline::plan
