#include "plan/evaluator.hpp"

#include <gtest/gtest.h>

#include "plan_configurations.hpp"

namespace greenline::plan {
namespace {

void expect_same(const Memory& a, const Memory& b, const std::string& what) {
  EXPECT_EQ(a.weights, b.weights) << what;
  EXPECT_EQ(a.gradients, b.gradients) << what;
  EXPECT_EQ(a.optimizer, b.optimizer) << what;
  EXPECT_EQ(a.activations, b.activations) << what;
  EXPECT_EQ(a.buffers, b.buffers) << what;
  EXPECT_EQ(a.stage, b.stage) << what;
}

void expect_same(const Iteration& a, const Iteration& b, const std::string& what) {
  EXPECT_EQ(a.total(), b.total()) << what;
  EXPECT_EQ(a.bubble, b.bubble) << what;
  EXPECT_EQ(a.data_parallel, b.data_parallel) << what;
  EXPECT_EQ(a.tensor_parallel, b.tensor_parallel) << what;
  EXPECT_EQ(a.context_parallel, b.context_parallel) << what;
  EXPECT_EQ(a.busy.compute, b.busy.compute) << what;
}

class EvaluatorTest : public testing::TestWithParam<const char*> {};

TEST_P(EvaluatorTest, SaysWhatThePlainFunctionsSay) {
  Problem p = problem_of(GetParam(), "dgx-h100", 192, 768);
  p.overlap_tensor = std::string(GetParam()) == "llama3-8b";
  Evaluator evaluate(p);
  ConfigurationSource source(7);
  for (int i = 0; i < 2000; ++i) {
    const Configuration c = source.configuration(p);
    const std::string what = strategy_text(c.strategy);
    expect_same(evaluate.memory(c), fullest_stage(p, c), what);
    expect_same(evaluate.iteration(c), iteration(p, c), what);
    EXPECT_LE(evaluate.lower_bound(c), evaluate.iteration(c).total()) << what;
    EXPECT_GT(evaluate.lower_bound(c), 0.05 * evaluate.iteration(c).total()) << what;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EvaluatorTest,
                         testing::Values("llama3-70b", "megatron-18b", "llama3-8b"));

}  // namespace
}  // namespace greenline::plan
