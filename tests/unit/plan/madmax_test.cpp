#include "plan/madmax.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "catalog/catalog.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::Time;

const catalog::Catalog& facts() {
  static const catalog::Catalog kFacts{base::Settings{}};
  return kFacts;
}

MadmaxProblem problem(const char* model, const char* system, std::int64_t devices,
                      const char* strategy, std::int64_t global_batch, Task task = Task::pretrain) {
  MadmaxProblem p;
  p.shape = catalog::model_shape(facts(), model);
  p.system = madmax_system(facts(), system);
  p.devices = devices;
  p.strategy = parse_class_strategy(strategy);
  p.task = task;
  p.global_batch = global_batch;
  return p;
}

// Printed with six decimals of a millisecond; a double carries 15 digits.
void expect_ms(Time ours, double expected, const char* what) {
  EXPECT_NEAR(ours.in(units::ms), expected, 6e-7 + 1e-9 * expected) << what;
}

TEST(MadmaxTest, RecommenderOnManyNodes) {
  const MadmaxPlan p = madmax(problem("dlrm-a", "zionex", 128, "dense=ddp;embedding=shard", 65536));
  expect_ms(p.iteration, 54.002422, "iteration");
  expect_ms(p.gemm, 8.911557, "gemm");
  expect_ms(p.embedding, 9.098553, "embedding");
  expect_ms(p.all_to_all, 26.401646, "all-to-all");
  expect_ms(p.all_reduce, 21.269188, "all-reduce");
  expect_ms(p.exposed_communication(), 35.992311, "exposed");
  EXPECT_EQ(p.all_gather, Time{});
  EXPECT_EQ(p.reduce_scatter, Time{});
  EXPECT_NEAR(p.exposed_communication() / p.communication(), 0.7550, 5e-5);  // four digits printed
  EXPECT_NEAR(p.throughput.in(units::per_s), 1.2136e6, 50);
  EXPECT_EQ(p.local_dense_batch, 512);
  EXPECT_EQ(p.local_embedding_batch, 65536);
  EXPECT_EQ(class_strategy_text(p.strategy), "dense=ddp128;embedding=shard128");
  EXPECT_TRUE(p.memory.fits());
}

TEST(MadmaxTest, RecommenderOnOneNodeIsTimedThoughItDoesNotFit) {
  const MadmaxPlan p = madmax(problem("dlrm-a", "zionex", 8, "dense=ddp", 8 * 512));
  expect_ms(p.iteration, 28.855295, "iteration");
  expect_ms(p.all_to_all, 14.784182, "all-to-all");
  expect_ms(p.all_reduce, 6.380495, "all-reduce");
  expect_ms(p.exposed_communication(), 10.845184, "exposed");
  EXPECT_FALSE(p.memory.fits());
  EXPECT_NEAR(p.memory.embedding_weights.in(units::GB), 200.2125, 5e-5);
}

TEST(MadmaxTest, TextUnderFsdpWithAndWithoutPrefetch) {
  MadmaxProblem p = problem("llama-65b-madmax", "dc-a", 2048, "dense=fsdp", 2048);
  const MadmaxPlan on_demand = madmax(p);
  expect_ms(on_demand.iteration, 4552.571299, "iteration");
  expect_ms(on_demand.gemm, 2799.314643, "gemm");
  expect_ms(on_demand.embedding, 0.103246, "embedding");
  expect_ms(on_demand.all_reduce, 1.118471, "all-reduce");
  expect_ms(on_demand.all_gather, 1670.278987, "all-gather");
  expect_ms(on_demand.reduce_scatter, 835.139494, "reduce-scatter");
  EXPECT_FALSE(on_demand.prefetch);
  EXPECT_TRUE(on_demand.memory.fits());
  p.prefetch = true;
  const MadmaxPlan ahead = madmax(p);
  // Printed with three decimals.
  EXPECT_NEAR(ahead.iteration.in(units::ms), 3045.466, 5e-4);
  EXPECT_NEAR(ahead.exposed_communication() / ahead.iteration, 0.0808, 5e-5);
  EXPECT_EQ(ahead.communication(), on_demand.communication());
}

TEST(MadmaxTest, OtherPrintedCases) {
  expect_ms(madmax(problem("dlrm-i", "zionex", 128, "dense=ddp", 65536)).iteration, 21.420967,
            "dlrm-i");
  expect_ms(madmax(problem("gpt3-175b-madmax", "dc-a", 2048, "dense=fsdp", 2048)).iteration,
            16380.426716, "gpt3-175b");
  const MadmaxPlan image = madmax(problem("vit-120b-madmax", "dc-a", 128, "dense=fsdp", 128 * 16));
  expect_ms(image.iteration, 13527.347250, "vit-120b");
  EXPECT_NEAR(image.throughput.in(units::per_s), 151.397, 5e-4);
  EXPECT_TRUE(image.prefetch);
}

