#include "plan/recommender.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "catalog/catalog.hpp"
#include "model/workload.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::Time;

RecommenderProblem dlrm_a(const char* strategy) {
  static const catalog::Catalog facts{base::Settings{}};
  RecommenderProblem p;
  p.shape = catalog::model_shape(facts, "dlrm-a");
  p.system = catalog::system(facts, "zionex");
  p.machine = model::machine(facts, p.system, catalog::Precision::tf32);
  p.devices = 128;
  p.strategy = parse_class_strategy(strategy);
  p.global_batch = 65536;
  return p;
}

Time of(const RecommenderPlan& plan, RecommenderTag tag) {
  return plan.time[static_cast<std::size_t>(tag)];
}

// Two streams by hand: lookups, exchange beside the bottom layers, interaction, top layers; back in
// the same way, each layer's gradient queued when it is known.
TEST(RecommenderTest, CopiedLayersFollowTheClosedForm) {
  const RecommenderProblem p = dlrm_a("dense=ddp;embedding=shard");
  const RecommenderPlan plan = recommender_plan(p);
  const double layers = 20, half = 10;
  const model::Operators ops = model::recommender_operators(p.shape, 512, 1);
  const auto time = [&](const std::vector<model::Operator>& list, const char* name) {
    for (const model::Operator& o : list)
      if (std::string_view(o.name) == name) return model::operator_time(p.machine, o);
    throw std::out_of_range(name);
  };
  const Time lookup = of(plan, RecommenderTag::lookup);
  const Time update = of(plan, RecommenderTag::update);
  const Time join = time(ops.forward, "concatenation");
  const Time exchange = of(plan, RecommenderTag::all_to_all) / 2;
  const Time gradient = of(plan, RecommenderTag::gradient_exchange) / layers;
  const Time forward = time(ops.forward, "top MLP");
  const Time backward =
      time(ops.backward, "input gradient") + time(ops.backward, "weight gradient");
  const Time top = lookup + std::max(exchange, half * forward) + join + half * forward;
  const Time apart = top + half * backward + join;
  const Time queue = top + std::max(half * backward + gradient, backward + half * gradient);
  const Time pooled = std::max(apart, queue) + exchange;
  const Time bottom = apart + half * backward;
  const Time updated = std::max(bottom, pooled) + update;
  const Time exchanged =
      std::max({pooled + half * gradient, apart + backward + half * gradient, bottom + gradient});
  const Time expected = std::max(updated, exchanged) + of(plan, RecommenderTag::optimizer);
  EXPECT_NEAR(plan.iteration / expected, 1, 1e-12);
  EXPECT_NEAR((of(plan, RecommenderTag::matmul) / (layers * (forward + backward))), 1, 1e-12);
}

TEST(RecommenderTest, PooledVectorsAreWhatIsExchanged) {
  const RecommenderProblem p = dlrm_a("dense=ddp;embedding=shard");
  const RecommenderPlan plan = recommender_plan(p);
  // 32 of 4096 tables, 94 values of 2 bytes, all samples.
  const base::Data sent = 65536.0 * 32 * 94 * 2 * units::B;
  EXPECT_NEAR(
      of(plan, RecommenderTag::all_to_all) / (2 * model::all_to_all(p.machine, {128, 8}, sent)), 1,
      1e-12);
  EXPECT_NEAR(plan.memory.weights.in(units::GB),
              4096.0 / 128 * 2080000 * 94 * 2e-9 + 20 * 3994.0 * 3994 * 4e-9, 1e-6);
}

TEST(RecommenderTest, WholeTablesWaitForTheFullestDevice) {
  RecommenderProblem p = dlrm_a("dense=ddp;embedding=shard");
  p.shape.recommender->tables = 129;  // one device has two
  EXPECT_NEAR(recommender_plan(p).table_imbalance, 2 / (129.0 / 128), 1e-12);
  p.strategy = parse_class_strategy("dense=ddp;embedding=row");
  EXPECT_EQ(recommender_plan(p).table_imbalance, 1);
}

TEST(RecommenderTest, InferenceAndFrozenPartsDoLess) {
  RecommenderProblem p = dlrm_a("dense=ddp;embedding=shard");
  const RecommenderPlan train = recommender_plan(p);
  p.task = Task::finetune;
  p.frozen.embedding = true;
  const RecommenderPlan mlps = recommender_plan(p);
  EXPECT_EQ(of(mlps, RecommenderTag::update), Time{});
  EXPECT_NEAR(of(train, RecommenderTag::all_to_all) / of(mlps, RecommenderTag::all_to_all), 2,
              1e-12);
  EXPECT_LT(mlps.memory.optimizer, train.memory.optimizer);
  p.frozen = {false, true, false};
  const RecommenderPlan tables = recommender_plan(p);
  EXPECT_EQ(of(tables, RecommenderTag::gradient_exchange), Time{});
  EXPECT_EQ(tables.memory.gradients, base::Data{});
  p.task = Task::prefill;
  p.frozen = {};
  const RecommenderPlan read = recommender_plan(p);
  EXPECT_LT(read.iteration, mlps.iteration);
  EXPECT_EQ(read.memory.optimizer, base::Data{});
}

TEST(RecommenderTest, FasterMachinesAreNeverSlower) {
  for (const char* strategy :
       {"dense=ddp;embedding=shard", "dense=fsdp;embedding=row", "dense=fsdp,ddp"}) {
    RecommenderProblem p = dlrm_a(strategy);
    const Time before = recommender_plan(p).iteration;
    p.machine.inter.bandwidth = 2 * p.machine.inter.bandwidth;
    const Time network = recommender_plan(p).iteration;
    EXPECT_LE(network, before) << strategy;
    p.machine.memory_bandwidth = 2 * p.machine.memory_bandwidth;
    EXPECT_LE(recommender_plan(p).iteration, network) << strategy;
  }
}

TEST(RecommenderTest, NothingRunsBesideWithoutOverlap) {
  RecommenderProblem p = dlrm_a("dense=ddp;embedding=shard");
  p.overlap = false;
  const RecommenderPlan plan = recommender_plan(p);
  Time busy;
  for (const Time t : plan.time) busy += t;
  // All but the exchanges that are queued while their own computation still runs.
  EXPECT_LE(plan.iteration / busy, 1 + 1e-12);
  EXPECT_GT(plan.iteration, recommender_plan(dlrm_a("dense=ddp;embedding=shard")).iteration);
}

TEST(RecommenderTest, RefusesWhatCannotBe) {
  const auto code = [](const RecommenderProblem& p) -> std::string {
    try {
      recommender_plan(p);
    } catch (const base::Error& e) {
      return e.code();
    }
    return "accepted";
  };
  EXPECT_EQ(code(dlrm_a("dense=tp,ddp")), "bad-strategy");  // 3994 is not a multiple of 8
  EXPECT_EQ(code(dlrm_a("experts=ep8")), "bad-strategy");
  EXPECT_EQ(code(dlrm_a("dense=pp;embedding=shard")), "bad-strategy");
  EXPECT_EQ(code(dlrm_a("embedding=column")), "bad-strategy");  // 94 columns, 128 devices
  RecommenderProblem p = dlrm_a("dense=ddp");
  p.global_batch = 100;
  EXPECT_EQ(code(p), "bad-strategy");
}

}  // namespace
}  // namespace greenline::plan
