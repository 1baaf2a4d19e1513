#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "model/workload.hpp"
#include "reference/tensors.hpp"

namespace greenline::model {
namespace {

namespace units = base::units;
using catalog::ModelShape;

ModelShape any_shape() {
  ModelShape s;
  s.kv_heads = *rc::gen::element<std::int64_t>(2, 4, 8);
  s.heads = s.kv_heads * *rc::gen::inRange<std::int64_t>(1, 5);
  s.hidden = s.heads * 8 * *rc::gen::inRange<std::int64_t>(1, 9);
  s.layers = *rc::gen::inRange<std::int64_t>(1, 9);
  s.ffn_hidden = 16 * *rc::gen::inRange<std::int64_t>(1, 200);
  s.vocabulary = 16 * *rc::gen::inRange<std::int64_t>(1, 1000);
  s.sequence_length = 64 * *rc::gen::inRange<std::int64_t>(1, 20);
  s.mlp = *rc::gen::element(catalog::Mlp::gelu, catalog::Mlp::swiglu);
  s.norm = *rc::gen::element(catalog::Norm::layernorm, catalog::Norm::rmsnorm);
  s.positions = *rc::gen::element(catalog::Positions::learned, catalog::Positions::rotary);
  s.tied_embeddings = *rc::gen::arbitrary<bool>();
  s.biases = *rc::gen::element(catalog::Biases::none, catalog::Biases::query,
                               catalog::Biases::attention, catalog::Biases::all);
  s.dropout = *rc::gen::arbitrary<bool>();
  return s;
}

// With head sizes of its own, norms more or less, experts or images.
ModelShape any_wider_shape() {
  ModelShape s = any_shape();
  s.head_size = *rc::gen::element<std::int64_t>(0, 16, 96);
  s.query_norms = *rc::gen::arbitrary<bool>();
  s.embedding_norm = *rc::gen::arbitrary<bool>();
  s.layer_norms = *rc::gen::inRange<std::int64_t>(1, 5);
  if (*rc::gen::arbitrary<bool>()) {
    catalog::Experts e;
    e.experts = 4 * *rc::gen::inRange<std::int64_t>(1, 17);
    e.active = *rc::gen::inRange<std::int64_t>(1, e.experts + 1);
    e.shared = *rc::gen::inRange<std::int64_t>(0, 3);
    e.shared_gate = *rc::gen::arbitrary<bool>();
    e.ffn_hidden = 16 * *rc::gen::inRange<std::int64_t>(1, 50);
    e.dense_layers = *rc::gen::inRange<std::int64_t>(0, s.layers);
    s.experts = e;
  }
  if (*rc::gen::arbitrary<bool>()) {
    s.kind = catalog::ModelKind::vision;
    catalog::Patches p;
    p.patch_size = *rc::gen::inRange<std::int64_t>(2, 20);
    p.image_size = p.patch_size * *rc::gen::inRange<std::int64_t>(1, 20);
    p.class_tokens = *rc::gen::inRange<std::int64_t>(0, 3);
    p.classes = *rc::gen::inRange<std::int64_t>(0, 1000);
    s.patches = p;
    s.positions = catalog::Positions::learned;
    s.tied_embeddings = false;
    s.sequence_length = p.tokens();
  }
  return s;
}

double sum_of(const ModelShape& s, double dense, double experts) {
  double sum = 0;
  for (std::int64_t i = 0; i < s.layers; ++i)
    sum += layer_kind(s, i) == LayerKind::experts ? experts : dense;
  return sum;
}

Slice any_slice(const ModelShape& s) {
  Slice slice;
  slice.micro_batch = *rc::gen::inRange<std::int64_t>(1, 5);
  slice.sequence_length = s.sequence_length;
  slice.attention = *rc::gen::element(Attention::fused, Attention::materialised);
  return slice;
}

RC_GTEST_PROP(ModelWorkload, CountsEveryTensor, ()) {
  const ModelShape s = any_wider_shape();
  std::int64_t sum = 0;
  for (const auto& tensor : reference::tensors(s)) sum += tensor.size();
  RC_ASSERT(count_parameters(s).total() == static_cast<double>(sum));  // whole numbers below 2^53
}

// The routed experts that a token does not pass are the difference.
RC_GTEST_PROP(ModelWorkload, ActiveParametersAreThoseOfATokensPath, ()) {
  ModelShape s = any_wider_shape();
  const double active = count_parameters(s).active();
  double removed = 0;
  if (s.experts) {
    // The same model with as many experts as a token passes, less its smaller router.
    removed = static_cast<double>((s.experts->experts - s.experts->active) * s.hidden *
                                  (s.layers - s.experts->dense_layers));
    s.experts->experts = s.experts->active;
  }
  double sum = 0;
  for (const auto& tensor : reference::tensors(s)) sum += static_cast<double>(tensor.size());
  RC_ASSERT(std::abs(active - removed - sum) <= 1e-12 * sum);
}

RC_GTEST_PROP(ModelWorkload, ProductsAreTheModelFlops, ()) {
  const ModelShape s = any_wider_shape();
  Slice slice = any_slice(s);
  slice.expert_parallel = s.experts ? 4 : 1;
  auto products = [](const std::vector<Operator>& list) {
    double sum = 0;
    for (const Operator& o : list)
      if (o.kind == OperatorKind::matmul) sum += o.flops.in(units::FLOP);
    return sum;
  };
  const Operators dense = layer_operators(s, slice);
  const Operators experts =
      layer_operators(s, slice, s.experts ? LayerKind::experts : LayerKind::dense);
  const Operators embedding = embedding_operators(s, slice), head = head_operators(s, slice);
  const double forward = sum_of(s, products(dense.forward), products(experts.forward)) +
                         products(embedding.forward) + products(head.forward);
  const double backward = sum_of(s, products(dense.backward), products(experts.backward)) +
                          products(embedding.backward) + products(head.backward);
  const auto sequences = static_cast<double>(slice.micro_batch);
  auto flops = [&](Passes passes) {
    // Without scores: heads of no width are not to be had, so they are taken away again.
    const double scores = 4 * static_cast<double>(s.layers * s.query_width()) *
                          static_cast<double>(slice.sequence_length) * slice.tokens();
    const double all = model_flops(s, slice.sequence_length, sequences, 1, passes).in(units::FLOP);
    return all - (passes == Passes::training ? 3 : 1) * scores;
  };
  RC_ASSERT(std::abs(forward - flops(Passes::forward)) <= 1e-9 * forward);  // a difference
  // Pixels need no gradient.
  const double pixels = s.patches ? products(embedding.forward) : 0;
  RC_ASSERT(std::abs(forward + backward + pixels - flops(Passes::training)) <=
            1e-9 * (forward + backward));
}

RC_GTEST_PROP(ModelWorkload, MaterialisedScoresAreTheWholeSquareAndFusedAtMostThat, ()) {
  const ModelShape s = any_shape();
  Slice slice = any_slice(s);
  auto scores = [&](Attention attention) {
    slice.attention = attention;
    const Operators ops = layer_operators(s, slice);
    double sum = 0;
    for (const auto* list : {&ops.forward, &ops.backward})
      for (const Operator& o : *list)
        if (o.kind == OperatorKind::attention) sum += o.flops.in(units::FLOP);
    return sum;
  };
  const double square = 12 * static_cast<double>(s.hidden * s.sequence_length) * slice.tokens();
  RC_ASSERT(std::abs(scores(Attention::materialised) - square) <= 1e-12 * square);
  // Forward 2 of 4 halves, backward 2.5 times that: 7/12 of the square.
  RC_ASSERT(std::abs(scores(Attention::fused) - square * 7 / 12) <= 1e-12 * square);
}

// With sequence parallelism the router is divided as well.
RC_GTEST_PROP(ModelWorkload, TensorAndContextParallelismDivideTheWork, ()) {
  const ModelShape s = any_wider_shape();
  const LayerKind kind = s.experts ? LayerKind::experts : LayerKind::dense;
  Slice slice = any_slice(s);
  const double whole = total_flops(layer_operators(s, slice, kind).forward).in(units::FLOP);
  Slice tensor = slice, context = slice;
  tensor.tensor_parallel = 2;
  tensor.sequence_parallel = true;
  context.context_parallel = 2;
  for (const Slice& half : {tensor, context}) {
    const double part = total_flops(layer_operators(s, half, kind).forward).in(units::FLOP);
    RC_ASSERT(std::abs(2 * part - whole) <= 1e-12 * whole);
  }
}

// Whoever holds them, the experts do the work of their tokens, and each weight is read by one rank.
RC_GTEST_PROP(ModelWorkload, ExpertParallelismMovesWeightsNotWork, ()) {
  ModelShape s = any_wider_shape();
  RC_PRE(s.experts.has_value());
  Slice slice = any_slice(s);
  auto experts_in = [&] {
    for (const Operator& o : layer_operators(s, slice, LayerKind::experts).forward)
      if (std::string(o.name) == "experts in") return o;
    return Operator{};
  };
  const Operator alone = experts_in();
  slice.expert_parallel = 4;
  const Operator shared = experts_in();
  RC_ASSERT(std::abs((shared.flops / alone.flops) - 1) <= 1e-12);
  RC_ASSERT(shared.bytes <= alone.bytes);
  // Never more experts at work than there are, nor than there are assignments.
  RC_ASSERT(alone.batch <= static_cast<double>(s.experts->experts) * (1 + 1e-12));
  RC_ASSERT(alone.m >= 1 - 1e-12);
}

// Reading a prompt in two pieces, the second over the cache of the first, is reading it at once.
RC_GTEST_PROP(ModelWorkload, TwoChunksAreOnePrompt, ()) {
  ModelShape s = any_shape();
  Slice whole = any_slice(s);
  whole.sequence_length *= 2;
  Slice first = whole, second = whole;
  first.sequence_length = second.sequence_length = whole.sequence_length / 2;
  second.cached_tokens = first.sequence_length;
  auto flops = [&](const Slice& slice) {
    return total_flops(layer_operators(s, slice).forward).in(units::FLOP);
  };
  double expected = flops(whole);
  if (whole.attention == Attention::materialised) {
    // The first chunk's queries do not see the second chunk's keys, not even to mask them.
    const auto half = static_cast<double>(first.sequence_length);
    expected -= 4 * static_cast<double>(whole.micro_batch * s.query_width()) * half * half;
  }
  RC_ASSERT(std::abs(flops(first) + flops(second) - expected) <= 1e-12 * expected);
  auto needed = [&](const Slice& slice) {
    return model_flops(s, slice.sequence_length, 1, 0.5, Passes::forward, slice.cached_tokens)
        .in(units::FLOP);
  };
  RC_ASSERT(std::abs(needed(first) + needed(second) - needed(whole)) <= 1e-12 * needed(whole));
}

RC_GTEST_PROP(ModelWorkload, RecomputingMoreKeepsLess, ()) {
  const ModelShape s = any_wider_shape();
  const LayerKind kind = s.experts ? LayerKind::experts : LayerKind::dense;
  Slice slice = any_slice(s);
  slice.tensor_parallel = *rc::gen::element<std::int64_t>(1, 2);
  slice.sequence_parallel = slice.tensor_parallel > 1 && *rc::gen::arbitrary<bool>();
  const LayerActivations a = layer_activations(s, slice, kind);
  RC_ASSERT(a.input > base::Data{});
  RC_ASSERT(a.input < a.selective);
  RC_ASSERT(a.selective < a.all);
}

RC_GTEST_PROP(ModelWorkload, GptActivationsAreThePublishedForm, ()) {
  ModelShape s = any_shape();
  s.kv_heads = s.heads;
  s.mlp = catalog::Mlp::gelu;
  s.ffn_hidden = 4 * s.hidden;
  s.dropout = true;
  Slice slice = any_slice(s);
  slice.attention = Attention::materialised;
  slice.tensor_parallel = 2;
  const double sbh = slice.tokens() * static_cast<double>(s.hidden);
  const double scores =
      5 * static_cast<double>(s.heads * s.sequence_length) / static_cast<double>(s.hidden);
  auto close = [](base::Data got, double expected) {
    return std::abs(got.in(units::B)-expected) <= 1e-12 * expected;
  };
  // korthikanti2022 equation 2 and 4: sbh (10 + 24/t + 5as/(ht)) and sbh/t (34 + 5as/h).
  RC_ASSERT(close(layer_activations(s, slice).all, sbh * (10 + 24 / 2.0 + scores / 2)));
  slice.sequence_parallel = true;
  RC_ASSERT(close(layer_activations(s, slice).all, sbh / 2 * (34 + scores)));
  RC_ASSERT(close(layer_activations(s, slice).selective, sbh / 2 * 34));
}

}  // namespace
}  // namespace greenline::model
