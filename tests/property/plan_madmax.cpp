#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "plan/madmax.hpp"
#include "reference/madmax.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::Time;

std::int64_t whole(std::int64_t low, std::int64_t high) {
  return *rc::gen::inRange<std::int64_t>(low, high + 1);
}
double share() { return 0.01 * static_cast<double>(whole(1, 100)); }

MadmaxSystem any_system() {
  MadmaxSystem s;
  s.id = "somewhere";
  s.devices_per_node = 2 * whole(1, 8);
  s.fp32 = static_cast<double>(whole(1, 500)) * units::TFLOP_per_s;
  s.fp16 = static_cast<double>(whole(1, 1000)) * units::TFLOP_per_s;
  s.memory = static_cast<double>(whole(1, 200)) * units::GB;
  s.memory_bandwidth = static_cast<double>(whole(100, 5000)) * units::GB_per_s;
  s.intra = static_cast<double>(whole(1, 900)) * units::GB_per_s;
  s.inter = static_cast<double>(whole(1, 100)) * units::GB_per_s;
  s.compute_utilisation = share();
  s.memory_utilisation = share();
  s.intra_utilisation = share();
  s.inter_utilisation = share();
  s.allreduce_intra_share = share();
  return s;
}

// More than ten layers now and then, so that one layer's name begins another's.
catalog::ModelShape any_shape() {
  catalog::ModelShape shape;
  shape.id = "model";
  if (whole(0, 1) == 0) {
    shape.kind = catalog::ModelKind::recommender;
    shape.recommender =
        catalog::Recommender{whole(1, 12),      whole(1, 12),  whole(1, 4000), whole(1, 5000),
                             whole(1, 1000000), whole(1, 200), whole(1, 100)};
    shape.dense_bytes = 4;
    return shape;
  }
  shape.layers = whole(1, 24);
  shape.hidden = whole(64, 12288);
  shape.heads = 1;
  shape.ffn_hidden = whole(64, 50000);
  shape.vocabulary = whole(1, 100000);
  shape.sequence_length = whole(1, 8192);
  if (whole(0, 1) == 0) {
    shape.kind = catalog::ModelKind::vision;
    shape.patches.emplace();
    shape.patches->image_size = whole(16, 512);
    shape.patches->patch_size = whole(8, 32);
  }
  return shape;
}

std::vector<ClassStrategy> any_strategy(bool one_node, bool recommender) {
  const char* const kOne[] = {"ddp", "fsdp", "tp"};
  const char* const kTwo[] = {"ddp", "fsdp", "tp", "tp,ddp", "ddp,tp", "fsdp,ddp", "fsdp,tp"};
  const std::string dense = one_node ? kOne[whole(0, 2)] : kTwo[whole(0, 6)];
  const bool shards = recommender || whole(0, 1) == 0;
  return parse_class_strategy("dense=" + dense + ";embedding=" + (shards ? "shard" : "ddp"));
}

MadmaxProblem any_problem() {
  MadmaxProblem p;
  p.shape = any_shape();
  p.system = any_system();
  const std::int64_t nodes = whole(1, 32);
  p.devices = nodes * p.system.devices_per_node;
  p.strategy = any_strategy(nodes == 1, p.shape.recommender.has_value());
  p.task = whole(0, 1) == 0 ? Task::pretrain : Task::prefill;
  p.global_batch = p.devices * whole(1, 64);
  if (!p.shape.recommender && whole(0, 1) == 0) p.prefetch = whole(0, 1) == 0;
  return p;
}

double at(base::Bandwidth b) { return b.in(units::B_per_s); }

reference::MadmaxInput plain(const MadmaxProblem& p, const MadmaxPlan& plan) {
  reference::MadmaxInput x;
  double replicas = 1;
  for (const StrategyLevel& level : plan.strategy[0].levels) {
    x.dense.emplace_back(level_name(level.kind));
    x.degree.push_back(static_cast<double>(level.degree));
    if (level.kind != LevelKind::tensor) replicas *= static_cast<double>(level.degree);
  }
  const bool shards = plan.strategy[1].levels[0].kind == LevelKind::shard;
  x.local_dense = static_cast<double>(p.global_batch) / replicas;
  x.local_embedding = static_cast<double>(shards ? p.global_batch : p.global_batch / p.devices);
  x.embedding_degree = shards ? static_cast<double>(p.devices) : 0;
  x.trains = p.task == Task::pretrain;
  x.prefetch = p.prefetch.value_or(p.shape.kind == catalog::ModelKind::vision);
  const base::WorkRate peak = p.shape.dense_bytes == 4 ? *p.system.fp32 : *p.system.fp16;
  x.flops = peak.in(units::FLOP_per_s)*p.system.compute_utilisation;
  x.memory = at(p.system.memory_bandwidth) * p.system.memory_utilisation;
  const double intra = at(p.system.intra) * p.system.intra_utilisation;
  const double inter = at(p.system.inter) * p.system.inter_utilisation;
  const double mixed = p.system.allreduce_intra_share;
  x.all_to_all = x.all_reduce = {intra};
  if (p.devices > p.system.devices_per_node) {
    x.all_to_all.push_back(inter);
    x.all_reduce.push_back(mixed * intra + (1 - mixed) * inter);
  }
  return x;
}

