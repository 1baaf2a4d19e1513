#include "plan/search_recommender.hpp"

#include <array>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "plan/search.hpp"
#include "thread_ranks.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;

SearchRequest request_of(std::vector<std::int64_t> devices) {
  SearchRequest r;
  r.plan.model = "dlrm-a";
  r.plan.system = "zionex";
  r.devices = std::move(devices);
  r.plan.global_batch = 65536;
  return r;
}

RecommenderProblem problem_of(std::int64_t devices) {
  const catalog::Catalog facts{base::Settings{}};
  RecommenderProblem p;
  p.shape = catalog::model_shape(facts, "dlrm-a");
  p.system = catalog::system(facts, "zionex");
  p.machine = model::machine(facts, p.system, catalog::Precision::tf32);
  p.devices = devices;
  p.global_batch = 65536;
  p.memory_reserve = 0.05;
  return p;
}

TEST(DenseSplits, AreWhatCountingFinds) {
  for (const std::int64_t devices : {1, 2, 6, 8, 12}) {
    std::set<std::string> counted, given;
    const std::array kinds = {"ddp", "fsdp", "tp"};
    for (std::int64_t a = 1; a <= devices; ++a)
      for (std::int64_t b = 1; b <= devices; ++b)
        for (std::int64_t c = 1; c <= devices; ++c)
          for (int x = 0; x < 3; ++x)
            for (int y = 0; y < 3; ++y) {
              if (a * b * c != devices || x == y || (a == 1 && devices > 1)) continue;
              if ((b == 1 && c > 1) || (devices == 1 && x > 0)) continue;
              std::string text = fmt::format("dense={}{}", kinds.at(x), a);
              if (b > 1) text += fmt::format(",{}{}", kinds.at(y), b);
              if (c > 1) text += fmt::format(",{}{}", kinds.at(3 - x - y), c);
              counted.insert(text);
            }
    for (const RecommenderStrategy& s : dense_splits(devices))
      EXPECT_TRUE(given.insert(class_strategy_text({class_strategy(s).front()})).second);
    EXPECT_EQ(given, counted) << devices;
  }
}

// Every legal strategy, one after another.
struct Plain {
  std::int64_t legal = 0, fit = 0;
  std::optional<RecommenderPlan> best;
};
Plain plain_search(std::int64_t devices) {
  Plain out;
  RecommenderProblem p = problem_of(devices);
  for (RecommenderStrategy s : dense_splits(devices))
    for (const LevelKind tables : {LevelKind::shard, LevelKind::row, LevelKind::column}) {
      s.tables = tables;
      p.strategy = class_strategy(s);
      if (!why_impossible(p).empty()) continue;
      ++out.legal;
      RecommenderPlan plan = recommender_plan(p);
      EXPECT_EQ(recommender_memory(p).total(), plan.memory.total());
      if (!plan.memory.fits()) continue;
      ++out.fit;
      if (!out.best || plan.iteration < out.best->iteration) out.best = std::move(plan);
    }
  return out;
}

TEST(SearchOfARecommender, FindsWhatTryingEverythingFinds) {
  for (const std::int64_t devices : {64, 128}) {
    const Plain plain = plain_search(devices);
    const SearchResult x = search(request_of({devices}));
    ASSERT_EQ(x.status, SearchStatus::ok);
    EXPECT_EQ(x.counts.all(), plain.legal);
    EXPECT_EQ(x.counts.evaluated, plain.fit);
    // Scores are compared to 12 digits.
    EXPECT_NEAR(x.best->iteration.nominal() / plain.best->iteration, 1, 1e-11);
    EXPECT_TRUE(x.best->memory.fits());
    for (const SearchRow& row : x.top) EXPECT_TRUE(row.memory.fits());
  }
}

TEST(SearchOfARecommender, TheBestIsWhatAnEstimateSays) {
  SearchRequest r = request_of({64, 128});
  r.plan.price = 2.0 * units::USD_per_h;
  r.objective = Objective::energy;
  const SearchResult x = search(r);
  ASSERT_EQ(x.status, SearchStatus::ok);
  const SearchRow& first = x.top.front();
  EXPECT_EQ(first.strategy, x.best->strategy_text);
  // Sums and products in another order: 1e-12 for their rounding.
  const auto near = [](double a, double b) { EXPECT_NEAR(a / b, 1, 1e-12); };
  near(first.time.nominal().in(units::s), x.best->iteration.nominal().in(units::s));
  near(first.energy.nominal().base_value(), x.best->energy.nominal().base_value());
  near(first.carbon.nominal().base_value(), x.best->carbon.nominal().base_value());
  near(first.cost->nominal().base_value(), x.best->cost->nominal().base_value());
  near(first.mfu, x.best->mfu);
  for (const SearchRow& row : x.top)
    EXPECT_GE(row.energy.nominal(), first.energy.nominal() * (1 - 1e-11));
  EXPECT_FALSE(x.greenline.points.empty());
}

