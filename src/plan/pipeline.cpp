#include "plan/pipeline.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace greenline::plan {
namespace {

// Forward passes before the first backward pass.
std::int64_t warm_up(const PipelineShape& s, std::int64_t stage) {
  const std::int64_t behind = s.stages - stage - 1;
  return s.chunks == 1 ? behind : 2 * behind + (s.chunks - 1) * s.stages;
}

class ScheduleBuilder {
 public:
  ScheduleBuilder(const PipelineShape& shape, const std::vector<StageWork>& work)
      : shape_(shape),
        work_(work),
        ids_(static_cast<std::size_t>(3 * shape.stages * shape.chunks * shape.micro_batches), -1) {}

  model::Timeline build() {
    for (std::int64_t i = 0; i < shape_.stages; ++i)
      for (const Piece& x : stage_order(shape_, i))
        id(i, x) = timeline_.add(static_cast<int>(i), static_cast<int>(x.pass), length(i, x));
    for (std::int64_t i = 0; i < shape_.stages; ++i)
      for (const Piece& x : stage_order(shape_, i))
        if (const auto before = needed_by(shape_, i, x))
          timeline_.depend(id(i, x), id(before->stage, before->piece));
    return std::move(timeline_);
  }

 private:
  int& id(std::int64_t stage, const Piece& x) {
    const std::int64_t pass = static_cast<std::int64_t>(x.pass);
    return ids_[static_cast<std::size_t>(
        ((stage * 3 + pass) * shape_.chunks + x.chunk) * shape_.micro_batches + x.micro_batch)];
  }
  base::Time length(std::int64_t stage, const Piece& x) const {
    const StageWork& w = work_[static_cast<std::size_t>(stage)];
    const auto share = static_cast<double>(shape_.chunks);
    if (x.pass == Pass::forward) return w.forward / share;
    if (x.pass == Pass::weight_gradient) return w.weight_gradient / share;
    const bool split = shape_.schedule == Schedule::zero_bubble;
    return (split ? w.backward - w.weight_gradient : w.backward) / share;
  }

  const PipelineShape& shape_;
  const std::vector<StageWork>& work_;
  std::vector<int> ids_;  // (num_stages, num_passes, num_chunks, num_micro_batches) tasks
  model::Timeline timeline_;
};

}  // namespace

std::vector<Piece> stage_order(const PipelineShape& s, std::int64_t stage) {
  GL_CHECK_GE(s.micro_batches, std::int64_t{1});
  GL_CHECK_GE(s.chunks, std::int64_t{1});
  if (s.chunks > 1) GL_CHECK_EQ(s.micro_batches % s.stages, std::int64_t{0});
  std::vector<Piece> order;
  for (StageTurns turns(s, stage); !turns.done(); turns.advance())
    order.push_back(piece_of(s, turns.pass(), turns.number()));
  return order;
}

StageTurns::StageTurns(const PipelineShape& s, std::int64_t stage)
    : total_(s.micro_batches * s.chunks),
      ahead_(warm_up(s, stage)),
      put_off_(stage),
      training_(s.training),
      splits_(s.training && s.schedule == Schedule::zero_bubble) {
  left_ = total_ * (splits_ ? 3 : training_ ? 2 : 1);
}

std::optional<PieceOnStage> needed_by(const PipelineShape& s, std::int64_t stage, const Piece& x) {
  if (x.pass == Pass::weight_gradient) return {};
  const std::int64_t last = s.stages - 1;
  if (x.pass == Pass::forward) {
    if (stage > 0) return PieceOnStage{stage - 1, x};
    if (x.chunk > 0) return PieceOnStage{last, {Pass::forward, x.chunk - 1, x.micro_batch}};
    return {};
  }
  if (stage < last) return PieceOnStage{stage + 1, x};
  if (x.chunk < s.chunks - 1) return PieceOnStage{0, {Pass::backward, x.chunk + 1, x.micro_batch}};
  return PieceOnStage{last, {Pass::forward, x.chunk, x.micro_batch}};
}

model::Timeline pipeline_schedule(const std::vector<StageWork>& stages, std::int64_t micro_batches,
                                  std::int64_t chunks, Schedule schedule) {
  const PipelineShape shape{static_cast<std::int64_t>(stages.size()), micro_batches, chunks,
                            schedule, true};
  return ScheduleBuilder(shape, stages).build();
}

}  // namespace greenline::plan
