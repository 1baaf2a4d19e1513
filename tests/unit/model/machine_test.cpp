#include "model/machine.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::model {
namespace {

namespace units = base::units;
using base::Data;
using base::Time;

// Round numbers: a kilobyte takes a microsecond inside the node and ten between nodes.
Machine plain_machine() {
  Machine m;
  m.matmul_peak = m.attention_peak = 100 * units::TFLOP_per_s;
  m.memory_bandwidth = 1000 * units::GB_per_s;
  m.efficiency = {0.8, 100, 0.5, 0.5, 0.5, 0, 1 * units::us};
  m.intra = {1 * units::GB_per_s, 2 * units::us};
  m.inter = {0.1 * units::GB_per_s, 20 * units::us};
  m.devices_per_node = 8;
  return m;
}

Operator product(double m, double n, double k) {
  return {"product",
          OperatorKind::matmul,
          1,
          m,
          n,
          k,
          2 * m * n * k * units::FLOP,
          2 * (m * k + k * n + m * n) * units::B,
          0};
}

TEST(MachineTest, ProductIsBoundByComputeWhenLargeAndByMemoryWhenThin) {
  const Machine m = plain_machine();
  // 2e12 FLOP at 100 T x 0.8 / (1 + 100 x 3 / 10000) and a microsecond of overhead.
  EXPECT_NEAR(operator_time(m, product(10000, 10000, 10000)).in(units::ms),
              2e12 / (80e12 / 1.03) * 1e3 + 1e-3, 1e-9);
  // One row: 2e8 bytes of weights at 500 GB/s.
  EXPECT_NEAR(operator_time(m, product(1, 10000, 10000)).in(units::ms),
              (2e8 + 4e4) / 500e9 * 1e3 + 1e-3, 0.3);
  EXPECT_GT(operator_time(m, product(1, 10000, 10000)), 2e8 / 500e9 * units::s);
}

TEST(MachineTest, SmallerProductsReachASmallerShare) {
  const Machine m = plain_machine();
  double last = 0;
  for (const double size : {64.0, 256.0, 1024.0, 4096.0}) {
    const Operator op = product(size, size, size);
    const double rate = op.flops / operator_time(m, op) / (1 * units::FLOP_per_s);
    EXPECT_GT(rate, last);
    last = rate;
  }
  EXPECT_LT(last, 80e12);
}

TEST(MachineTest, RingsInsideANode) {
  const Machine m = plain_machine();
  const Data kb = 8 * units::kB;
  EXPECT_EQ(all_gather(m, {1, 1}, kb), Time{});
  EXPECT_NEAR(all_gather(m, {8, 8}, kb).in(units::us), 7 * (2 + 1), 1e-9);
  EXPECT_NEAR(all_reduce(m, {8, 8}, kb).in(units::us), 2 * 7 * (2 + 1), 1e-9);
  EXPECT_EQ(reduce_scatter(m, {8, 8}, kb), all_gather(m, {8, 8}, kb));
}

TEST(MachineTest, TreeWinsForSmallBuffersOverManyNodes) {
  const Machine m = plain_machine();
  // One rank in each of 64 nodes: a ring has 126 steps of 20 us, a tree 12.
  EXPECT_NEAR(all_reduce(m, {64, 1}, 1 * units::B).in(units::us), 12 * 20 + 2 * 0.01, 1e-6);
  const Data large = 1 * units::GB;
  EXPECT_NEAR(all_reduce(m, {64, 1}, large).in(units::s), 2 * 63 * (20e-6 + 1e9 / 64 / 1e8), 1e-6);
}

TEST(MachineTest, NetworkPortsOfANodeWorkTogether) {
  const Machine m = plain_machine();
  const Data large = 1 * units::GB;
  // 8 ports of 0.1 GB/s carry 0.8: the flat ring is bound by them, not by one port.
  EXPECT_LT(all_gather(m, {16, 8}, large), 1.0 / 0.8 * units::s);
  EXPECT_GT(all_gather(m, {16, 2}, large), all_gather(m, {16, 8}, large));
}

TEST(MachineTest, FactsThatCannotBeAreRefusedByName) {
  base::Settings settings;
  settings.overrides = {"ampere.matmul_half_size=0"};
  const catalog::Catalog facts(settings);
  try {
    machine(facts, catalog::system(facts, "dgx-a100-80"), catalog::Precision::bf16);
    FAIL() << "a size of 0 was accepted";
  } catch (const base::UserError& e) {
    EXPECT_EQ(e.code(), "bad-fact");
    EXPECT_NE(e.message().find("ampere.matmul_half_size"), std::string::npos);
  }
}

TEST(MachineTest, FormatThatTheDeviceLacksNamesThoseItHas) {
  const catalog::Catalog facts{base::Settings{}};
  try {
    machine(facts, catalog::system(facts, "dgx-a100-80"), catalog::Precision::fp8);
    FAIL() << "an A100 has no FP8";
  } catch (const base::UserError& e) {
    EXPECT_EQ(e.code(), "no-peak");
    EXPECT_NE(e.message().find("bf16"), std::string::npos);
  }
}

}  // namespace
}  // namespace greenline::model
