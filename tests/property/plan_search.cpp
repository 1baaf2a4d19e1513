// A search finds what trying everything finds, on small spaces of random machines and models, with
// any number of threads and ranks.
#include "reference/plan_search.hpp"

#include <algorithm>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/parallel.hpp"
#include "plan/evaluator.hpp"
#include "plan/search.hpp"
#include "plan_configurations.hpp"
#include "thread_ranks.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;

template <class T>
T any_of(std::initializer_list<T> from) {
  return *rc::gen::elementOf(std::vector<T>(from));
}

struct Setup {
  SearchTask task;
  Meter meter;
};

catalog::ModelShape any_shape(catalog::ModelShape shape) {
  shape.layers = any_of<std::int64_t>({2, 3, 4, 6, 8});
  shape.heads = any_of<std::int64_t>({4, 6, 8});
  shape.kv_heads = shape.heads / any_of<std::int64_t>({1, 2});
  shape.hidden = 64 * shape.heads;
  shape.head_size = 64;
  shape.ffn_hidden = 4 * shape.hidden;
  shape.vocabulary = any_of<std::int64_t>({1000, 50000});
  if (shape.experts) {
    shape.experts->experts = any_of<std::int64_t>({4, 6});
    shape.experts->active = 2;
    shape.experts->ffn_hidden = 2 * shape.hidden;
    shape.experts->dense_layers = any_of<std::int64_t>({0, 1});
  }
  return shape;
}

// Small enough for plain enumeration, with a device memory at which some fit and some do not.
Problem any_problem() {
  Problem p =
      problem_of(any_of({"llama3-8b", "megatron-22b"}), any_of({"dgx-h100", "dgx-a100-80"}), 8, 16);
  p.shape = any_shape(p.shape);
  p.system.devices_per_node = p.machine.devices_per_node = any_of<std::int64_t>({2, 4, 6, 8});
  p.sequence_length = any_of<std::int64_t>({256, 512, 1024});
  p.global_batch = any_of<std::int64_t>({4, 6, 8, 12, 16});
  p.overlap_gradients = *rc::gen::arbitrary<bool>();
  p.system.device.memory *= 0.0002 * *rc::gen::inRange(1, 200);
  return p;
}

Setup any_setup() {
  const catalog::Catalog facts{base::Settings{}};
  Setup s;
  const Problem p = any_problem();
  std::vector<std::int64_t> counts = *rc::gen::unique<std::vector<std::int64_t>>(
      2, rc::gen::elementOf(std::vector<std::int64_t>{1, 2, 3, 4, 6, 7, 8, 12, 16}));
  std::sort(counts.begin(), counts.end());
  for (const std::int64_t n : counts) {
    s.task.problems.push_back(p);
    s.task.problems.back().devices = n;
  }
  s.task.space.breadth = any_of({Breadth::usual, Breadth::all});
  s.task.objective =
      any_of({Objective::time, Objective::energy, Objective::carbon, Objective::cost});
  s.task.num_leaders = static_cast<std::size_t>(any_of({1, 3, 10}));
  s.meter = Meter(facts, p.system, 1.2, any_of({1.0, 1.1}));
  return s;
}

// Limits that some configurations keep and some do not.
ScoreLimits any_limits(const reference::PlainFindings& all) {
  ScoreLimits limits;
  if (all.leaders.empty()) return limits;
  const Score& s = all.leaders.front().score;
  const auto factor = [] { return 0.01 * *rc::gen::inRange(90, 300); };
  if (*rc::gen::arbitrary<bool>()) limits.time = factor() * s.time;
  if (*rc::gen::arbitrary<bool>()) limits.power = factor() * s.energy / s.time;
  if (*rc::gen::arbitrary<bool>()) limits.device_seconds = factor() * s.device_seconds;
  return limits;
}

bool same(const Candidate& a, const Candidate& b) {
  const Configuration &x = a.configuration, &y = b.configuration;
  return a.devices == b.devices && x.strategy == y.strategy && x.recompute == y.recompute &&
         x.micro_batch == y.micro_batch && x.interleave == y.interleave &&
         x.schedule == y.schedule && x.offload == y.offload && a.number == b.number &&
         a.score == b.score && a.memory == b.memory;
}
// Leaders count their equals; what else is kept does not.
bool same_leaders(const std::vector<Candidate>& a, const std::vector<Candidate>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const Candidate& x, const Candidate& y) { return same(x, y) && x.equals == y.equals; });
}
bool same(const std::vector<Candidate>& a, const std::vector<Candidate>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Candidate& x, const Candidate& y) { return same(x, y); });
}
bool same(const Findings& a, const Findings& b) {
  return same_leaders(a.leaders, b.leaders) && same(a.front, b.front) && same(a.cells, b.cells) &&
         a.counts.evaluated == b.counts.evaluated && a.counts.pruned() == b.counts.pruned() &&
         a.counts.past_limit == b.counts.past_limit &&
         a.shortest.has_value() == b.shortest.has_value() &&
         (!a.shortest || same(a.shortest->candidate, b.shortest->candidate));
}

RC_GTEST_PROP(PlanSearch, FindsWhatTryingEverythingFinds, ()) {
  Setup s = any_setup();
  s.task.limits = any_limits(reference::explore(s.task, s.meter));
  const reference::PlainFindings plain = reference::explore(s.task, s.meter);
  const Findings found = explore(s.task, s.meter, *base::alone(), base::no_progress());
  RC_ASSERT(same_leaders(found.leaders, plain.leaders));
  RC_ASSERT(same(found.front, plain.front));
  RC_ASSERT(same(found.cells, plain.cells));
  RC_ASSERT(found.counts.all() == plain.legal);
  RC_ASSERT(found.counts.does_not_fit == plain.legal - plain.fit);
}

