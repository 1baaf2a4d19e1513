// The iteration of plan/iteration.hpp as tasks: the slow form, for pictures, traces and proofs. A
// test holds both together to 1 %.
//
// One device of each pipeline stage stands for all that do the same; the processors of stage i are
// 4i compute, 4i + 1 exchange (tensor, context and expert parallel), 4i + 2 data (data parallel),
// 4i + 3 sends.
#pragma once

#include "model/breakdown.hpp"
#include "model/timeline.hpp"
#include "plan/configuration.hpp"
#include "plan/timeline_stage.hpp"

namespace greenline::plan {

struct TimelineForm {
  model::Timeline timeline;
  model::Schedule schedule;
  model::TimelineNames names;
  // The makespan; in decoding, what one more step adds while another one runs.
  base::Time iteration;
  // Of the busiest stage: its sum is the makespan.
  std::int64_t stage = 0;
  model::Breakdown breakdown;
};

// Layer by layer while that makes no more than a million tasks or so, else a chunk at once where
// nothing happens between its layers. UnsupportedError "timeline-size" beyond 20 million tasks,
// "timeline-offload" for activations on the host.
TimelineForm timeline_form(const Problem& problem, const Configuration& configuration);

}  // namespace greenline::plan
