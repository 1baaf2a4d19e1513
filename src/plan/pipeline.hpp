// Pipelines of unequal stages: the order in which each stage works, the schedule task by task, and
// its length in closed form.
#pragma once

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
  // By this a pass is shorter than where forward and backward passes take turns: on a stage that
  // has nothing else to do, and among passes of the same kind (there it may be longer: negative).
  base::Time passing_forward{}, passing_backward{};
  base::Time row_forward{}, row_backward{};
  base::Time first_and_last{};  // the very first and the very last pass, together
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
