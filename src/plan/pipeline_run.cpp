#include "plan/pipeline_run.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "plan/data_exchange.hpp"
#include "plan/stage_run.hpp"

namespace greenline::plan {
namespace {

using base::Time;

class Runner {
 public:
  // `repeats`: a micro-batch that comes round again after as many others, 0: none does.
  Runner(const PipelineShape& shape, const std::vector<StageSlots>& stages, std::int64_t repeats)
      : shape_(shape),
        stages_(stages),
        repeats_(repeats),
        last_(shape.stages - 1),
        total_(shape.micro_batches * shape.chunks),
        forward_(static_cast<std::size_t>(shape.stages * total_)),
        backward_(shape.training ? forward_.size() : 0) {
    runs_.reserve(stages.size());
    for (std::int64_t i = 0; i < shape.stages; ++i)
      runs_.emplace_back(stages[static_cast<std::size_t>(i)], shape_, i);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  double run(Time tied) {
    for (bool all_done = false; !all_done;) {
      all_done = true;
      for (std::size_t i = 0; i < runs_.size(); ++i) {
        advance(i);
        all_done = all_done && runs_[i].turns().done();
      }
    }
    std::vector<double> ends;
    ends.reserve(runs_.size());
    for (StageRun& stage : runs_) ends.push_back(stage.end());
    const double longest = *std::max_element(ends.begin(), ends.end());
    if (tied <= Time{}) return longest;
    return std::max(longest, std::max(ends.front(), ends.back()) + tied.base_value());
  }

  // What a micro-batch more adds, once all stages have added the same for a while, pass by pass or
  // in rounds of p micro-batches: nothing else is going to change.
  std::optional<double> pace() const {
    if (shape_.chunks == 1) return pace(1, 3);
    // Where chunks exchange each time, some exchange more than others.
    if (!stages_.front().each_micro_batch)
      if (const auto each = pace(1, shape_.stages + 1)) return each;
    return pace(shape_.stages * shape_.chunks, 3);
  }

 private:
  // `passes` in each of so many `periods` before the cool-down.
  std::optional<double> pace(std::int64_t passes, std::int64_t periods) const {
    const std::vector<double>& known = shape_.training ? backward_ : forward_;
    const std::int64_t newest = total_ - 1 - cool_down();
    if (newest < passes * periods) return {};
    double pace = 0;
    for (std::int64_t i = 0; i < shape_.stages; ++i) {
      const double* at_newest = &known[at(i, newest)];
      const double tolerance = kRounding * *at_newest;
      const double latest = *at_newest - at_newest[-passes];
      for (std::int64_t k = passes; k < passes * periods; k += passes)
        if (std::abs(at_newest[-k] - at_newest[-k - passes] - latest) > tolerance) return {};
      if (shape_.training && i > 0 && std::abs(latest - pace) > tolerance) return {};
      pace = std::max(pace, latest);
    }
    return pace * static_cast<double>(shape_.chunks) / static_cast<double>(passes);
  }
  static constexpr double kRounding = 1e-12;

  // Passes of a kind after the last time that a stage turns from its forward passes.
  std::int64_t cool_down() const {
    return shape_.chunks > 1 ? (shape_.chunks + 1) * shape_.stages : shape_.stages;
  }

  std::size_t at(std::int64_t stage, std::int64_t number) const {
    return static_cast<std::size_t>(stage * total_ + number);
  }
  bool has_done(std::int64_t stage, Pass pass, std::int64_t number) const {
    return runs_[static_cast<std::size_t>(stage)].turns().num_done(pass) > number;
  }

  void advance(std::size_t i) {
    const auto stage = static_cast<std::int64_t>(i);
    StageRun& run = runs_[i];
    while (!run.turns().done()) {
      const Pass pass = run.turns().pass();
      const std::int64_t number = run.turns().number();
      if (pass == Pass::weight_gradient) {
        run.run(0);
        continue;
      }
      const bool is_forward = pass == Pass::forward;
      const auto ready = is_forward ? forward_ready(stage, number) : backward_ready(stage, number);
      if (!ready) return;
      (is_forward ? forward_ : backward_)[at(stage, number)] = run.run(*ready);
    }
  }

  // The result of that pass of another stage, once it is here; none: not yet known.
  std::optional<double> result(std::int64_t from, Pass pass, std::int64_t number,
                               std::int64_t to) const {
    if (!has_done(from, pass, number)) return {};
    const double known = (pass == Pass::forward ? forward_ : backward_)[at(from, number)];
    const StageSlots& z = stages_[static_cast<std::size_t>(from)];
    return runs_[static_cast<std::size_t>(to)].receives() || !z.passes_on(pass) ? known
                                                                                : known + z.send;
  }
  // Passes of all stages have the same numbers; those of the next chunk follow p later.
  std::optional<double> forward_ready(std::int64_t stage, std::int64_t number) const {
    if (stage > 0) return result(stage - 1, Pass::forward, number, stage);
    if (follows_chunk(number)) return result(last_, Pass::forward, number - shape_.stages, stage);
    if (repeats_ == 0 || number < repeats_) return 0;
    if (!has_done(last_, Pass::forward, number - repeats_)) return {};
    return forward_[at(last_, number - repeats_)];
  }
  std::optional<double> backward_ready(std::int64_t stage, std::int64_t number) const {
    if (stage < last_) return result(stage + 1, Pass::backward, number, stage);
    if (follows_chunk(number)) return result(0, Pass::backward, number - shape_.stages, stage);
    return forward_[at(last_, number + (shape_.chunks - 1) * shape_.stages)];
  }
  bool follows_chunk(std::int64_t number) const {
    return shape_.chunks > 1 && number % (shape_.stages * shape_.chunks) >= shape_.stages;
  }

  PipelineShape shape_;
  const std::vector<StageSlots>& stages_;
  std::int64_t repeats_, last_, total_;
  std::vector<double> forward_, backward_;  // (num_stages, num_passes) when results are known
  std::vector<StageRun> runs_;
};

class PipelineRun {
 public:
  PipelineRun(const Costs& x, const Configuration& c)
      : micro_batches_(num_micro_batches(x.problem, c)) {
    const Problem& p = x.problem;
    shape_ = {c.strategy.pipeline_parallel, micro_batches_, c.interleave, c.schedule,
              is_training(p.task)};
    for (const StageKind& kind : stage_kinds(p.shape, shape_.stages)) {
      const Slots slots = slots_of(x, c, kind);
      const StageExchange exchange = stage_exchange(x, c, kind, slots);
      stages_.insert(stages_.end(), static_cast<std::size_t>(kind.stages),
                     StageSlots(p, shape_, kind, slots, exchange));
    }
    tied_ = tied_exchange(p, c.strategy);
  }

