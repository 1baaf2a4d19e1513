#include "plan/iteration.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "plan/data_exchange.hpp"
#include "plan/pipeline.hpp"

namespace greenline::plan {
namespace {

using base::Time;

// The stages of a pipeline, kind by kind, in order.
class Stages {
 public:
  Stages(const Problem& p, const Configuration& c) : problem_(p), c_(c) {}

  void add(const StageTime& s, const ExposedEachMicroBatch& each, std::int64_t stages) {
    kinds_[static_cast<std::size_t>(size_++)] = {
        {s.forward(), s.backward, s.weight_gradient, each.passing.forward, each.passing.backward,
         each.in_a_row.forward, each.in_a_row.backward, each.first_and_last},
        stages};
    const auto n = static_cast<double>(stages), chunks = static_cast<double>(c_.interleave);
    // With weight gradients put off, a stage has one more of them left than the stage before it.
    const bool split = c_.schedule == Schedule::zero_bubble;
    const Time behind = (split ? s.backward - 2 * s.weight_gradient : s.backward) / chunks;
    stages_ += n;
    forward_ += n / chunks * s.forward();
    backward_ += n * std::max(Time{}, behind);
    longest_backward_ = std::max(longest_backward_, behind);
  }
  // What shows of exchanges once an iteration, of the stage that is added next.
  void add_once(const ExposedOnce& once, std::int64_t stages) {
    start_ = std::max(start_, once.start - forward_);
    end_ = std::max(end_, once.end - backward_);
    passes_ += once.first + static_cast<double>(stages) * once.last;
    last_ += static_cast<double>(stages) * once.last;
    round_ = std::max(round_, once.round);
  }
  // While tokens follow one another, the next one's weights come in time.
  Time once() const {
    if (problem_.task == Task::decode) return Time{};
    if (c_.schedule == Schedule::zero_bubble) return start_ + end_ + passes_ + round_;
    // A round of the cool-down is as long as the passes of p micro-batches on the slowest stage, or
    // as those of the last micro-batch on all stages.
    const Time round = std::max(round_, last_ - (stages_ * longest_backward_ - backward_));
    return start_ + end_ + passes_ + static_cast<double>(c_.interleave - 1) * round;
  }
  Time pipeline() const {
    const std::span<const EqualStages> kinds(kinds_.data(), size_);
    const std::int64_t m = num_micro_batches(problem_, c_);
    if (is_training(problem_.task)) return pipeline_time(kinds, m, c_.interleave, c_.schedule);
    return problem_.task == Task::decode ? repeated_pipeline_time(kinds, m)
                                         : forward_pipeline_time(kinds, m);
  }

