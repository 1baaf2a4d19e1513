#include "model/operator_formats.hpp"

#include <algorithm>
#include <string_view>

#include <gtest/gtest.h>

#include "catalog/catalog.hpp"

namespace greenline::model {
namespace {

namespace units = base::units;

catalog::ModelShape llama() {
  const catalog::Catalog facts{base::Settings{}};
  return catalog::model_shape(facts, "llama3-8b");
}

Slice slice() {
  Slice s;
  s.sequence_length = 1024;
  return s;
}

double bytes_of(const std::vector<Operator>& ops, std::string_view name) {
  double sum = 0;
  for (const Operator& o : ops)
    if (o.name == name) sum += o.bytes.in(units::B);
  return sum;
}

std::size_t count_of(const std::vector<Operator>& ops, std::string_view name) {
  return static_cast<std::size_t>(
      std::count_if(ops.begin(), ops.end(), [&](const Operator& o) { return o.name == name; }));
}

TEST(OperatorFormatsTest, NarrowProductsCastTheirOperands) {
  Operators one;
  one.forward.push_back({"product", OperatorKind::matmul, 1, 10, 20, 30,
                         2 * 10 * 20 * 30 * units::FLOP, 2 * (300 + 600 + 200) * units::B, 0.5});
  const Operators out = with_narrow_products(one);
  ASSERT_EQ(out.forward.size(), 3u);
  // Read for the maximum, read, written in one byte.
  EXPECT_EQ(out.forward[0].bytes.in(units::B), 5 * 300);
  EXPECT_EQ(out.forward[1].bytes.in(units::B), 5 * 600);
  EXPECT_EQ(out.forward[0].selective, 0.5);
  EXPECT_TRUE(out.forward[2].narrow);
  EXPECT_EQ(out.forward[2].bytes.in(units::B), 300 + 600 + 2 * 200);
  EXPECT_EQ(out.forward[2].flops, one.forward[0].flops);
}

TEST(OperatorFormatsTest, NarrowLayersDoTheSameWork) {
  const Operators wide = layer_operators(llama(), slice());
  Slice narrow_slice = slice();
  narrow_slice.narrow_products = true;
  const Operators narrow = layer_operators(llama(), narrow_slice);
  EXPECT_NEAR(total_flops(narrow.forward) / total_flops(wide.forward), 1, 1e-12);
  EXPECT_NEAR(total_flops(narrow.backward) / total_flops(wide.backward), 1, 1e-12);
  for (const auto* list : {&narrow.forward, &narrow.backward})
    for (const Operator& o : *list) EXPECT_EQ(o.narrow, o.kind == OperatorKind::matmul);
  // The output head stays in 16 bits.
  for (const Operator& o : head_operators(llama(), narrow_slice).forward) EXPECT_FALSE(o.narrow);
}

TEST(OperatorFormatsTest, FourByteValuesDoubleAllButSumsInFp32) {
  Slice wide = slice();
  wide.value_bytes = 4;
  const Operators two = layer_operators(llama(), slice());
  const Operators four = layer_operators(llama(), wide);
  ASSERT_EQ(two.backward.size(), four.backward.size());
  for (std::size_t i = 0; i < two.forward.size(); ++i)
    EXPECT_NEAR(four.forward[i].bytes / two.forward[i].bytes, 2, 1e-12);
  for (std::size_t i = 0; i < two.backward.size(); ++i) {
    const double ratio = four.backward[i].bytes / two.backward[i].bytes;
    if (two.backward[i].weight_gradient) {
      EXPECT_LT(ratio, 2);
      EXPECT_GT(ratio, 1);
    } else {
      EXPECT_NEAR(ratio, 2, 1e-12);
    }
  }
}

TEST(OperatorFormatsTest, EagerKernelsAreOneForEachPrimitiveOperation) {
  Slice eager = slice();
  eager.kernels = Kernels::eager;
  const Operators one = layer_operators(llama(), slice());
  const Operators many = layer_operators(llama(), eager);
  const double values = 1024 * 4096;
  EXPECT_EQ(bytes_of(one.forward, "attention norm"), 4 * values);
  // 6 + 8 + 4 + 8 + 6 + 4 bytes a value.
  EXPECT_EQ(bytes_of(many.forward, "attention norm"), 36 * values);
  EXPECT_EQ(count_of(many.forward, "attention norm"), 6u);
  EXPECT_EQ(count_of(many.forward, "rotary positions"), 3u);
  EXPECT_EQ(bytes_of(many.forward, "activation function"), 10.0 * 1024 * 14336);
  EXPECT_EQ(total_flops(many.backward), total_flops(one.backward));
}

TEST(OperatorFormatsTest, FrameworksHaveAKernelForLayerNorm) {
  const catalog::Catalog facts{base::Settings{}};
  const auto gpt = catalog::model_shape(facts, "megatron-1.7b");
  Slice eager = slice();
  eager.kernels = Kernels::eager;
  EXPECT_EQ(layer_operators(gpt, eager).forward.size(),
            layer_operators(gpt, slice()).forward.size());
}

}  // namespace
}  // namespace greenline::model