  double decode() { return repeated(3) - repeated(2); }

  double run() {
    // Enough for warm-up, cool-down, and a while between, unless that is a good part of all.
    std::int64_t few = shape_.chunks > 1 ? 4 * shape_.stages : 2 * shape_.stages + 10;
    for (; 3 * few <= micro_batches_; few *= 2) {
      Runner runner = with(few, 0);
      const double time = runner.run(tied_);
      if (const auto pace = runner.pace())
        return time + static_cast<double>(micro_batches_ - few) * *pace;
    }
    return with(micro_batches_, 0).run(tied_);
  }

 private:
  double repeated(std::int64_t steps) {
    return with(steps * micro_batches_, micro_batches_).run(Time{});
  }
  Runner with(std::int64_t micro_batches, std::int64_t repeats) {
    shape_.micro_batches = micro_batches;
    for (StageSlots& stage : stages_) stage.micro_batches = micro_batches;
    return {shape_, stages_, repeats};
  }

  std::int64_t micro_batches_;
  PipelineShape shape_;
  std::vector<StageSlots> stages_;
  Time tied_;
};

// A stage as if its neighbours always kept up: `before` it has its first micro-batch, `after` its
// last backward pass all is over. None: its passes do not settle.
std::optional<double> alone(const StageSlots& z, PipelineShape shape, std::int64_t index,
                            std::int64_t micro_batches, double before, double after) {
  StageRun run(z, shape, index);
  const Pass completes = shape.training ? Pass::backward : Pass::forward;
  // Ends of passes, and where those stand whose number is p chunks less.
  std::vector<double> known;
  known.reserve(static_cast<std::size_t>(shape.micro_batches * shape.chunks));
  while (!run.turns().done()) {
    const bool counts = run.turns().pass() == completes;
    const double end = run.run(before);
    if (counts) known.push_back(end);
  }
  double longest = std::max(run.end(), known.back() + after);
  if (shape.micro_batches == micro_batches) return longest;
  const auto round =
      static_cast<std::size_t>(shape.chunks > 1 ? shape.chunks * shape.stages : shape.chunks);
  const auto behind = static_cast<std::size_t>(shape.chunks > 1 ? (shape.chunks + 1) * shape.stages
                                                                : shape.stages - index);
  if (known.size() < behind + 2 * round + 1) return {};
  const double* newest = &known[known.size() - 1 - behind];
  const double pace = *newest - newest[-static_cast<std::ptrdiff_t>(round)];
  const double pace_before =
      newest[-static_cast<std::ptrdiff_t>(round)] - newest[-2 * static_cast<std::ptrdiff_t>(round)];
  if (std::abs(pace - pace_before) > 1e-12 * *newest) return {};
  const double rounds = static_cast<double>(micro_batches - shape.micro_batches) /
                        static_cast<double>(shape.chunks > 1 ? shape.stages : 1);
  return longest + rounds * pace;
}

}  // namespace

Time pipeline_run(const Costs& x, const Configuration& c) {
  PipelineRun pipeline(x, c);
  return Time::from_base(x.problem.task == Task::decode ? pipeline.decode() : pipeline.run());
}

Time least_pipeline_run(const Costs& x, const Configuration& c) {
  const Problem& p = x.problem;
  if (p.task == Task::decode || c.strategy.pipeline_parallel == 1) return Time{};
  const std::int64_t m = num_micro_batches(p, c);
  PipelineShape shape{c.strategy.pipeline_parallel, m, c.interleave, c.schedule,
                      is_training(p.task)};
  double before = 0, after = 0, longest = 0;
  for (const StageKind& kind : stage_kinds(p.shape, shape.stages)) {
    const Slots slots = slots_of(x, c, kind);
    const std::int64_t index = kind.last(), behind = shape.stages - 1 - index;
    shape.micro_batches =
        std::min(m, shape.chunks > 1 ? 4 * shape.stages : behind + std::min(index, behind) + 8);
    const StageSlots z(p, shape, kind, slots, stage_exchange(x, c, kind, slots));
    const auto others = static_cast<double>(kind.stages - 1);
    const double forward = z.passes[0].whole, backward = z.passes[1].whole;
    const auto least =
        alone(z, shape, index, m, before + others * forward, after + others * backward);
    if (least) longest = std::max(longest, *least);
    before += (others + 1) * forward;
    after += (others + 1) * backward;
  }
  return Time::from_base(longest);
}

}  // namespace greenline::plan