 private:
  const Problem& problem_;
  const Configuration& c_;
  std::array<EqualStages, StageKinds::kMost> kinds_;
  std::size_t size_ = 0;
  // Of the stages so far: one forward and one backward pass through a chunk of each.
  double stages_ = 0;
  Time forward_, backward_, longest_backward_;
  Time start_, end_, passes_, last_, round_;
};

struct StageShown {
  StageTime time;
  ExposedEachMicroBatch each;
  ExposedOnce once;
};

StageShown stage_shown(const Costs& x, const Configuration& c, const StageKind& kind) {
  StageShown stage{local_time(x, c, kind), {}, {}};
  if (!exchanges(c.strategy)) return stage;
  const Slots slots = slots_of(x, c, kind);
  const StageExchange exchange = stage_exchange(x, c, kind, slots);
  stage.each = exposed_each_micro_batch(x.problem, exchange, slots);
  stage.once = exposed_once(x.problem, c, exchange, slots);
  const PassTimes& each = stage.each.alternating;
  stage.time.data_parallel = each.forward + each.all_backward();
  stage.time.backward += each.all_backward();
  stage.time.weight_gradient += each.weight_gradient;
  return stage;
}

}  // namespace

StageTime stage_time(const Costs& x, const Configuration& c, const StageKind& kind) {
  return stage_shown(x, c, kind).time;
}

StageTime stage_time(const Problem& p, const Configuration& c, std::int64_t stage) {
  const model::ParameterCounts parameters = model::count_parameters(p.shape);
  const SliceCost slice = slice_cost(p, c);
  return stage_time(Costs{p, parameters, slice}, c,
                    stage_kind(p.shape, c.strategy.pipeline_parallel, stage));
}

Iteration iteration(const Costs& x, const Configuration& c) {
  const auto m = static_cast<double>(num_micro_batches(x.problem, c));
  Stages stages(x.problem, c);
  StageTime slowest;
  Time optimizer;  // of the stage that it keeps longest
  for (const StageKind& kind : stage_kinds(x.problem.shape, c.strategy.pipeline_parallel)) {
    const StageShown stage = stage_shown(x, c, kind);
    stages.add_once(stage.once, kind.stages);
    stages.add(stage.time, stage.each, kind.stages);
    optimizer = std::max(optimizer, optimizer_time(x, c, kind));
    if (stage.time.total() > slowest.total()) slowest = stage.time;
  }
  Iteration it;
  it.matmul = m * slowest.matmul;
  it.attention = m * slowest.attention;
  it.memory_bound = m * slowest.memory_bound;
  it.recompute = m * (slowest.recompute_compute + slowest.recompute_memory);
  it.tensor_parallel = m * slowest.tensor_parallel;
  it.context_parallel = m * slowest.context_parallel;
  it.expert_parallel = m * slowest.expert_parallel;
  it.pipeline = m * slowest.pipeline;
  // Less than nothing: what the very first and the very last pass have no exchange for.
  const Time beyond = stages.pipeline() - m * slowest.total();
  it.bubble = std::max(Time{}, beyond);
  it.data_parallel = m * slowest.data_parallel + std::min(Time{}, beyond) + stages.once() +
                     tied_exchange(x.problem, c.strategy);
  it.offload = m * slowest.offload;
  it.optimizer = optimizer;

  const Time total = it.total();
  it.busy.compute = (it.matmul + it.attention + m * slowest.recompute_compute) / total;
  it.busy.memory = (it.memory_bound + m * slowest.recompute_memory + it.optimizer) / total;
  it.busy.network = (it.tensor_parallel + it.context_parallel + it.expert_parallel + it.pipeline +
                     it.data_parallel + it.offload) /
                    total;
  it.busy.idle = it.bubble / total;
  return it;
}

Iteration iteration(const Problem& p, const Configuration& c) {
  const model::ParameterCounts parameters = model::count_parameters(p.shape);
  const SliceCost slice = slice_cost(p, c);
  return iteration(Costs{p, parameters, slice}, c);
}

IterationBound iteration_bound(const Costs& x, const Configuration& c) {
  const auto m = static_cast<double>(num_micro_batches(x.problem, c));
  Stages stages(x.problem, c);
  IterationBound least;
  bool is_first = true;
  // Busy is the slowest stage, which exchanges between data-parallel ranks decide as well: any of
  // them may be it.
  const auto take_less = [&](Time& sum, Time one) { sum = is_first ? one : std::min(sum, one); };
  for (const StageKind& kind : stage_kinds(x.problem.shape, c.strategy.pipeline_parallel)) {
    const StageTime s = local_time(x, c, kind);
    stages.add(s, {}, kind.stages);
    take_less(least.compute, m * (s.matmul + s.attention + s.recompute_compute));
    take_less(least.memory, m * (s.memory_bound + s.recompute_memory));
    take_less(least.network,
              m * (s.tensor_parallel + s.context_parallel + s.expert_parallel + s.pipeline));
    is_first = false;
  }
  least.total = stages.pipeline();
  // Sums of the same parts in another order differ by rounding.
  constexpr double kRounding = 1e-9;
  for (Time* t : {&least.total, &least.compute, &least.memory, &least.network}) *t *= 1 - kRounding;
  return least;
}

Time iteration_lower_bound(const Costs& x, const Configuration& c) {
  return iteration_bound(x, c).total;
}

}  // namespace greenline::plan