TEST(MadmaxTest, StrategiesKeepTheirOrder) {
  const auto time = [](const char* strategy) {
    return madmax(problem("dlrm-a", "zionex", 128, strategy, 65536)).iteration.in(units::ms);
  };
  // Printed with two decimals.
  EXPECT_NEAR(time("dense=ddp"), 54.00, 5e-3);
  EXPECT_NEAR(time("dense=tp,ddp"), 63.36, 5e-3);
  EXPECT_NEAR(time("dense=fsdp,ddp"), 71.21, 5e-3);
  EXPECT_NEAR(time("dense=fsdp"), 72.96, 5e-3);
  EXPECT_NEAR(time("dense=ddp,tp"), 85.16, 5e-3);
  EXPECT_NEAR(time("dense=tp"), 387.97, 5e-3);
}

TEST(MadmaxTest, MemoryHasItsParts) {
  const MadmaxPlan train = madmax(problem("llama-65b-madmax", "dc-a", 2048, "dense=ddp", 2048));
  const double dense = 80.0 * (4.0 * 8192 * 8192 + 2.0 * 8192 * 21846);
  EXPECT_EQ(train.memory.dense_weights.in(units::B), 2 * dense);
  EXPECT_EQ(train.memory.dense_gradients.in(units::B), 4 * dense);
  EXPECT_EQ(train.memory.dense_optimizer.in(units::B), 12 * dense);
  EXPECT_EQ(train.memory.embedding_optimizer.in(units::B), 4.0 * (50257 + 2048));
  EXPECT_EQ(train.memory.capacity.in(units::GB), 40);
  EXPECT_FALSE(train.memory.fits());
  const MadmaxPlan infer =
      madmax(problem("llama-65b-madmax", "dc-a", 2048, "dense=fsdp", 2048, Task::prefill));
  EXPECT_EQ(infer.memory.total(), infer.memory.dense_weights + infer.memory.embedding_weights);
  EXPECT_TRUE(infer.memory.fits());
  // 4-byte weights are their own master copy.
  const MadmaxPlan wide = madmax(problem("dlrm-a", "zionex", 128, "dense=ddp", 65536));
  EXPECT_EQ(wide.memory.dense_gradients, wide.memory.dense_weights);
  EXPECT_EQ(wide.memory.dense_optimizer, 2 * wide.memory.dense_weights);
  EXPECT_EQ(wide.memory.embedding_optimizer.in(units::B), 4 * 4096.0 * 2080000 / 128);
}

TEST(MadmaxTest, SaysWhereThePublishedRulesAreShort) {
  EXPECT_EQ(madmax(problem("vit-l-madmax", "dc-a", 128, "dense=ddp", 2048)).notices.size(), 1U);
  EXPECT_TRUE(madmax(problem("vit-l-madmax", "dc-a", 128, "dense=fsdp", 2048)).notices.empty());
  EXPECT_TRUE(madmax(problem("vit-l-madmax", "dc-a", 128, "dense=ddp", 2048, Task::prefill))
                  .notices.empty());
  EXPECT_EQ(madmax(problem("llama2-7b", "dc-a", 128, "dense=fsdp", 128)).notices.size(), 1U);
}

std::string refusal(const MadmaxProblem& p) {
  try {
    madmax(p);
  } catch (const base::Error& e) {
    return e.code() + ": " + e.message();
  }
  return "accepted";
}

std::string refusal(const char* strategy, std::int64_t devices = 128,
                    std::int64_t global_batch = 65536, Task task = Task::pretrain,
                    const char* model = "dlrm-a") {
  return refusal(problem(model, "zionex", devices, strategy, global_batch, task));
}

