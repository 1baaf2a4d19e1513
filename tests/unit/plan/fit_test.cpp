#include "plan/fit.hpp"

#include <gtest/gtest.h>

#include "base/parallel.hpp"
#include "plan/iteration.hpp"
#include "plan/naive.hpp"
#include "plan_configurations.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;

MeasuredRun run_of(const char* model, std::int64_t devices, const char* strategy,
                   std::int64_t micro_batch) {
  MeasuredRun run;
  run.problem = problem_of(model, "dgx-a100-80", devices, 512);
  run.problem.attention = model::Attention::materialised;
  run.problem.overlap_gradients = false;
  run.configuration.strategy = parse_strategy(strategy, devices);
  run.configuration.recompute = Recompute::full;
  run.configuration.micro_batch = micro_batch;
  return run;
}

// Runs on a machine with these constants.
std::vector<MeasuredRun> runs_on(const ConstantValues& truth) {
  std::vector<MeasuredRun> runs;
  for (const char* model : {"megatron-1.7b", "megatron-3.6b", "megatron-18b"})
    for (const char* strategy : {"tp1,dp64", "tp2,dp32", "tp8,dp8", "tp4,pp2,dp8", "tp8,pp4,dp2"})
      for (const std::int64_t micro_batch : {1, 2, 8})
        runs.push_back(run_of(model, 64, strategy, micro_batch));
  const std::vector<base::Time> times = predicted(runs, truth);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].iteration = times[i];
  return runs;
}

constexpr ConstantValues kCatalogue = {0.78, 32, 0.6, 0.75, 8, 0.77, 0.65};
constexpr ConstantValues kTruth = {0.66, 60, 0.4, 0.65, 25, 0.6, 0.35};

TEST(FitTest, FindsTheMachineThatMadeTheRuns) {
  const std::vector<MeasuredRun> runs = runs_on(kTruth);
  const Fit f = fit(runs, kCatalogue, 7, base::no_progress());
  // The pull towards the catalogue keeps it from zero.
  EXPECT_LT(f.error, 0.01);
  EXPECT_NEAR(f.values[0], kTruth[0], 0.05);
  EXPECT_NEAR(f.values[4], kTruth[4], 5);
  EXPECT_NEAR(f.values[6], kTruth[6], 0.05);
  EXPECT_FALSE(f.interrupted);
  const std::vector<base::Time> times = predicted(runs, f.values);
  double sum = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) sum += std::abs(times[i] / runs[i].iteration - 1);
  EXPECT_NEAR(sum / static_cast<double>(runs.size()), f.error, 1e-12);
}

TEST(FitTest, IsTheSameForAnyNumberOfThreads) {
  std::vector<MeasuredRun> runs = runs_on(kTruth);
  runs.resize(12);
  const int before = base::num_threads();
  base::set_num_threads(1);
  const Fit one = fit(runs, kCatalogue, 3, base::no_progress());
  base::set_num_threads(3);
  const Fit three = fit(runs, kCatalogue, 3, base::no_progress());
  base::set_num_threads(before);
  EXPECT_EQ(one.values, three.values);
  EXPECT_EQ(one.error, three.error);
  EXPECT_EQ(one.evaluations, three.evaluations);
}

TEST(FitTest, StopsWhenItIsToldToWithTheBestSoFar) {
  struct Impatient : base::Progress {
    bool cancelled() override { return true; }
  } progress;
  std::vector<MeasuredRun> runs = runs_on(kTruth);
  runs.resize(12);
  const Fit f = fit(runs, kCatalogue, 3, progress);
  EXPECT_TRUE(f.interrupted);
  double start = 0;
  const std::vector<base::Time> times = predicted(runs, kCatalogue);
  for (std::size_t i = 0; i < runs.size(); ++i) start += std::abs(times[i] / runs[i].iteration - 1);
  EXPECT_LT(f.error, start / static_cast<double>(runs.size()));
}

TEST(FitTest, ValuesGoIntoAMachineAndComeBack) {
  Problem p = problem_of("megatron-1.7b", "dgx-a100-80", 8, 8);
  const ConstantValues catalogue = values_of(p.machine, p.system);
  for (std::size_t i = 0; i < kNumConstants; ++i)
    EXPECT_NEAR(catalogue[i], kCatalogue[i], 1e-12) << constants()[i].property;
  set_values(p, kTruth);
  const ConstantValues back = values_of(p.machine, p.system);
  for (std::size_t i = 0; i < kNumConstants; ++i) EXPECT_NEAR(back[i], kTruth[i], 1e-12);
}

TEST(NaiveTest, NoOtherShareIsBetter) {
  const std::vector<MeasuredRun> runs = runs_on(kTruth);
  const auto error = [&](double share) {
    double sum = 0;
    for (const MeasuredRun& run : runs) sum += std::abs(naive_time(run, share) / run.iteration - 1);
    return sum;
  };
  const double share = naive_share(runs).value();
  EXPECT_GT(share, 0);
  EXPECT_LT(share, 1);
  const double least = error(share);
  for (double other = 0.01; other < 1; other += 0.002) EXPECT_GE(error(other), least * (1 - 1e-12));
}

// It would have no error at all.
TEST(NaiveTest, OneRunHasNoBaseline) {
  const std::vector<MeasuredRun> runs = runs_on(kTruth);
  EXPECT_FALSE(naive_share(std::span(runs).first(1)));
  EXPECT_TRUE(naive_share(std::span(runs).first(2)));
}

}  // namespace
}  // namespace greenline::plan
