// The pipeline schedules task by task, on the timeline: the slow form of plan/iteration's closed
// form.
#pragma once

#include <cstdint>
#include <vector>

#include "base/quantity.hpp"
#include "model/timeline.hpp"

namespace greenline::plan {

// Tags of the tasks.
enum PipelineTag : int { kForward = 0, kBackward = 1 };

// Forward and backward time of one micro-batch on each stage (all its chunks together).
struct StageWork {
  base::Time forward, backward;
};

// 1F1B (chunks 1) or the interleaved schedule (narayanan2021 section 2.2), one processor per stage.
// The interleaved schedule needs micro-batches in multiples of the stages (InternalError
// otherwise).
model::Timeline pipeline_schedule(const std::vector<StageWork>& stages, std::int64_t micro_batches,
                                  std::int64_t chunks);

}  // namespace greenline::plan