RC_GTEST_PROP(PlanSearch, ThreadsAndRanksDoNotMatter, ()) {
  const Setup s = any_setup();
  base::set_num_threads(1);
  const Findings one = explore(s.task, s.meter, *base::alone(), base::no_progress());
  base::set_num_threads(2);
  const Findings two = explore(s.task, s.meter, *base::alone(), base::no_progress());
  base::set_num_threads(0);
  RC_ASSERT(same(one, two));
  const int size = any_of({2, 3, 5});
  std::vector<Findings> of_rank(static_cast<std::size_t>(size));
  ThreadRanks::run(size, [&](const std::shared_ptr<base::Communicator>& ranks) {
    of_rank[static_cast<std::size_t>(ranks->rank())] =
        explore(s.task, s.meter, *ranks, base::no_progress());
  });
  for (const Findings& found : of_rank) RC_ASSERT(same(one, found));
}

RC_GTEST_PROP(PlanSearch, TheLeastScoreIsNoMoreThanTheScore, ()) {
  Setup s = any_setup();
  Problem& p = s.task.problems.back();
  p.overlap_tensor = *rc::gen::arbitrary<bool>();
  p.task = any_of({Task::pretrain, Task::finetune, Task::prefill});
  s.task.space.breadth = Breadth::all;
  Evaluator evaluate(p);
  for (const Layout& layout : layouts(p, s.task.space).possible) {
    for_each_configuration(p, layout, s.task.space, [&](const Configuration& c) {
      const Iteration it = evaluate.iteration(c);
      const IterationBound least = evaluate.bound(c);
      RC_ASSERT(least.compute <= it.busy.compute * it.total());
      RC_ASSERT(least.memory <= it.busy.memory * it.total());
      RC_ASSERT(least.network <= it.busy.network * it.total());
      const Score score = s.meter.score(p.devices, it), bound = s.meter.least(p.devices, least);
      RC_ASSERT(bound.time < score.time);
      RC_ASSERT(bound.energy < score.energy);
      RC_ASSERT(bound.device_seconds < score.device_seconds);
      return true;
    });
  }
}

// The nearest passes its limits by as little as any.
RC_GTEST_PROP(PlanSearch, NothingIsNearerThanTheNearest, ()) {
  Setup s = any_setup();
  s.task.num_leaders = 1000000;
  const reference::PlainFindings plain = reference::explore(s.task, s.meter);
  RC_PRE(!plain.leaders.empty());
  s.task.limits = {0.3 * plain.leaders.front().score.time,
                   0.5 * plain.leaders.front().score.energy / plain.leaders.front().score.time,
                   ScoreLimits::kNone};
  s.task.num_leaders = 1;
  s.task.nearest = true;
  const Findings found = explore(s.task, s.meter, *base::alone(), base::no_progress());
  RC_ASSERT(found.leaders.size() == 1u);
  double least = ScoreLimits::kNone;
  for (const Candidate& c : plain.leaders)
    least = std::min(least, excess_of(c.score, s.task.limits).ratio);
  RC_ASSERT(found.leaders.front().value == least);
}

// The best value, or none.
std::optional<double> best_of(const SearchTask& task, const Meter& meter) {
  const Findings found = explore(task, meter, *base::alone(), base::no_progress());
  if (found.leaders.empty()) return std::nullopt;
  return found.leaders.front().value;
}

// `after` is no worse than `before`, but for the rounding of scores to 12 digits.
bool no_worse(std::optional<double> after, std::optional<double> before) {
  return !before || (after && *after <= *before * (1 + 1e-11));
}

RC_GTEST_PROP(PlanSearch, MoreIsNeverWorse, ()) {
  const Setup s = any_setup();
  const auto before = best_of(s.task, s.meter);
  const auto with = [&](const auto& change) {
    SearchTask task = s.task;
    for (Problem& p : task.problems) change(p);
    return best_of(task, s.meter);
  };
  const double factor = 1 + 0.1 * *rc::gen::inRange(1, 100);
  RC_ASSERT(no_worse(with([&](Problem& p) { p.system.device.memory *= factor; }), before));
  RC_ASSERT(no_worse(with([&](Problem& p) { p.machine.intra.bandwidth *= factor; }), before));
  RC_ASSERT(no_worse(with([&](Problem& p) { p.machine.inter.bandwidth *= factor; }), before));
  RC_ASSERT(no_worse(with([&](Problem& p) { p.machine.memory_bandwidth *= factor; }), before));
  RC_ASSERT(no_worse(with([&](Problem& p) { p.machine.matmul_peak *= factor; }), before));
}

RC_GTEST_PROP(PlanSearch, MoreDevicesToChooseFromAreNeverWorse, ()) {
  Setup s = any_setup();
  const Problem p = s.task.problems.front();
  const auto up_to = [&](std::int64_t most) {
    s.task.problems.clear();
    for (const std::int64_t n : device_counts(most, p.system.devices_per_node)) {
      s.task.problems.push_back(p);
      s.task.problems.back().devices = n;
    }
    return best_of(s.task, s.meter);
  };
  const std::int64_t most = *rc::gen::inRange<std::int64_t>(1, 17);
  const auto before = up_to(most);
  RC_ASSERT(no_worse(up_to(most + *rc::gen::inRange<std::int64_t>(1, 17)), before));
}

}  // namespace
}  // namespace greenline::plan
