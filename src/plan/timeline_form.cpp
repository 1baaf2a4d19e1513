#include "plan/timeline_form.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "plan/data_exchange.hpp"

namespace greenline::plan {
namespace {

using base::Time;

constexpr double kManyTasks = 1e6, kMostTasks = 2e7;

class FormBuilder {
 public:
  FormBuilder(const Costs& costs, const Configuration& c, std::int64_t steps)
      : costs_(costs), c_(c), steps_(steps) {
    const Problem& p = costs.problem;
    shape_ = {c.strategy.pipeline_parallel, steps * num_micro_batches(p, c), c.interleave,
              c.schedule, is_training(p.task)};
  }

  model::Timeline build() {
    const bool by_layer = tasks_by_layer() <= kManyTasks;
    for (std::int64_t i = 0; i < shape_.stages; ++i)
      stages_.push_back(add_stage(timeline_, costs_, c_, shape_,
                                  stage_kind(costs_.problem.shape, shape_.stages, i), i, by_layer));
    for (std::int64_t i = 0; i < shape_.stages; ++i) connect(i);
    if (shape_.training)
      optimize();
    else if (steps_ > 1)
      repeat();
    return std::move(timeline_);
  }

 private:
  double tasks_by_layer() const {
    const Problem& p = costs_.problem;
    // Forward and backward pass of a layer: computation, its exchanges, its weights and gradients.
    constexpr double kTasksPerLayer = 8;
    const double passes = static_cast<double>(shape_.micro_batches) *
                          static_cast<double>(p.shape.layers + shape_.stages);
    if (passes > kMostTasks)
      throw base::UnsupportedError(
          "timeline-size",
          fmt::format("the iteration has {} micro-batches of {} layers: too many tasks to list",
                      shape_.micro_batches, p.shape.layers),
          "leave --timeline out: the closed form has no such limit");
    return kTasksPerLayer * passes;
  }

  void connect(std::int64_t stage) {
    for (const Piece& x : stage_order(shape_, stage)) {
      const auto before = needed_by(shape_, stage, x);
      if (!before) continue;
      const PieceTasks& own = tasks(stage, x);
      const PieceTasks& other = tasks(before->stage, before->piece);
      timeline_.depend(own.first, own.receives ? other.computed : other.sent);
    }
  }
  const PieceTasks& tasks(std::int64_t stage, const Piece& x) const {
    return stages_[static_cast<std::size_t>(stage)].pieces[piece_index(shape_, x)];
  }

  int add(std::int64_t stage, StageProcessor processor, TimelineTag tag, Time duration) {
    return timeline_.add(processor_of(stage, processor), static_cast<int>(tag), duration);
  }

  // Gradients of a tied embedding are summed, all stages learn the norm of all gradients, and then
  // each updates its own weights.
  void optimize() {
    const Problem& p = costs_.problem;
    const std::int64_t last = shape_.stages - 1;
    const Time tied = tied_exchange(p, c_.strategy);
    std::vector<int> ends;
    for (const StageTasks& s : stages_) ends.insert(ends.end(), s.ends.begin(), s.ends.end());
    if (tied > Time{}) {
      const int first_end = add(0, StageProcessor::data, TimelineTag::gradient_exchange, tied);
      const int last_end = add(last, StageProcessor::data, TimelineTag::gradient_exchange, tied);
      for (const std::int64_t stage : {std::int64_t{0}, last})
        for (const int before : stages_[static_cast<std::size_t>(stage)].ends) {
          timeline_.depend(first_end, before);
          timeline_.depend(last_end, before);
        }
      ends.push_back(first_end);
      ends.push_back(last_end);
    }
    const int norm = add(0, StageProcessor::compute, TimelineTag::optimizer, Time{});
    for (const int before : ends) timeline_.depend(norm, before);
    for (std::int64_t i = 0; i < shape_.stages; ++i) {
      const StageKind kind = stage_kind(p.shape, shape_.stages, i);
      const int step =
          add(i, StageProcessor::compute, TimelineTag::optimizer, optimizer_time(costs_, c_, kind));
      timeline_.depend(step, norm);
    }
  }

  // A sequence's next token follows its last one.
  void repeat() {
    const std::int64_t batches = shape_.micro_batches / steps_;
    for (std::int64_t k = batches; k < shape_.micro_batches; ++k)
      timeline_.depend(tasks(0, {Pass::forward, 0, k}).first,
                       tasks(shape_.stages - 1, {Pass::forward, 0, k - batches}).computed);
  }

  const Costs& costs_;
  const Configuration& c_;
  std::int64_t steps_;
  PipelineShape shape_;
  model::Timeline timeline_;
  std::vector<StageTasks> stages_;
};

model::TimelineNames names_of(std::int64_t stages) {
  constexpr const char* kProcessors[kNumStageProcessors] = {"compute", "exchange", "data", "send"};
  model::TimelineNames names;
  for (std::int64_t i = 0; i < stages; ++i)
    for (const char* processor : kProcessors)
      names.processors.push_back(stages == 1 ? processor
                                             : fmt::format("stage {} {}", i, processor));
  for (int tag = 0; tag < kNumTimelineTags; ++tag)
    names.tags.emplace_back(timeline_tag_name(static_cast<TimelineTag>(tag)));
  return names;
}

model::TagSets tag_sets() {
  model::TagSets sets;
  for (int tag = 0; tag < kNumTimelineTags; ++tag)
    (static_cast<TimelineTag>(tag) <= TimelineTag::optimizer ? sets.compute : sets.communication)
        .push_back(tag);
  return sets;
}

std::vector<int> processors_of(const model::Timeline& timeline, std::int64_t stage) {
  std::vector<int> out;
  for (int i = 0; i < kNumStageProcessors; ++i) {
    const int processor = processor_of(stage, static_cast<StageProcessor>(i));
    if (processor < timeline.num_processors()) out.push_back(processor);
  }
  return out;
}

std::int64_t busiest_stage(const model::Schedule& schedule, std::int64_t stages) {
  const auto busy = [&](std::int64_t i) {
    return schedule.busy[static_cast<std::size_t>(processor_of(i, StageProcessor::compute))];
  };
  std::int64_t busiest = 0;
  for (std::int64_t i = 1; i < stages; ++i)
    if (busy(i) > busy(busiest)) busiest = i;
  return busiest;
}

}  // namespace

TimelineForm timeline_form(const Problem& p, const Configuration& c) {
  if (c.offload == Offload::all)
    throw base::UnsupportedError("timeline-offload",
                                 "the timeline has no activations on their way to the host",
                                 "leave --timeline out, or offload the optimizer alone");
  const model::ParameterCounts parameters = model::count_parameters(p.shape);
  const SliceCost slice = slice_cost(p, c);
  const Costs costs{p, parameters, slice};
  TimelineForm form;
  form.timeline = FormBuilder(costs, c, 1).build();
  form.schedule = form.timeline.run();
  form.names = names_of(c.strategy.pipeline_parallel);
  form.iteration = form.schedule.makespan;
  if (p.task == Task::decode)
    form.iteration = FormBuilder(costs, c, 3).build().run().makespan -
                     FormBuilder(costs, c, 2).build().run().makespan;
  form.stage = busiest_stage(form.schedule, c.strategy.pipeline_parallel);
  form.breakdown = model::breakdown(form.timeline, form.schedule, tag_sets(),
                                    processors_of(form.timeline, form.stage));
  return form;
}

}  // namespace greenline::plan
