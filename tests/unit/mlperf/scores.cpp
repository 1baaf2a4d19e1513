#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "mlperf/inference.hpp"
#include "mlperf/integral.hpp"
#include "mlperf/score_tree.hpp"
#include "mlperf/selftest.hpp"
#include "mlperf/tiny.hpp"
#include "mlperf/training.hpp"
#include "shared_data.hpp"

namespace greenline::mlperf {
namespace {

namespace units = base::units;

constexpr std::int64_t kSecond = 1'000'000'000;

LoadgenLog log_of(const std::vector<std::pair<std::string, std::string>>& entries) {
  LoadgenLog log;
  log.entries = {{"power_begin", "01-01-2024 00:00:10.500", 1},
                 {"power_end", "01-01-2024 00:01:10.500", 2}};
  for (const auto& [key, value] : entries) log.entries.push_back({key, value, 3});
  return log;
}

// One sample a second from 00:00:00 on, of `watts` each.
SplTrace trace_of(std::size_t num_samples, double watts, std::int64_t shift_ns = 0) {
  constexpr std::int64_t kNewYear = 1704067200 * kSecond;
  SplTrace trace;
  trace.marks = {"testing"};
  for (std::size_t i = 0; i < num_samples; ++i) {
    SplSample s;
    s.time_ns = kNewYear + shift_ns + static_cast<std::int64_t>(i) * kSecond;
    s.watts = watts;
    trace.samples.push_back(s);
  }
  return trace;
}

TEST(Inference, PowerOfTheSamplesStrictlyInside) {
  LoadgenLog log = log_of({{"result_samples_per_second", "500"}});
  log.entries[0].value = "01-01-2024 00:00:10.000";  // a sample stands on each end
  log.entries[1].value = "01-01-2024 00:01:10.000";
  SplTrace trace = trace_of(100, 200);
  trace.samples[10].watts = trace.samples[70].watts = 9999;
  trace.samples[20].watts = -1;
  trace.samples[21].watts = std::nan("");
  const Score s = inference_score(log, trace, Scenario::offline, {});
  EXPECT_EQ(s.num_samples, 57u);
  EXPECT_EQ(s.num_invalid, 2u);
  EXPECT_DOUBLE_EQ(s.metric, 200);
  EXPECT_EQ(s.unit, "W");
  EXPECT_DOUBLE_EQ(*s.samples_per_joule, 2.5);
}

TEST(Inference, UnitsOfStreamsFollowTheRound) {
  const LoadgenLog old = log_of({{"result_qps_with_loadgen_overhead", "100"}}),
                   new_log = log_of({{"result_query_count", "6000"}});
  const SplTrace trace = trace_of(100, 200);
  const auto score = [&](const LoadgenLog& log, Round round) {
    return inference_score(log, trace, Scenario::single_stream, {round, {}, {}});
  };
  EXPECT_DOUBLE_EQ(score(old, {}).metric, 2);
  EXPECT_EQ(score(old, {}).unit, "J/stream");
  EXPECT_DOUBLE_EQ(score(new_log, {}).metric, 2000);
  EXPECT_EQ(score(new_log, {}).unit, "mJ/query");
  EXPECT_DOUBLE_EQ(score(new_log, {2, 1}).metric, 2);
  EXPECT_DOUBLE_EQ(score(old, {3, 0}).metric, 2000);
  EXPECT_THROW(score(log_of({}), {}), base::DataError);
}

TEST(Inference, MultiStreamInferredFromSingleStreamIsEightQueries) {
  const LoadgenLog inferred =
      log_of({{"result_query_count", "6000"}, {"effective_scenario", "SingleStream"}});
  const LoadgenLog measured = log_of({{"result_query_count", "6000"},
                                      {"effective_scenario", "MultiStream"},
                                      {"effective_samples_per_query", "8"}});
  const SplTrace trace = trace_of(100, 200);
  const Score a = inference_score(inferred, trace, Scenario::multi_stream, {});
  const Score b = inference_score(measured, trace, Scenario::multi_stream, {});
  EXPECT_DOUBLE_EQ(a.metric, 8 * b.metric);
  EXPECT_DOUBLE_EQ(*a.samples_per_joule * 8, *b.samples_per_joule);
}

TEST(Inference, TokensAreNoSamples) {
  const Score s = inference_score(log_of({{"result_tokens_per_second", "13096.6"}}),
                                  trace_of(100, 200), Scenario::offline, {});
  EXPECT_FALSE(s.samples_per_joule);
  EXPECT_EQ(s.samples_per_joule_why, "the log counts tokens, not samples");
  EXPECT_DOUBLE_EQ(*s.tokens_per_joule, 13096.6 / 200);
}

TEST(Inference, AClockInAnotherZoneIsNamedAndMended) {
  const LoadgenLog log = log_of({});
  const std::int64_t seven_hours = 7 * 3600 * kSecond;
  const SplTrace trace = trace_of(100, 200, -seven_hours);
  try {
    inference_score(log, trace, Scenario::server, {});
    FAIL();
  } catch (const base::DataError& e) {
    EXPECT_EQ(e.code(), "no-samples");
    EXPECT_NE(e.hint().find("A shift of +7.00 h fits: --trace-shift 7h"), std::string::npos)
        << e.hint();
  }
  EXPECT_EQ(inference_score(log, trace, Scenario::server, {{}, {}, 7.0 * units::h}).num_samples,
            60u);
}

TEST(Inference, ScenarioOfTheDirectory) {
  EXPECT_EQ(directory_scenario("/a/resnet50/Offline/performance/run_1"), Scenario::offline);
  EXPECT_EQ(directory_scenario("/a/multistream/performance/run_1"), Scenario::multi_stream);
  EXPECT_EQ(directory_scenario("/a/SingleStream"), Scenario::single_stream);
  EXPECT_FALSE(directory_scenario("/server/a/b/run_1"));
}

TEST(Integral, EdgesAreSplit) {
  const std::vector<PowerSample> samples = {{0, 1}, {kSecond, 10}, {2 * kSecond, 20}};
  const WindowEnergy e = integrate(samples, kSecond / 2, 3 * kSecond / 2);
  EXPECT_DOUBLE_EQ(e.energy.in(units::J), 0.5 * 10 + 0.5 * 20);
  EXPECT_DOUBLE_EQ(e.covered.in(units::s), 1);
  const WindowEnergy wide = integrate(samples, -kSecond, 9 * kSecond);
  EXPECT_DOUBLE_EQ(wide.energy.in(units::J), 30);
  EXPECT_DOUBLE_EQ(wide.covered.in(units::s), 2);
  EXPECT_EQ(integrate({}, 0, 1).energy.in(units::J), 0);
}

TrainingRun run(double seconds, double joules, bool is_converged = true) {
  TrainingRun x;
  x.name = std::to_string(seconds);
  x.time = seconds * units::s;
  x.node_energy = joules * units::J;
  x.is_converged = is_converged;
  x.num_nodes = 1;
  return x;
}

TEST(Training, RunsAreDroppedByTimeNotByEnergy) {
  const Score s =
      training_score({run(3, 1), run(1, 1000), run(2, 50), run(4, 2000)}, "bert", 1.5, "folder");
  EXPECT_DOUBLE_EQ(s.energy.in(units::J), 1.5 * (1 + 50) / 2);
  EXPECT_DOUBLE_EQ(s.duration.in(units::s), 1.5 * 2.5);
  EXPECT_FALSE(s.runs.front().is_counted);
}

TEST(Training, ARunWithoutConvergenceIsTheSlowest) {
  const auto score = [](std::vector<TrainingRun> runs) {
    return training_score(std::move(runs), "bert", std::nullopt, "folder").energy.in(units::J);
  };
  EXPECT_DOUBLE_EQ(score({run(0.1, 7, false), run(1, 10), run(2, 20), run(3, 40)}), 30);
  EXPECT_THROW(score({run(0.1, 7, false), run(0.2, 7, false), run(1, 10), run(2, 20)}),
               base::DataError);
  EXPECT_THROW(score({run(1, 10), run(2, 20)}), base::DataError);
}

TEST(Training, EveryRunNeedsEveryNode) {
  std::vector<TrainingRun> runs = {run(1, 10), run(2, 20), run(3, 40)};
  runs[1].num_nodes = 2;
  EXPECT_THROW(training_score(runs, "bert", 1.0, "folder"), base::DataError);
  EXPECT_EQ(num_dropped_runs("unet3d"), 4u);
}

TEST(Tiny, MedianOfTheEvenWindows) {
  EnergyTrace trace;
  trace.sample_rate_hz = 10;
  for (int i = 0; i < 1000; ++i) trace.microjoules.push_back(static_cast<float>(i / 100));
  TinyLog log;
  log.inferences = 10;
  const Score s = tiny_score(trace, {0, 10, 25, 30, 45, 50, 65}, log);
  ASSERT_EQ(s.windows.size(), 3u);
  // Windows of 150 samples each from 10, 30 and 50 s, in steps of 10 s: 1 and 2, 3 and 4, 5 and 6.
  EXPECT_DOUBLE_EQ(s.metric, (100 * 3 + 50 * 4) / 10.0);
  EXPECT_THROW(tiny_score(trace, {0, 10, 25}, TinyLog{}), base::DataError);
  EXPECT_THROW(tiny_score(trace, {0, 10, 25, 30, 45, 200, 300}, log), base::DataError);
}

TEST(Path, NamesOfASubmissionTree) {
  const PathNames n =
      names_of_path("/x/inference_results_v3.1/closed/Dell/results/R750/bert-99/Offline");
  EXPECT_EQ(n.submitter, "Dell");
  EXPECT_EQ(n.system, "R750");
  EXPECT_EQ(n.benchmark, "bert-99");
  EXPECT_EQ(n.round.text(), "v3.1");
  EXPECT_FALSE(names_of_path("/x/y_v3/z").round.is_known());
}

TEST(Selftest, PublishedMetrics) {
  GL_SHARED_OR_SKIP(shared);
  base::SelftestRequest request;
  request.root = shared;
  std::size_t num_failed = 0;
  const auto rows = selftest(request, base::no_progress());
  EXPECT_EQ(rows.size(), 38u + 36u + 6u + 24u);
  for (const base::CheckRow& row : rows) {
    if (row.pass()) continue;
    ++num_failed;
    EXPECT_NE(row.name.find("/ssd"), std::string::npos) << row.name << ": " << row.got;
    EXPECT_NEAR(row.got, 14890.64, 0.01);  // two decimals are printed
  }
  EXPECT_EQ(num_failed, 1u);  // its scaling file is not in the submission
}

TEST(ScoreTree, ThreadsDoNotMatter) {
  GL_SHARED_OR_SKIP(shared);
  ScoreRequest request;
  request.folder = shared + "/data/power";
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 2, 5}) {
    base::set_num_threads(threads);
    std::vector<double> values;
    for (const ScoredSession& s : score(request).sessions) {
      values.push_back(s.score.metric);
      values.push_back(s.score.native.energy.base_value());
    }
    results.push_back(std::move(values));
  }
  base::set_num_threads(0);
  EXPECT_EQ(results[0].size(), 2 * 84u);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace greenline::mlperf
