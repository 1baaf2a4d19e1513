#include <cmath>

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
  s.biases = *rc::gen::arbitrary<bool>();
  s.family = *rc::gen::element<std::string>("gpt", "llama");
  return s;
}

Slice any_slice(const ModelShape& s) {
  Slice slice;
  slice.micro_batch = *rc::gen::inRange<std::int64_t>(1, 5);
  slice.sequence_length = s.sequence_length;
  slice.attention = *rc::gen::element(Attention::fused, Attention::materialised);
  return slice;
}

RC_GTEST_PROP(ModelWorkload, CountsEveryTensor, ()) {
  const ModelShape s = any_shape();
  std::int64_t sum = 0;
  for (const auto& tensor : reference::tensors(s)) sum += tensor.size();
  RC_ASSERT(count_parameters(s).total() == static_cast<double>(sum));  // whole numbers below 2^53
}

RC_GTEST_PROP(ModelWorkload, ProductsOfTheLayersAreTheModelFlops, ()) {
  const ModelShape s = any_shape();
  const Slice slice = any_slice(s);
  auto products = [](const Operators& ops) {
    double sum = 0;
    for (const auto* list : {&ops.forward, &ops.backward})
      for (const Operator& o : *list)
        if (o.kind == OperatorKind::matmul) sum += o.flops.in(units::FLOP);
    return sum;
  };
  const double ours = static_cast<double>(s.layers) * products(layer_operators(s, slice)) +
                      products(head_operators(s, slice));
  const double expected =
      model_flops(s, slice.sequence_length, static_cast<double>(slice.micro_batch), 0)
          .in(units::FLOP);
  RC_ASSERT(std::abs(ours - expected) <= 1e-12 * expected);  // sums in another order
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

RC_GTEST_PROP(ModelWorkload, TensorParallelismDividesTheWork, ()) {
  const ModelShape s = any_shape();
  Slice slice = any_slice(s);
  const double whole = total_flops(layer_operators(s, slice).forward).in(units::FLOP);
  slice.tensor_parallel = 2;
  const double half = total_flops(layer_operators(s, slice).forward).in(units::FLOP);
  RC_ASSERT(std::abs(2 * half - whole) <= 1e-12 * whole);
}

RC_GTEST_PROP(ModelWorkload, RecomputingMoreKeepsLess, ()) {
  const ModelShape s = any_shape();
  Slice slice = any_slice(s);
  slice.tensor_parallel = *rc::gen::element<std::int64_t>(1, 2);
  slice.sequence_parallel = slice.tensor_parallel > 1 && *rc::gen::arbitrary<bool>();
  const LayerActivations a = layer_activations(s, slice);
  RC_ASSERT(a.input > base::Data{});
  RC_ASSERT(a.input < a.selective);
  RC_ASSERT(a.selective < a.all);
}

RC_GTEST_PROP(ModelWorkload, GptActivationsAreThePublishedForm, ()) {
  ModelShape s = any_shape();
  s.kv_heads = s.heads;
  s.mlp = catalog::Mlp::gelu;
  s.ffn_hidden = 4 * s.hidden;
  s.family = "gpt";
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
