#include "plan/slice_cost.hpp"

#include <gtest/gtest.h>

#include "plan/iteration.hpp"
#include "plan_configurations.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;

model::Machine slowed(double slowdown) {
  model::Machine m;
  m.efficiency.overlap_slowdown = slowdown;
  return m;
}

TEST(ShownTest, WhatHidesSlowsDownWhatHidesIt) {
  const model::Machine m = slowed(0.2);
  EXPECT_NEAR(shown(m, 3 * units::s, 10 * units::s).in(units::s), 0.6, 1e-12);
  EXPECT_NEAR(shown(m, 10 * units::s, 3 * units::s).in(units::s), 7 + 0.6, 1e-12);
  EXPECT_NEAR(shown(slowed(0), 3 * units::s, 10 * units::s).in(units::s), 0, 1e-12);
  // A quarter shows; three quarters run beside three quarters of the computation.
  EXPECT_NEAR(shown(m, 4 * units::s, 8 * units::s, 4).in(units::s), 1 + 0.2 * 3, 1e-12);
}

TEST(ShownTest, AShorterExchangeOrComputationNeverTakesLonger) {
  const model::Machine m = slowed(0.4);
  for (double exchange = 0; exchange < 5; exchange += 0.5)
    for (double cover = 0; cover < 5; cover += 0.5) {
      const base::Time x = exchange * units::s, c = cover * units::s, more = 0.5 * units::s;
      EXPECT_LE(shown(m, x, c), shown(m, x + more, c));
      EXPECT_LE(c + shown(m, x, c), c + more + shown(m, x, c + more));
    }
}

double iteration_seconds(const Problem& p, const char* strategy, Recompute recompute) {
  Configuration c;
  c.strategy = parse_strategy(strategy, p.devices);
  c.recompute = recompute;
  return iteration(p, c).total().in(units::s);
}

TEST(SoftwareTest, EagerKernelsTakeLongerAndNarrowProductsShorter) {
  Problem p = problem_of("llama3-8b", "dgx-h100", 8, 16);
  const double fused = iteration_seconds(p, "fsdp", Recompute::selective);
  Problem eager = p;
  eager.kernels = model::Kernels::eager;
  EXPECT_GT(iteration_seconds(eager, "fsdp", Recompute::selective), 1.05 * fused);
  const catalog::Catalog facts{base::Settings{}};
  Problem narrow = p;
  narrow.machine = model::machine(facts, p.system, catalog::Precision::fp8);
  // Twice the peak, but casts, attention and head stay.
  EXPECT_LT(iteration_seconds(narrow, "fsdp", Recompute::selective), fused);
  EXPECT_GT(iteration_seconds(narrow, "fsdp", Recompute::selective), fused / 2);
}

TEST(SoftwareTest, AsynchronousTensorParallelismHidesItsExchanges) {
  Problem p = problem_of("llama3-70b", "dgx-h100", 64, 64);
  const double plain = iteration_seconds(p, "tp8,zero3,sp", Recompute::full);
  p.overlap_tensor = true;
  EXPECT_LT(iteration_seconds(p, "tp8,zero3,sp", Recompute::full), plain);
}

TEST(SoftwareTest, SelectiveRecomputationGathersAgainUnderSequenceParallelism) {
  const Problem p = problem_of("llama3-70b", "dgx-h100", 64, 64);
  Configuration c;
  c.strategy = parse_strategy("tp8,sp", p.devices);
  const base::Time none = iteration(p, c).tensor_parallel;
  c.recompute = Recompute::selective;
  const base::Time selective = iteration(p, c).tensor_parallel;
  c.recompute = Recompute::full;
  const base::Time full = iteration(p, c).tensor_parallel;
  EXPECT_LT(none, selective);
  EXPECT_LT(selective, full);
  // Gradients of half the size travel in half the time.
  Problem half = p;
  half.overlap_gradients = false;
  c.recompute = Recompute::none;
  const base::Time four = iteration(half, c).data_parallel;
  half.gradient_bytes = 2;
  EXPECT_NEAR(iteration(half, c).data_parallel / four, 0.5, 0.01);
}

}  // namespace
}  // namespace greenline::plan
