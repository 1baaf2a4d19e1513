#include "plan/iteration.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "plan/memory.hpp"
#include "plan/placement.hpp"
#include "plan/search.hpp"
#include "plan_configurations.hpp"

namespace greenline::plan {
namespace {

using base::Data;
using base::Time;
namespace units = base::units;

Configuration configuration_of(const char* strategy) {
  Configuration c;
  c.strategy = parse_strategy(strategy, 0);
  return c;
}

TEST(TensorParallelGroup, StraddlesANodeThatItDoesNotDivide) {
  const Problem p = problem_of("gpt3-175b", "dgx-a100-80", 48, 48);
  EXPECT_EQ(tensor_parallel_group(p, {.tensor_parallel = 8}).per_node, 8);
  EXPECT_EQ(tensor_parallel_group(p, {.tensor_parallel = 16}).per_node, 8);
  EXPECT_EQ(tensor_parallel_group(p, {.tensor_parallel = 6}).per_node, 2);
  // A slower network shows in its exchanges, and not in those of a group inside a node.
  Problem slow = p;
  slow.machine.inter.bandwidth = 0.5 * p.machine.inter.bandwidth;
  const auto exchange = [](const Problem& problem, const char* strategy) {
    return stage_time(problem, configuration_of(strategy), 0).tensor_parallel;
  };
  EXPECT_GT(exchange(slow, "tp6,pp8,dp1"), exchange(p, "tp6,pp8,dp1"));
  EXPECT_EQ(exchange(slow, "tp8,pp6,dp1"), exchange(p, "tp8,pp6,dp1"));
}

TEST(TensorParallelGroup, SearchKeepsItInsideANode) {
  const Problem p = problem_of("gpt3-175b", "dgx-a100-80", 48, 48);
  const Configuration best = search(p, {}, base::no_progress()).best;
  EXPECT_EQ(8 % best.strategy.tensor_parallel, 0);
}

// Without overlap the whole volume shows: what each micro-batch and each iteration exchanges.
class Sharding : public testing::Test {
 protected:
  Sharding() : p_(problem_of("llama3-8b", "dgx-h100", 8, 32)) { p_.overlap_gradients = false; }

  Time data_parallel(const char* strategy) const {
    return iteration(p_, configuration_of(strategy)).data_parallel;
  }
  Time gather(double parameters) const {
    return model::all_gather(p_.machine, {8, 8}, 2 * parameters * units::B);
  }
  Time scatter(double parameters) const {
    return model::reduce_scatter(p_.machine, {8, 8}, 4 * parameters * units::B);
  }

