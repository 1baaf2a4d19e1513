// The tasks of one pipeline stage: layer by layer on its compute processor, what it exchanges on
// processors of their own.
#pragma once

#include <cstdint>
#include <vector>

#include "model/timeline.hpp"
#include "plan/pipeline.hpp"
#include "plan/slice_cost.hpp"
#include "plan/stage.hpp"

namespace greenline::plan {

enum class TimelineTag : std::uint8_t {
  forward,
  backward,
  weight_gradient,  // where it is a pass of its own
  recompute,
  optimizer,
  tensor_exchange,
  context_exchange,
  expert_exchange,
  gather,             // weights
  scatter,            // gradients, to their owners
  gradient_exchange,  // sums over data-parallel ranks
  send                // or receive, where a stage sends nothing
};
inline constexpr int kNumTimelineTags = 12;
const char* timeline_tag_name(TimelineTag tag);

// Each stage has these, in this order.
enum class StageProcessor : std::uint8_t { compute, exchange, data, send };
inline constexpr int kNumStageProcessors = 4;
inline int processor_of(std::int64_t stage, StageProcessor processor) {
  return static_cast<int>(stage) * kNumStageProcessors + static_cast<int>(processor);
}

// One pass of one micro-batch through one chunk. Task ids, -1: no task.
struct PieceTasks {
  int first = -1;         // waits for the neighbour
  int computed = -1;      // its result is known
  int sent = -1;          // its result is with the neighbour
  bool receives = false;  // `first` is a receive task: it runs while the neighbour sends
};

struct StageTasks {
  std::vector<PieceTasks> pieces;  // by piece_index
  std::vector<int> ends;           // after them nothing is left but the optimizer step
};
std::size_t piece_index(const PipelineShape& shape, const Piece& piece);

// All tasks of one stage of the pipeline `shape`, without those that wait for other stages' results
// waiting for them yet. `by_layer` false: micro-batches between the first and the last pass a chunk
// in one task, unless layers are gathered or scattered one by one.
StageTasks add_stage(model::Timeline& timeline, const Costs& costs,
                     const Configuration& configuration, const PipelineShape& shape,
                     const StageKind& kind, std::int64_t stage, bool by_layer);

}  // namespace greenline::plan
