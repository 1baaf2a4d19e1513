#include "model/workload.hpp"

#include <string>

#include <gtest/gtest.h>

namespace greenline::model {
namespace {

namespace units = base::units;
using catalog::ModelShape;

ModelShape shape_of(const char* id) {
  return catalog::model_shape(catalog::Catalog{base::Settings{}}, id);
}

double flops(base::Work work) { return work.in(units::FLOP); }

Operator named(const std::vector<Operator>& list, const std::string& name) {
  for (const Operator& o : list)
    if (o.name == name) return o;
  ADD_FAILURE() << "no operator " << name;
  return {};
}

TEST(ModelFlops, CountActiveExpertsAlone) {
  const ModelShape m = shape_of("mixtral-8x7b");
  // Per token without scores: 6 for each weight of a matrix on its path. Vectors and the lookup are
  // not matrices.
  const ParameterCounts p = count_parameters(m);
  const double matrices = p.active() - p.token_embedding - p.final_norm - 32 * 2 * 4096.0;
  EXPECT_DOUBLE_EQ(flops(model_flops(m, 1024, 1, 0)) / 1024, 6 * matrices);
}

TEST(ModelFlops, ForwardIsAThird) {
  for (const char* id : {"llama3-8b", "mixtral-8x7b", "vit-h", "dlrm-a"}) {
    const ModelShape m = shape_of(id);
    EXPECT_DOUBLE_EQ(3 * flops(model_flops(m, 512, 4, 0.5, Passes::forward)),
                     flops(model_flops(m, 512, 4, 0.5)))
        << id;
  }
}

TEST(ModelFlops, ImagesHaveNoCausalMask) {
  const ModelShape vit = shape_of("vit-l");
  EXPECT_EQ(model_flops(vit, 197, 8, 0.5), model_flops(vit, 197, 8, 1));
}

// The documentation of torchvision counts 61.555 and 167.295 billion multiply-adds an image, 2 FLOP
// each; three decimals.
TEST(ModelFlops, OfAnImageAreThePublishedOnes) {
  auto giga = [](const char* id, std::int64_t tokens) {
    return flops(model_flops(shape_of(id), tokens, 1, 1, Passes::forward)) / 2e9;
  };
  EXPECT_NEAR(giga("vit-l", 197), 61.555, 0.0005);
  EXPECT_NEAR(giga("vit-h", 257), 167.295, 0.0005);
}

TEST(Attention, OfAnImageIsTheWholeSquareInAFusedKernelToo) {
  const ModelShape vit = shape_of("vit-l");
  const Slice slice{.micro_batch = 2, .sequence_length = 197};
  const Operator o = named(layer_operators(vit, slice).forward, "fused attention");
  EXPECT_DOUBLE_EQ(flops(o.flops), 2 * 4.0 * 197 * 197 * 1024);
}

// One token more of each of 16 sequences: 2 FLOP a weight and token, the cache read once.
TEST(Decoding, ReadsTheCacheAndComputesOneToken) {
  const ModelShape m = shape_of("llama3-8b");
  const Slice slice{.micro_batch = 16, .sequence_length = 1, .cached_tokens = 2000};
  const Operators layer = layer_operators(m, slice);
  double products = 0;
  for (const Operator& o : layer.forward)
    if (o.kind == OperatorKind::matmul) products += flops(o.flops);
  EXPECT_DOUBLE_EQ(products, 16 * 2 * count_parameters(m).layer_matrices);
  const Operator attention = named(layer.forward, "fused attention");
  EXPECT_NEAR(flops(attention.flops) / (16 * 4 * 4096 * 2001.0), 1, 1e-3);  // its own key: half
  const double cache = kv_cache_bytes(m, 16 * 2001.0).in(units::B) / 32;    // of one layer
  EXPECT_NEAR(attention.bytes.in(units::B) / cache, 1, 5e-3);               // queries, outputs
}

TEST(Decoding, TheCacheOfALlama3TokenIs128Kib) {
  // 2 (keys, values) x 32 layers x 8 heads x 128 x 2 bytes.
  EXPECT_EQ(kv_cache_bytes(shape_of("llama3-8b"), 1).in(units::KiB), 128);
  EXPECT_EQ(kv_cache_bytes(shape_of("llama3-8b"), 1, 8).in(units::KiB), 16);
  EXPECT_EQ(kv_cache_bytes(shape_of("dlrm-a"), 1), base::Data{});
}

// Few tokens reach few experts: of 8, two for one token, 8 (1 - 0.75^4) for four.
TEST(Experts, FewTokensReadFewWeights) {
  const ModelShape m = shape_of("mixtral-8x7b");
  auto in = [&](std::int64_t sequences) {
    const Slice slice{.micro_batch = sequences, .sequence_length = 1, .cached_tokens = 100};
    return named(layer_operators(m, slice, LayerKind::experts).forward, "experts in");
  };
  EXPECT_DOUBLE_EQ(in(1).batch, 2);
  EXPECT_DOUBLE_EQ(in(1).m, 1);
  EXPECT_DOUBLE_EQ(in(4).batch, 8 * (1 - 0.75 * 0.75 * 0.75 * 0.75));
  EXPECT_DOUBLE_EQ(in(4096).batch, 8);
  EXPECT_DOUBLE_EQ(in(4096).m, 4096.0 * 2 / 8);
}

TEST(Experts, ALocalExpertGetsTheTokensOfAllRanks) {
  const ModelShape m = shape_of("mixtral-8x7b");
  const Slice slice{
      .tensor_parallel = 2, .micro_batch = 1, .sequence_length = 4096, .expert_parallel = 4};
  const Operator in = named(layer_operators(m, slice, LayerKind::experts).forward, "experts in");
  EXPECT_DOUBLE_EQ(in.batch, 2);               // of 8, on 4 ranks
  EXPECT_DOUBLE_EQ(in.m, 4096.0 * 2 * 4 / 8);  // tokens x active x ranks / experts
  EXPECT_DOUBLE_EQ(in.n, 2 * 14336.0 / 2);     // gate and up, halved
  EXPECT_DOUBLE_EQ(expert_dispatch(m, slice).in(units::B), 4096.0 * 2 * 4096 * 2);
  EXPECT_EQ(expert_dispatch(shape_of("llama3-8b"), slice), base::Data{});
}

TEST(Experts, TheFirstLayersOfDeepSeekMoeAreDense) {
  const ModelShape m = shape_of("deepseek-moe-16b");
  EXPECT_EQ(layer_kind(m, 0), LayerKind::dense);
  EXPECT_EQ(layer_kind(m, 1), LayerKind::experts);
  EXPECT_EQ(layer_kind(shape_of("llama3-8b"), 31), LayerKind::dense);
  EXPECT_EQ(count_parameters(m).dense_layers, 1);
  EXPECT_EQ(count_parameters(m).expert_layers(), 27);
}

TEST(Context, RingAttentionHalvesFlopsAndStreamsAllKeys) {
  const ModelShape m = shape_of("llama3-8b");
  Slice slice{.sequence_length = 8192};
  auto attention = [&] { return named(layer_operators(m, slice).forward, "fused attention"); };
  const Operator whole = attention();
  slice.context_parallel = 2;
  const Operator half = attention();
  EXPECT_DOUBLE_EQ(2 * flops(half.flops), flops(whole.flops));
  // Queries and outputs halve, keys and values (2 x 1024 x 8192 x 2 bytes) do not.
  EXPECT_DOUBLE_EQ(2 * half.bytes.in(units::B)-whole.bytes.in(units::B), 2.0 * 1024 * 8192 * 2);
}

TEST(Images, EmbeddingAndClassifier) {
  const ModelShape vit = shape_of("vit-h");
  const Slice slice{.micro_batch = 3, .sequence_length = vit.sequence_length};
  const Operators embedding = embedding_operators(vit, slice);
  // 256 patches of 14 x 14 x 3 pixels; no gradient of pixels.
  EXPECT_DOUBLE_EQ(flops(total_flops(embedding.forward)), 2 * 3 * 256 * 588.0 * 1280);
  EXPECT_EQ(total_flops(embedding.backward), total_flops(embedding.forward));
  EXPECT_DOUBLE_EQ(flops(total_flops(head_operators(vit, slice).forward)), 2 * 3 * 1280.0 * 1000);
  EXPECT_DOUBLE_EQ(head_gradients(vit, slice).in(units::B), 6 * 3 * 1000.0);
}

TEST(Recommenders, TheListIsThePublishedCount) {
  const ModelShape m = shape_of("dlrm-a");
  const Operators ops = recommender_operators(m, 512);
  EXPECT_NEAR(flops(total_flops(ops.forward)) / 512 / 1e6, 638.08, 0.005);
  EXPECT_DOUBLE_EQ(flops(total_flops(ops.backward)), 2 * flops(total_flops(ops.forward)));
  // Rows read, and one pooled vector for 15 rows written.
  const double rows = 512 * lookup_bytes(*m.recommender, 2).in(units::B);
  EXPECT_DOUBLE_EQ(named(ops.forward, "embedding lookup").bytes.in(units::B), rows * 16 / 15);
  // Pooled gradients read; rows read and written, each with 4 bytes of state.
  EXPECT_DOUBLE_EQ(named(ops.backward, "embedding update").bytes.in(units::B),
                   rows / 15 + rows * 2 + 2 * 4.0 * 512 * 4096 * 15);
  EXPECT_NEAR(flops(total_flops(recommender_operators(m, 512, 8).forward)) * 8 /
                  flops(total_flops(ops.forward)),
              1, 1e-12);
}

TEST(Recommenders, DotProductsOfAllPairs) {
  ModelShape m = shape_of("dlrm-i");
  m.recommender->interaction = catalog::Interaction::dot;
  const double pairs = 513.0 * 513 * 92;  // (tables + 1)^2 x dimension: half of the square, twice
  EXPECT_DOUBLE_EQ(flops(interaction_flops(*m.recommender)), pairs);
  EXPECT_DOUBLE_EQ(flops(named(recommender_operators(m, 7).forward, "dot products").flops),
                   7 * pairs);
}

}  // namespace
}  // namespace greenline::model