  Problem p_;
  const double layers_ = 32, micro_batches_ = 4;
  const model::ParameterCounts count_ = model::count_parameters(p_.shape);
  const double layer_ = count_.layer();
  const double ends_ = count_.token_embedding + count_.output_head + count_.final_norm;
};

TEST_F(Sharding, Zero1ExchangesOnceAnIteration) {
  const Time expected = scatter(count_.total()) + gather(count_.total());
  EXPECT_NEAR(data_parallel("dp8,zero1") / expected, 1, 1e-9);
}

TEST_F(Sharding, Zero2ScattersEachMicroBatchAndGathersOnce) {
  const Time expected =
      micro_batches_ * (layers_ * scatter(layer_) + scatter(ends_)) + gather(count_.total());
  EXPECT_NEAR(data_parallel("dp8,zero2") / expected, 1, 1e-9);
}

TEST_F(Sharding, Zero2WithOneMicroBatchIsZero1) {
  p_.global_batch = 8;
  EXPECT_EQ(data_parallel("dp8,zero2"), data_parallel("dp8,zero1"));
}

TEST_F(Sharding, Zero3GathersTwiceAndScattersEachMicroBatch) {
  const Time expected = micro_batches_ * (layers_ * (2 * gather(layer_) + scatter(layer_)) +
                                          gather(ends_) + scatter(ends_));
  EXPECT_NEAR(data_parallel("dp8,zero3") / expected, 1, 1e-9);
}

TEST_F(Sharding, OverlapHidesAPartOfIt) {
  for (const char* strategy : {"dp8", "dp8,zero1", "dp8,zero2", "dp8,zero3"}) {
    p_.overlap_gradients = false;
    const Time whole = data_parallel(strategy);
    p_.overlap_gradients = true;
    EXPECT_LT(data_parallel(strategy), whole) << strategy;
    EXPECT_GT(data_parallel(strategy), Time{}) << strategy;
  }
}

TEST_F(Sharding, Zero2HoldsOneWholeGradientForAMoment) {
  const Memory one = fullest_stage(p_, configuration_of("dp8,zero1"));
  const Memory two = fullest_stage(p_, configuration_of("dp8,zero2"));
  EXPECT_NEAR((two.buffers - one.buffers).in(units::B), 4 * std::max(layer_, ends_), 1);
}

TEST(Memory, InterleavingHoldsTheEmbeddingOfASecondGroup) {
  Problem p = problem_of("megatron-175b", "dgx-a100-80", 64, 64);
  p.attention = model::Attention::materialised;
  Configuration c = configuration_of("tp8,pp8,dp1,sp");
  c.interleave = 3;
  const model::Slice slice = slice_of(p, c);
  // First stage: 2 (p - 1) + (v - 1) p + 1 = 31 chunks of 96 / 24 layers; of them p + p - 1 = 15
  // are of the first chunk and carry the dropout mask of the embedding, a byte a value.
  const Data expected =
      31 * 4 * model::layer_activations(p.shape, slice).all + 15 * (2048.0 * 12288 / 8) * units::B;
  const Memory m = fullest_stage(p, c);
  EXPECT_EQ(m.stage, 0);
  EXPECT_NEAR(m.activations / expected, 1, 1e-12);
}

TEST(Busy, DecodingWaitsForMemoryAndTrainingDoesNot) {
  Problem p = problem_of("llama3-8b", "dgx-h100", 1, 8);
  const Configuration c = configuration_of("dp1");
  const Iteration training = iteration(p, c);
  EXPECT_NEAR(training.busy.compute * training.total() / (training.matmul + training.attention), 1,
              1e-3);
  p.task = Task::decode;
  p.cached_tokens = p.sequence_length;
  const Iteration decoding = iteration(p, c);
  // Each weight is read for eight tokens: arithmetic needs a part of the time that products take.
  EXPECT_LT(decoding.busy.compute * decoding.total(), 0.8 * (decoding.matmul + decoding.attention));
  EXPECT_GT(decoding.busy.memory, 2 * training.busy.memory);
  EXPECT_NEAR(decoding.busy.sum(), 1, 1e-9);
}

// More of anything that computes or moves bytes never makes an iteration slower.
struct Case {
  const char* system;
  std::int64_t devices, global_batch;
  const char* strategy;
};
class NeverSlower : public testing::TestWithParam<Case> {};

TEST_P(NeverSlower, OnABetterMachine) {
  const Case& run = GetParam();
  const Problem p = problem_of("llama3-70b", run.system, run.devices, run.global_batch);
  for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
    Configuration c = configuration_of(run.strategy);
    c.recompute = recompute;
    // Sums of the same parts in another order may differ by rounding.
    const Time before = (1 + 1e-12) * iteration(p, c).total();
    const auto after = [&](auto improve) {
      Problem better = p;
      improve(better.machine);
      return iteration(better, c).total();
    };
    for (const double f : {1.001, 1.5, 20.0}) {
      EXPECT_LE(after([&](auto& m) { m.matmul_peak = f * m.matmul_peak; }), before);
      EXPECT_LE(after([&](auto& m) { m.attention_peak = f * m.attention_peak; }), before);
      EXPECT_LE(after([&](auto& m) { m.memory_bandwidth = f * m.memory_bandwidth; }), before);
      EXPECT_LE(after([&](auto& m) { m.intra.bandwidth = f * m.intra.bandwidth; }), before);
      EXPECT_LE(after([&](auto& m) { m.inter.bandwidth = f * m.inter.bandwidth; }), before);
      EXPECT_LE(after([&](auto& m) { m.intra.latency = (1 / f) * m.intra.latency; }), before);
      EXPECT_LE(after([&](auto& m) { m.inter.latency = (1 / f) * m.inter.latency; }), before);
    }
  }
}

// In the last one the slowest stage changes with the links.
INSTANTIATE_TEST_SUITE_P(Strategies, NeverSlower,
                         testing::Values(Case{"dgx-h100", 64, 64, "tp8,pp1,dp8,zero3,sp"},
                                         Case{"dgx-h100", 64, 64, "tp4,pp4,dp4,zero1,sp"},
                                         Case{"dgx-h100", 64, 64, "dp64,zero3"},
                                         Case{"dgx-h100", 64, 64, "tp2,pp2,dp16,zero2,sp"},
                                         Case{"dgx-h100", 64, 64, "tp8,pp8,dp1"},
                                         Case{"dgx-a100-80", 512, 128, "tp8,pp4,dp16,zero3,sp"}));

}  // namespace
}  // namespace greenline::plan
