// Pipelines of unequal stages: the order in which each stage works, the schedule task by task, and
// a closed form that is its length where stages are equal, and else never longer.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/quantity.hpp"
#include "model/timeline.hpp"
#include "plan/configuration.hpp"

namespace greenline::plan {

// What a stage does for one micro-batch, all its chunks together; each chunk takes an equal share.
struct StageWork {
  base::Time forward, backward;
  base::Time weight_gradient{};  // part of `backward` that the zero-bubble schedule puts off
};

enum class Pass : std::uint8_t { forward, backward, weight_gradient };

struct Piece {
  Pass pass = Pass::forward;
  std::int64_t chunk = 0, micro_batch = 0;
  bool operator==(const Piece&) const = default;
};

struct PipelineShape {
  std::int64_t stages = 1, micro_batches = 1, chunks = 1;
  Schedule schedule = Schedule::one_f_one_b;
  bool training = true;  // else forward passes alone
};

// Order of work on one stage: 1F1B (chunks 1), the interleaved schedule (narayanan2021 section 2.2:
// micro-batches in multiples of the stages, InternalError otherwise), ZB-H1 (qi2024 section 2.1:
// stage i puts off i weight gradients), or all forward passes.
std::vector<Piece> stage_order(const PipelineShape& shape, std::int64_t stage);

// The same one by one: which pass is next on a stage, and the how manyth of its kind it is.
class StageTurns {
 public:
  StageTurns(const PipelineShape& shape, std::int64_t stage);
  bool done() const { return left_ == 0; }
  Pass pass() const { return next_; }  // the next one
  std::int64_t number() const { return num_done(next_); }
  std::int64_t num_done(Pass pass) const { return done_[static_cast<std::size_t>(pass)]; }
  void advance() {
    ++done_[static_cast<std::size_t>(next_)];
    --left_;
    next_ = next();
  }

 private:
  Pass next() const;

  std::int64_t total_ = 0, ahead_ = 0, put_off_ = 0, left_ = 0;
  bool training_ = true, splits_ = false;
  Pass next_ = Pass::forward;
  std::array<std::int64_t, 3> done_{};  // by Pass
};
inline Pass StageTurns::next() const {
  const auto& [forward, backward, weight_gradients] = done_;
  if (!training_) return Pass::forward;
  if (splits_ && weight_gradients < backward - put_off_) return Pass::weight_gradient;
  if (forward < std::min(total_, ahead_ + backward + 1)) return Pass::forward;
  return backward < total_ ? Pass::backward : Pass::weight_gradient;
}

// Chunk and micro-batch of the pass of that number: groups of p micro-batches go through chunk 0,
// then chunk 1, and so on; backward passes go through the chunks the other way.
inline Piece piece_of(const PipelineShape& s, Pass pass, std::int64_t number) {
  if (s.chunks == 1) return {pass, 0, number};
  // In 32 bits: divisions are what a search waits for here.
  const auto k = static_cast<std::uint32_t>(number), p = static_cast<std::uint32_t>(s.stages);
  const auto chunks = static_cast<std::uint32_t>(s.chunks), groups = k / p;
  const std::int64_t chunk = groups % chunks;
  return {pass, pass == Pass::backward ? s.chunks - 1 - chunk : chunk,
          std::int64_t{groups / chunks * p + k % p}};
}

// The piece of another stage, or of the last stage itself, whose result `piece` needs.
struct PieceOnStage {
  std::int64_t stage = 0;
  Piece piece;
};
std::optional<PieceOnStage> needed_by(const PipelineShape& shape, std::int64_t stage,
                                      const Piece& piece);

// One processor per stage; tags are those of Pass.
model::Timeline pipeline_schedule(const std::vector<StageWork>& stages, std::int64_t micro_batches,
                                  std::int64_t chunks, Schedule schedule = Schedule::one_f_one_b);

// `stages` neighbours with the same work.
struct EqualStages {
  StageWork work;
  std::int64_t stages = 1;
};

// Makespan of that schedule without building it. Of p equal stages with forward F, backward B
// (weight gradients W among it), m micro-batches and v chunks a rank:
//   1F1B, interleaved   m (F + B) + (p - 1)(F + B) / v      (narayanan2021 section 2.2)
//   ZB-H1               m (F + B) + (p - 1)(F + B - 2 W)    (qi2024 section 2.3, where B is without
//                       W; m >= p, W no longer than F and B - W)
//   forward passes      m F + (p - 1) F
// Of unequal ones the longest of the paths that loop on one stage: those that reach it through the
// warm-up, or through the last stage and back (docs/methods/mad-max.md).
base::Time pipeline_time(std::span<const EqualStages> stages, std::int64_t micro_batches,
                         std::int64_t chunks, Schedule schedule = Schedule::one_f_one_b);
base::Time forward_pipeline_time(std::span<const EqualStages> stages, std::int64_t micro_batches);
// What a forward pass adds when each micro-batch comes round again as soon as it is through and its
// stage is free: max(m F, p F).
base::Time repeated_pipeline_time(std::span<const EqualStages> stages, std::int64_t micro_batches);
// Each stage on its own.
base::Time pipeline_time(const std::vector<StageWork>& stages, std::int64_t micro_batches,
                         std::int64_t chunks, Schedule schedule = Schedule::one_f_one_b);

}  // namespace greenline::plan