double tokens_of(const catalog::ModelShape& shape) {
  if (!shape.patches) return static_cast<double>(shape.sequence_length);
  const double side = std::ceil(static_cast<double>(shape.patches->image_size) /
                                static_cast<double>(shape.patches->patch_size));
  return side * side;
}

// Sums of up to some hundred terms in another order.
void require_equal(Time ours, double seconds) {
  RC_ASSERT(std::abs(ours.in(units::s)-seconds) <= 1e-12 * seconds);
}

RC_GTEST_PROP(PlanMadmax, EqualsTheRulesWrittenPlainly, ()) {
  const MadmaxProblem p = any_problem();
  const MadmaxPlan plan = madmax(p);
  const reference::MadmaxInput x = plain(p, plan);
  reference::Streams s = p.shape.recommender
                             ? reference::recommender(p.shape, x)
                             : reference::transformer(p.shape, tokens_of(p.shape), x);
  require_equal(plan.iteration, s.last());
  require_equal(plan.gemm, s.busy["gemm"]);
  require_equal(plan.embedding, s.busy["emb"]);
  require_equal(plan.all_to_all, s.busy["a2a"]);
  require_equal(plan.all_reduce, s.busy["ar"]);
  require_equal(plan.all_gather, s.busy["ag"]);
  require_equal(plan.reduce_scatter, s.busy["rs"]);
}

RC_GTEST_PROP(PlanMadmax, AnswersDoNotDependOnNames, ()) {
  MadmaxProblem p = any_problem();
  const MadmaxPlan plan = madmax(p);
  p.shape.id = p.shape.name = "Attn1";
  p.shape.family = p.system.device = "Attn11";
  p.system.id = "fsdp";
  const MadmaxPlan renamed = madmax(p);
  RC_ASSERT(renamed.iteration == plan.iteration);
  RC_ASSERT(renamed.exposed_communication() == plan.exposed_communication());
}

RC_GTEST_PROP(PlanMadmax, IterationIsBetweenTheBusiestStreamAndTheirSum, ()) {
  const MadmaxPlan plan = madmax(any_problem());
  const Time compute = plan.gemm + plan.embedding, communication = plan.communication();
  constexpr double kRounding = 1e-12;
  RC_ASSERT(plan.iteration >= (1 - kRounding) * std::max(compute, communication));
  RC_ASSERT(plan.iteration <= (1 + kRounding) * (compute + communication));
  RC_ASSERT(plan.schedule.busy[0] >= (1 - kRounding) * compute);
}

RC_GTEST_PROP(PlanMadmax, ABetterMachineIsNeverSlower, ()) {
  MadmaxProblem p = any_problem();
  const Time before = madmax(p).iteration;
  const double factor = 1 + share();
  switch (whole(0, 3)) {
    case 0:
      p.system.intra *= factor;
      break;
    case 1:
      p.system.inter *= factor;
      break;
    case 2:
      p.system.memory_bandwidth *= factor;
      break;
    default:
      p.system.fp16 = factor * *p.system.fp16;
      p.system.fp32 = factor * *p.system.fp32;
  }
  RC_ASSERT(madmax(p).iteration <= (1 + 1e-12) * before);  // rounding
}

RC_GTEST_PROP(PlanMadmax, EveryTaskHasItsPlaceInTheModel, ()) {
  const MadmaxPlan plan = madmax(any_problem());
  RC_ASSERT(plan.blocks.size() == static_cast<std::size_t>(plan.timeline.num_tasks()));
  for (int i = 0; i < plan.timeline.num_tasks(); ++i) {
    const bool computes = plan.timeline.tag(i) <= static_cast<int>(MadmaxTag::embedding);
    RC_ASSERT(plan.timeline.processor(i) == (computes ? 0 : 1));
  }
}

}  // namespace
}  // namespace greenline::plan