TEST(MadmaxTest, RefusesWhatTheirRulesForbid) {
  EXPECT_EQ(refusal("dense=ddp,fsdp"),
            "bad-strategy: strategy dense=ddp,fsdp: FSDP must be level 0 of dense, got level 1");
  EXPECT_EQ(refusal("dense=fsdp,tp,ddp"),
            "bad-strategy: strategy dense=fsdp,tp,ddp: at most two levels, got 3");
  EXPECT_EQ(refusal("dense=tp128,ddp"),
            "bad-strategy: strategy dense=tp128,ddp1: level 1 has degree 1");
  EXPECT_EQ(refusal("dense=tp,ddp", 8),
            "bad-strategy: strategy dense=tp8,ddp1: level 1 has degree 1");
  EXPECT_EQ(refusal("dense=tp4,ddp"),
            "bad-strategy: strategy dense=tp4,ddp32: level 0 has degree 4, expected the 8 devices "
            "of a node or all 128 devices");
  EXPECT_EQ(refusal("dense=shard"),
            "bad-strategy: strategy dense=shard: dense layers take ddp, fsdp and tp, not shard");
  EXPECT_EQ(refusal("embedding=shard"),
            "bad-strategy: strategy \"embedding=shard\" says nothing of dense layers");
  EXPECT_EQ(refusal("dense=ddp", 128, 65537),
            "bad-strategy: strategy dense=ddp128: global batch 65537 is not a multiple of its 128 "
            "replicas");
}

TEST(MadmaxTest, RefusesSizesThatNoPlanHas) {
  EXPECT_EQ(refusal("dense=ddp", 12),
            "out-of-range: 12 devices are not a whole number of zionex nodes of 8");
  EXPECT_EQ(refusal("dense=ddp", 1), "out-of-range: 1 devices: expected 2 to 1000000");
  EXPECT_EQ(refusal("dense=ddp", 128, 0),
            "out-of-range: global batch 0: expected 1 to 1000000000000");
  MadmaxProblem p = problem("gpt3-175b-madmax", "dc-a", 128, "dense=fsdp", 128);
  p.shape.layers = 1'000'000'000;
  EXPECT_EQ(refusal(p),
            "out-of-range: model gpt3-175b-madmax: 1000000000 layers, expected 1 to 100000");
  p.shape.layers = 1;
  p.shape.dense_bytes = 3;
  EXPECT_EQ(refusal(p).substr(0, 9), "bad-shape");
  p.shape.dense_bytes = 8;
  p.system.fp64.reset();
  EXPECT_EQ(refusal(p),
            "no-peak: a100-40 has no rate for the 8-byte dense values of gpt3-175b-madmax");
}

TEST(MadmaxTest, SaysWhatIsNotPublished) {
  EXPECT_EQ(refusal("dense=pp"),
            "not-published: strategy dense=pp: MAD-Max gives no equations for pp");
  EXPECT_EQ(refusal("dense=ddp;embedding=row").substr(0, 13), "not-published");
  EXPECT_EQ(refusal("dense=ddp;embedding=ddp").substr(0, 13), "not-published");
  EXPECT_EQ(refusal("dense=ddp;experts=ep"),
            "not-published: MAD-Max gives no equations for experts");
  EXPECT_EQ(refusal("dense=ddp", 128, 65536, Task::finetune).substr(0, 13), "not-published");
  EXPECT_EQ(refusal("dense=ddp", 128, 65536, Task::decode).substr(0, 13), "not-published");
  EXPECT_THROW(madmax_system(facts(), "dgx-a100-80"), base::UnsupportedError);
  EXPECT_THROW(madmax_system(facts(), "dgx-a1000"), base::UserError);
}

// Every machine and shape of the published rules is a complete entry.
TEST(MadmaxTest, CatalogueIsWhole) {
  int systems = 0, shapes = 0;
  for (const std::string& id : facts().entries("nodes")) {
    if (facts().peek(id + ".madmax_compute_utilisation") == nullptr) continue;
    ++systems;
    const MadmaxSystem s = madmax_system(facts(), id);
    EXPECT_TRUE(s.fp64 && s.fp32 && s.fp16 && s.int8) << id;
    const catalog::System node = catalog::system(facts(), id);
    EXPECT_EQ(node.devices_per_node, s.devices_per_node) << id;
    EXPECT_EQ(node.inter_bandwidth, 2 * s.inter) << id;  // they halve the datasheet rate
  }
  for (const std::string& id : facts().entries("models"))
    if (id.ends_with("-madmax") || id.starts_with("dlrm-")) {
      ++shapes;
      EXPECT_GT(madmax(problem(id.c_str(), "dc-a", 128, "dense=fsdp", 128)).iteration, Time{});
    }
  EXPECT_EQ(systems, 14);
  EXPECT_GE(shapes, 21);
}

TEST(MadmaxTest, FourByteValuesRunAtTf32WhereItExists) {
  EXPECT_EQ(madmax_system(facts(), "p4d.24xlarge-madmax").fp32->in(units::TFLOP_per_s), 156);
  EXPECT_EQ(madmax_system(facts(), "p3dn.24xlarge-madmax").fp32->in(units::TFLOP_per_s), 14);
}

}  // namespace
}  // namespace greenline::plan