TEST(SearchOfARecommender, IsTheStrategyAutoOfAnEstimate) {
  const SearchRequest r = request_of({128});
  EstimateRequest e = r.plan;
  e.devices = 128;
  const EstimateResult of_auto = estimate(e);
  const SearchResult x = search(r);
  EXPECT_EQ(of_auto.strategy_text, x.best->strategy_text);
  EXPECT_EQ(of_auto.configurations_tried, x.counts.all());
}

TEST(SearchOfARecommender, ThreadsAndRanksDoNotMatter) {
  const SearchRequest r = request_of({32, 64, 128});
  base::set_num_threads(1);
  const SearchResult one = search(r);
  base::set_num_threads(2);
  const auto expect_same = [&](const SearchResult& x) {
    ASSERT_EQ(x.top.size(), one.top.size());
    for (std::size_t i = 0; i < x.top.size(); ++i) {
      EXPECT_EQ(x.top[i].strategy, one.top[i].strategy);
      EXPECT_EQ(x.top[i].equals, one.top[i].equals);
    }
    EXPECT_EQ(x.pareto.size(), one.pareto.size());
    EXPECT_EQ(x.counts.all(), one.counts.all());
  };
  expect_same(search(r));
  ThreadRanks::run(3, [&](const std::shared_ptr<base::Communicator>& ranks) {
    SearchRequest shared = r;
    shared.settings.communicator = ranks;
    expect_same(search(shared));
  });
}

// Streams run their tasks in a fixed order, so that a better machine makes no strategy slower.
TEST(SearchOfARecommender, MoreIsNeverWorse) {
  RecommenderProblem p = problem_of(64);
  const auto best_of = [](const RecommenderProblem& problem) {
    SearchTask task;
    task.recommenders = {problem};
    return explore(task, Meter(), *base::alone(), base::no_progress()).leaders.front().value;
  };
  const double before = best_of(p);
  const auto expect_no_worse = [&](const auto& change) {
    RecommenderProblem better = p;
    change(better);
    EXPECT_LE(best_of(better), before * (1 + 1e-11));  // scores are compared to 12 digits
  };
  expect_no_worse([](RecommenderProblem& b) { b.system.device.memory *= 2; });
  expect_no_worse([](RecommenderProblem& b) { b.machine.intra.bandwidth *= 2; });
  expect_no_worse([](RecommenderProblem& b) { b.machine.inter.bandwidth *= 2; });
  expect_no_worse([](RecommenderProblem& b) { b.machine.memory_bandwidth *= 2; });
  expect_no_worse([](RecommenderProblem& b) { b.machine.matmul_peak *= 2; });
}

TEST(SearchOfARecommender, SaysWhatIsShortAndWhatIsPast) {
  const SearchResult small = search(request_of({8}));
  EXPECT_EQ(small.status, SearchStatus::does_not_fit);
  EXPECT_NE(small.why.find("short by"), std::string::npos) << small.why;
  SearchRequest r = request_of({128});
  r.max_time = 1.0 * units::ms;
  const SearchResult slow = search(r);
  EXPECT_EQ(slow.status, SearchStatus::infeasible);
  EXPECT_NE(slow.why.find("above --max-time 1 ms"), std::string::npos) << slow.why;
}

TEST(SearchOfARecommender, RefusesWhatBelongsToTransformers) {
  const auto code_of = [](const auto& change) -> std::string {
    SearchRequest r = request_of({128});
    change(r);
    try {
      search(r);
    } catch (const base::UserError& e) {
      return e.code();
    }
    return "";
  };
  EXPECT_EQ(code_of([](SearchRequest& r) { r.space.micro_batch = {1}; }), "conflict");
  EXPECT_EQ(code_of([](SearchRequest& r) { r.space.recompute = {Recompute::full}; }), "conflict");
  EXPECT_EQ(code_of([](SearchRequest& r) { r.plan.sequence_length = 128; }), "conflict");
  EXPECT_EQ(code_of([](SearchRequest& r) { r.plan.global_batch = 0; }), "missing-input");
  EXPECT_EQ(code_of([](SearchRequest& r) { r.plan.global_batch = 65537; }), "no-strategy");
}

}  // namespace
}  // namespace greenline::plan
