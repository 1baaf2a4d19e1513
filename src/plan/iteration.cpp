#include "plan/iteration.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <span>

#include "plan/data_exchange.hpp"
#include "plan/pipeline.hpp"
#include "plan/pipeline_run.hpp"

namespace greenline::plan {
namespace {

using base::Time;

// The stages of a pipeline without exchanges between data-parallel ranks.
struct Stages {
  std::array<StageTime, StageKinds::kMost> times;
  std::array<EqualStages, StageKinds::kMost> works;
  std::size_t size = 0;

  void add(const StageTime& s, std::int64_t stages) {
    times[size] = s;
    works[size++] = {{s.forward(), s.backward, s.weight_gradient}, stages};
  }
  std::span<const StageTime> each() const { return {times.data(), size}; }
  // In closed form, never longer than they are but for sends.
  Time pipeline(const Problem& p, const Configuration& c) const {
    const std::span<const EqualStages> kinds(works.data(), size);
    const std::int64_t m = num_micro_batches(p, c);
    if (is_training(p.task)) return pipeline_time(kinds, m, c.interleave, c.schedule);
    return p.task == Task::decode ? repeated_pipeline_time(kinds, m)
                                  : forward_pipeline_time(kinds, m);
  }
};

Stages stages_of(const Costs& x, const Configuration& c) {
  Stages stages;
  for (const StageKind& kind : stage_kinds(x.problem.shape, c.strategy.pipeline_parallel))
    stages.add(local_time(x, c, kind), kind.stages);
  return stages;
}

model::BusyFractions busy_fractions(const Iteration& it, Time computing, Time moving_memory) {
  const Time total = it.total();
  model::BusyFractions busy;
  busy.compute = computing / total;
  busy.memory = (moving_memory + it.optimizer) / total;
  busy.network = (it.tensor_parallel + it.context_parallel + it.expert_parallel + it.pipeline +
                  it.data_parallel + it.offload) /
                 total;
  busy.idle = it.bubble / total;
  return busy;
}

}  // namespace

StageTime stage_time(const Problem& p, const Configuration& c, std::int64_t stage) {
  const model::ParameterCounts parameters = model::count_parameters(p.shape);
  const SliceCost slice = slice_cost(p, c);
  return local_time(Costs{p, parameters, slice}, c,
                    stage_kind(p.shape, c.strategy.pipeline_parallel, stage));
}

Iteration iteration(const Costs& x, const Configuration& c) {
  const auto m = static_cast<double>(num_micro_batches(x.problem, c));
  const Stages stages = stages_of(x, c);
  const StageTime slowest = *std::ranges::max_element(stages.each(), {}, &StageTime::total);
  const Time work = m * slowest.total();
  Iteration it;
  it.matmul = m * slowest.matmul;
  it.attention = m * slowest.attention;
  it.memory_bound = m * slowest.memory_bound;
  it.recompute = m * (slowest.recompute_compute + slowest.recompute_memory);
  it.tensor_parallel = m * slowest.tensor_parallel;
  it.context_parallel = m * slowest.context_parallel;
  it.expert_parallel = m * slowest.expert_parallel;
  it.pipeline = m * slowest.pipeline;
  it.offload = m * slowest.offload;
  for (const StageKind& kind : stage_kinds(x.problem.shape, c.strategy.pipeline_parallel))
    it.optimizer = std::max(it.optimizer, optimizer_time(x, c, kind));
  // Without exchanges all else is bubble; with them, what they add to the pipeline without.
  const bool exchange = exchanges(c.strategy) || tied_exchange(x.problem, c.strategy) > Time{};
  const bool single = c.strategy.pipeline_parallel == 1;
  const Time all = single && !exchange ? work : std::max(work, pipeline_run(x, c));
  Time alone = all;
  if (exchange) alone = single ? work : std::clamp(stages.pipeline(x.problem, c), work, all);
  it.bubble = alone - work;
  it.data_parallel = all - alone;
  it.busy = busy_fractions(it, m * slowest.computing(), m * slowest.moving_memory());
  return it;
}

Iteration iteration(const Problem& p, const Configuration& c) {
  const model::ParameterCounts parameters = model::count_parameters(p.shape);
  const SliceCost slice = slice_cost(p, c);
  return iteration(Costs{p, parameters, slice}, c);
}

// Sums of the same parts in another order differ by rounding.
constexpr double kRounding = 1e-9;

IterationBound iteration_bound(const Costs& x, const Configuration& c) {
  const auto m = static_cast<double>(num_micro_batches(x.problem, c));
  const Stages stages = stages_of(x, c);
  IterationBound least;
  // Busy is the slowest stage: any of them may be it.
  bool is_first = true;
  const auto take_less = [&](Time& sum, Time one) { sum = is_first ? one : std::min(sum, one); };
  for (const StageTime& s : stages.each()) {
    take_less(least.compute, m * s.computing());
    take_less(least.memory, m * s.moving_memory());
    take_less(least.network,
              m * (s.tensor_parallel + s.context_parallel + s.expert_parallel + s.pipeline));
    is_first = false;
  }
  // The ends receive while their neighbours send: a path there has one send where its stages have
  // two. It goes right and left, at most twice each.
  Time work;
  for (const StageTime& s : stages.each()) work = std::max(work, m * s.total());
  least.total = std::max(work, stages.pipeline(x.problem, c) - 4 * pipeline_send(x.problem, c));
  for (Time* t : {&least.total, &least.compute, &least.memory, &least.network}) *t *= 1 - kRounding;
  return least;
}

IterationBound closer_bound(IterationBound bound, const Costs& x, const Configuration& c) {
  if (exchanges(c.strategy))
    bound.total = std::max(bound.total, (1 - kRounding) * least_pipeline_run(x, c));
  return bound;
}

Time iteration_lower_bound(const Costs& x, const Configuration& c) {
  return iteration_bound(x, c).total;
}

}  // namespace greenline::plan
