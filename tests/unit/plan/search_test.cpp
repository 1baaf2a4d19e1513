#include "plan/search.hpp"

#include <algorithm>
#include <atomic>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "plan_configurations.hpp"
#include "thread_ranks.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;

SearchRequest request_of(const char* model, const char* system, std::vector<std::int64_t> devices) {
  SearchRequest r;
  r.plan.model = model;
  r.plan.system = system;
  r.devices = std::move(devices);
  r.plan.global_batch = 64;
  r.plan.sequence_length = 2048;
  return r;
}

using Key = std::tuple<std::string, std::int64_t, int, std::int64_t, int, int>;
Key key_of(const Configuration& c) {
  return {strategy_text(c.strategy),     c.micro_batch,
          static_cast<int>(c.recompute), c.interleave,
          static_cast<int>(c.schedule),  static_cast<int>(c.offload)};
}

std::set<Key> space_of(const Problem& p, const SpaceOptions& options) {
  std::set<Key> keys;
  for (const Layout& layout : layouts(p, options).possible)
    for_each_configuration(p, layout, options, [&](const Configuration& c) {
      EXPECT_EQ(why_impossible(p, c), "");
      EXPECT_EQ(c.strategy.devices(), p.devices);
      EXPECT_TRUE(keys.insert(key_of(c)).second) << strategy_text(c.strategy) << " comes twice";
      return true;
    });
  return keys;
}

// Every number from 1 on in every place, and what does not make sense taken out by one rule each.
std::set<Key> space_by_counting(const Problem& p) {
  std::set<Key> keys;
  const std::int64_t n = p.devices;
  Configuration c;
  Strategy& s = c.strategy;
  const auto rest = [&] {
    for (c.micro_batch = 1; c.micro_batch <= p.global_batch; ++c.micro_batch)
      for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full})
        for (c.interleave = 1; c.interleave <= p.shape.layers; ++c.interleave)
          for (const Schedule schedule : {Schedule::one_f_one_b, Schedule::zero_bubble}) {
            if (c.interleave > 1 && p.shape.layers % (s.pipeline_parallel * c.interleave) != 0)
              continue;
            c.recompute = recompute;
            c.schedule = schedule;
            if (why_impossible(p, c).empty()) keys.insert(key_of(c));
          }
  };
  const std::int64_t most_experts = p.shape.experts ? n : 1;
  for (std::int64_t t = 1; t <= n; ++t)
    for (std::int64_t x = 1; x <= n; ++x)
      for (std::int64_t pp = 1; pp <= n; ++pp)
        for (std::int64_t ep = 1; ep <= most_experts; ++ep)
          for (const bool sequence : {false, true})
            for (int zero = 0; zero <= 3; ++zero)
              for (const bool node_group : {false, true}) {
                if (n % (t * x * pp) != 0 || (sequence && t == 1)) continue;
                s = {};
                s.tensor_parallel = t;
                s.context_parallel = x;
                s.pipeline_parallel = pp;
                s.data_parallel = n / (t * x * pp);
                s.expert_parallel = ep;
                s.sequence_parallel = sequence;
                s.zero = zero;
                if (zero > 0 && s.data_parallel * x == 1) continue;
                const std::int64_t node = p.system.devices_per_node / (t * x);
                if (node_group && (zero == 0 || node < 2 || node >= s.data_parallel)) continue;
                if (node_group) s.shard_group = node;
                rest();
              }
  return keys;
}

TEST(SearchSpace, IsWhatCountingFinds) {
  for (const std::int64_t devices : {1, 6, 16}) {
    Problem p = problem_of("llama3-8b", "dgx-h100", devices, 12);
    p.shape.layers = 6;
    p.system.devices_per_node = p.machine.devices_per_node = 4;
    EXPECT_EQ(space_of(p, {}), space_by_counting(p)) << devices;
  }
}

TEST(SearchSpace, SpreadsExperts) {
  Problem p = problem_of("mixtral-8x7b", "dgx-h100", 8, 8);
  p.shape.layers = 4;
  EXPECT_EQ(space_of(p, {}), space_by_counting(p));
}

TEST(SearchSpace, UsualIsAPartOfAll) {
  const Problem p = problem_of("llama3-8b", "dgx-h100", 16, 24);
  SpaceOptions usual;
  usual.breadth = Breadth::usual;
  const auto all = space_of(p, {}), part = space_of(p, usual);
  EXPECT_LT(part.size(), all.size());
  EXPECT_TRUE(std::includes(all.begin(), all.end(), part.begin(), part.end()));
}

TEST(SearchSpace, FixedValuesAreKept) {
  const Problem p = problem_of("llama3-8b", "dgx-h100", 16, 24);
  SpaceOptions options;
  options.micro_batch = {3};
  options.recompute = {Recompute::full, Recompute::none};
  options.interleave = {2};
  for (const Layout& layout : layouts(p, options).possible)
    for_each_configuration(p, layout, options, [&](const Configuration& c) {
      EXPECT_EQ(c.micro_batch, 3);
      EXPECT_NE(c.recompute, Recompute::selective);
      EXPECT_EQ(c.interleave, 2);
      return true;
    });
}

TEST(SearchSpace, SaysWhyASplitCannotRun) {
  const Layouts all = layouts(problem_of("llama3-8b", "dgx-h100", 48, 16), {});
  ASSERT_TRUE(all.impossible.contains("tp"));
  EXPECT_EQ(all.impossible.at("tp").example.substr(0, 5), "tp 3 ");
}

TEST(Divisors, AreAscendingAndComplete) {
  EXPECT_EQ(divisors(1), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(divisors(36), (std::vector<std::int64_t>{1, 2, 3, 4, 6, 9, 12, 18, 36}));
}

TEST(DeviceCounts, OfALargerMaximumHoldThoseOfASmallerOne) {
  EXPECT_EQ(device_counts(64, 8), (std::vector<std::int64_t>{1, 2, 4, 8, 16, 24, 32, 48, 64}));
  for (const std::int64_t node : {1, 4, 6, 8}) {
    std::vector<std::int64_t> before;
    for (std::int64_t most = 1; most < 200; ++most) {
      const auto now = device_counts(most, node);
      EXPECT_TRUE(std::includes(now.begin(), now.end(), before.begin(), before.end())) << most;
      EXPECT_LE(now.back(), most);
      before = now;
    }
  }
}

TEST(Search, TheBestIsWhatAnEstimateSays) {
  SearchRequest r = request_of("llama3-8b", "dgx-h100", {16, 32});
  r.plan.price = 2.0 * units::USD_per_h;
  const SearchResult x = search(r);
  ASSERT_EQ(x.status, SearchStatus::ok);
  ASSERT_TRUE(x.best.has_value());
  EXPECT_EQ(x.best->status, FitStatus::ok);
  ASSERT_EQ(x.top.size(), 10u);
  const SearchRow& first = x.top.front();
  EXPECT_EQ(first.strategy, x.best->strategy_text);
  EXPECT_EQ(first.time.nominal(), x.best->iteration.nominal());
  // Sums and products in another order: 1e-12 for their rounding.
  const auto near = [](double a, double b) { EXPECT_NEAR(a / b, 1, 1e-12); };
  near(first.energy.nominal().base_value(), x.best->energy.nominal().base_value());
  near(first.carbon.nominal().base_value(), x.best->carbon.nominal().base_value());
  near(first.cost->nominal().base_value(), x.best->cost->nominal().base_value());
  near(first.energy.low().base_value(), x.best->energy.low().base_value());
  near(first.mfu, x.best->mfu);
  for (const SearchRow& row : x.top) EXPECT_TRUE(row.memory.fits());
  for (const SearchRow& row : x.pareto) EXPECT_TRUE(row.memory.fits());
  for (std::size_t i = 1; i < x.top.size(); ++i)
    EXPECT_GE(x.top[i].time.nominal(), x.top[i - 1].time.nominal() * (1 - 1e-11));
}

TEST(Search, EachObjectiveHasTheLeastOfItsKind) {
  SearchRequest r = request_of("llama3-8b", "dgx-h100", {8, 16, 64});
  r.plan.price = 2.0 * units::USD_per_h;
  std::vector<SearchResult> all;
  for (const Objective o :
       {Objective::time, Objective::energy, Objective::carbon, Objective::cost}) {
    r.objective = o;
    all.push_back(search(r));
  }
  for (const SearchResult& x : all) {
    // Scores are compared to 12 digits.
    const double a_little_more = 1 + 1e-11;
    EXPECT_LE(all[0].best->iteration.nominal(), x.best->iteration.nominal() * a_little_more);
    EXPECT_LE(all[1].best->energy.nominal(), x.best->energy.nominal() * a_little_more);
    EXPECT_LE(all[2].best->carbon.nominal(), x.best->carbon.nominal() * a_little_more);
    EXPECT_LE(all[3].best->cost->nominal(), x.best->cost->nominal() * a_little_more);
  }
  // Most devices are the fastest, and not the cheapest.
  EXPECT_EQ(all[0].best->devices, 64);
  EXPECT_LT(all[3].best->devices, 64);
  EXPECT_EQ(all[1].best->strategy_text, all[2].best->strategy_text);
}

TEST(Search, LimitsAreKept) {
  SearchRequest r = request_of("llama3-8b", "dgx-h100", {8, 16, 64});
  r.plan.price = 2.0 * units::USD_per_h;
  const SearchResult fastest = search(r);
  r.objective = Objective::cost;
  r.max_time = 1.5 * fastest.best->iteration.nominal();
  const SearchResult timed = search(r);
  ASSERT_EQ(timed.status, SearchStatus::ok);
  EXPECT_LE(timed.best->iteration.nominal(), *r.max_time);
  r = request_of("llama3-8b", "dgx-h100", {8, 16, 64});
  r.max_power = 20.0 * units::kW;
  const SearchResult powered = search(r);
  ASSERT_EQ(powered.status, SearchStatus::ok);
  for (const SearchRow& row : powered.top) EXPECT_LE(row.power, *r.max_power);
  for (const SearchRow& row : powered.cells) EXPECT_LE(row.power, *r.max_power);
  r.max_power = {};
  r.plan.price = 2.0 * units::USD_per_h;
  r.max_price = 40.0 * units::USD_per_h;
  EXPECT_EQ(search(r).best->devices, 16);
}

TEST(Search, WhatPassesALimitIsInfeasibleAndTheNearestIsNamed) {
  SearchRequest r = request_of("llama3-8b", "dgx-h100", {8});
  r.max_time = 1.0 * units::ms;
  const SearchResult slow = search(r);
  EXPECT_EQ(slow.status, SearchStatus::infeasible);
  EXPECT_FALSE(slow.best.has_value());
  ASSERT_TRUE(slow.nearest.has_value());
  EXPECT_NE(slow.why.find("above --max-time 1 ms"), std::string::npos) << slow.why;
  // The nearest to a time limit is the fastest.
  r.max_time = {};
  EXPECT_EQ(slow.nearest->time.nominal(), search(r).best->iteration.nominal());
  r.max_power = 1.0 * units::kW;
  EXPECT_NE(search(r).why.find("above --max-power 1 kW"), std::string::npos);
  r.max_power = {};
  r.plan.price = 2.0 * units::USD_per_h;
  r.max_cost = 1e-6 * units::USD;
  EXPECT_NE(search(r).why.find("above --max-cost"), std::string::npos);
  r.max_cost = {};
  r.max_price = 1.0 * units::USD_per_h;
  const SearchResult dear = search(r);
  EXPECT_EQ(dear.status, SearchStatus::infeasible);
  EXPECT_NE(dear.why.find("above --max-price"), std::string::npos) << dear.why;
  EXPECT_FALSE(dear.best.has_value());
}

TEST(Search, WhatDoesNotFitIsNeverTheAnswer) {
  const SearchResult x = search(request_of("llama3-405b", "dgx-h100", {8}));
  EXPECT_EQ(x.status, SearchStatus::does_not_fit);
  EXPECT_FALSE(x.best.has_value());
  EXPECT_EQ(x.counts.evaluated, 0);
  EXPECT_TRUE(x.top.empty());
  ASSERT_TRUE(x.nearest.has_value());
  EXPECT_FALSE(x.nearest->memory.fits());
  EXPECT_NE(x.why.find("short by"), std::string::npos) << x.why;
}

class Impatient : public base::Progress {
 public:
  bool cancelled() override { return true; }
};

TEST(Search, ReturnsTheBestSoFarWhenItIsStopped) {
  Impatient progress;
  const SearchRequest r = request_of("llama3-8b", "dgx-h100", {64});
  const SearchResult stopped = search(r, progress), whole = search(r);
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_FALSE(whole.interrupted);
  ASSERT_TRUE(stopped.best.has_value());
  EXPECT_TRUE(stopped.best->memory.fits());
  EXPECT_LT(stopped.counts.all(), whole.counts.all());
}

// Stopped at once, before anything that fits was seen: that is not the same as nothing fits.
TEST(Search, StoppedBeforeAnythingFitsSaysSo) {
  Impatient progress;
  const SearchRequest r = request_of("llama3-405b", "dgx-h100", {4, 8, 16, 512});
  ASSERT_EQ(search(r).status, SearchStatus::ok);
  const SearchResult x = search(r, progress);
  EXPECT_EQ(x.status, SearchStatus::interrupted);
  EXPECT_GT(x.counts.all(), 0);
  ASSERT_TRUE(x.nearest.has_value());
  EXPECT_EQ(x.why.find("stopped before all was tried; so far, none of "), 0u) << x.why;
}

// Wants to stop from a given question on.
class Wavering : public base::Progress {
 public:
  explicit Wavering(int patience) : patience_(patience) {}
  bool cancelled() override { return patience_.fetch_sub(1) <= 0; }

 private:
  std::atomic<int> patience_;
};

// Whenever it is stopped, also in its second pass, which looks for what passes the limits by least.
TEST(Search, HasAnAnswerWheneverItIsStopped) {
  for (const auto& [model, devices] :
       {std::pair{"llama3-8b", 64}, {"llama3-70b", 64}, {"llama3-405b", 64}, {"dlrm-a", 64}})
    for (const bool limited : {false, true})
      for (const int patience : {0, 1, 20, 60, 100, 1000}) {
        const bool is_recommender = std::string_view(model) == "dlrm-a";
        SearchRequest r = request_of(model, is_recommender ? "zionex" : "dgx-h100", {devices});
        if (is_recommender) r.plan.sequence_length = 0;
        if (limited) r.max_power = 1.0 * units::kW;
        Wavering progress(patience);
        const SearchResult x = search(r, progress);
        EXPECT_EQ(x.best.has_value(), x.status == SearchStatus::ok);
        EXPECT_EQ(x.nearest.has_value(), x.status != SearchStatus::ok);
        EXPECT_EQ(x.why.empty(), x.status == SearchStatus::ok);
        EXPECT_GT(x.counts.all(), 0);
        EXPECT_TRUE(x.interrupted || x.status != SearchStatus::interrupted);
      }
}

// Ranks that are stopped end together.
TEST(Search, OneRankThatIsStoppedStopsAll) {
  ThreadRanks::run(3, [](const std::shared_ptr<base::Communicator>& ranks) {
    SearchRequest r = request_of("llama3-8b", "dgx-h100", {64});
    r.settings.communicator = ranks;
    Impatient progress;
    const SearchResult x = ranks->rank() == 1 ? search(r, progress) : search(r);
    EXPECT_TRUE(x.interrupted);
    EXPECT_TRUE(x.best.has_value());
  });
}

template <class Change>
std::string code_of(const Change& change) {
  SearchRequest r = request_of("llama3-8b", "dgx-h100", {8});
  change(r);
  try {
    search(r);
  } catch (const base::Error& e) {
    return e.code();
  }
  return "";
}

TEST(Search, RefusesWhatContradictsItself) {
  EXPECT_EQ(code_of([](SearchRequest& r) { r.devices = {}; }), "missing-input");
  EXPECT_EQ(code_of([](SearchRequest& r) { r.devices = {0}; }), "out-of-range");
  EXPECT_EQ(code_of([](SearchRequest& r) { r.max_devices = 4; }), "conflict");
  const auto on_nodes = [](SearchRequest& r) { r.plan.on = "2xdgx-h100", r.plan.system = ""; };
  EXPECT_EQ(code_of(on_nodes), "conflict");
  EXPECT_EQ(code_of([&](SearchRequest& r) { on_nodes(r), r.devices = {16}; }), "");
  EXPECT_EQ(code_of([&](SearchRequest& r) { on_nodes(r), r.devices = {16, 32}; }), "conflict");
  EXPECT_EQ(code_of([](SearchRequest& r) { r.objective = Objective::cost; }), "no-price");
  EXPECT_EQ(code_of([](SearchRequest& r) { r.max_cost = 1.0 * units::USD; }), "no-price");
  EXPECT_EQ(code_of([](SearchRequest& r) { r.plan.price = 0.0 * units::USD_per_h; }), "bad-price");
  EXPECT_EQ(code_of([](SearchRequest& r) { r.max_time = 0.0 * units::s; }), "out-of-range");
  EXPECT_EQ(code_of([](SearchRequest& r) { r.top = 0; }), "out-of-range");
  EXPECT_EQ(code_of([](SearchRequest& r) { r.space.micro_batch = {7}; }), "no-strategy");
  EXPECT_EQ(code_of([](SearchRequest& r) { r.plan.model = "llama3-8c"; }), "unknown-model");
}

// The hint belongs to what stands against most.
TEST(Search, TheHintBelongsToTheReason) {
  const auto hint_of = [](const auto& change) -> std::string {
    SearchRequest r = request_of("llama3-8b", "zionex", {16});
    change(r);
    try {
      search(r);
    } catch (const base::UserError& e) {
      EXPECT_EQ(e.code(), "no-strategy");
      return e.hint();
    }
    return "nothing is wrong";
  };
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(hint_of([](SearchRequest& r) { r.space.micro_batch = {7}; }), "common factors");
  has(hint_of([](SearchRequest& r) {
        r.plan.freeze = {"embedding", "layers", "head"}, r.plan.task = Task::finetune;
      }),
      "--freeze");
  has(hint_of([](SearchRequest& r) {
        r.plan.task = Task::prefill, r.space.recompute = {Recompute::full};
      }),
      "--recompute");
}

std::int64_t number_of(const SearchResult& x, std::string_view constraint) {
  std::int64_t number = -1;
  for (const RuledOut& out : x.ruled_out)
    if (out.constraint == constraint) number = std::max<std::int64_t>(0, number) + out.number;
  return number;
}

TEST(Search, CountsWhatEachConstraintRefuses) {
  SearchRequest r = request_of("llama3-8b", "dgx-h100", {8, 16, 64});
  const SearchResult free = search(r);
  EXPECT_EQ(number_of(free, "time"), -1);  // no limit was given
  EXPECT_EQ(number_of(free, "memory"), free.counts.does_not_fit);
  EXPECT_GT(number_of(free, "legality"), 0);
  r.plan.price = 2.0 * units::USD_per_h;
  r.max_price = 40.0 * units::USD_per_h;
  r.max_time = free.best->iteration.nominal();
  const SearchResult tight = search(r);
  EXPECT_EQ(tight.status, SearchStatus::infeasible);
  EXPECT_EQ(number_of(tight, "price"), 1);  // 64 devices
  // What fits is past the only limit that is left.
  EXPECT_EQ(number_of(tight, "time"), tight.counts.all() - tight.counts.does_not_fit);
}

// A price of the catalogue keeps its source.
TEST(Search, CostsNameTheSourceOfThePrice) {
  SearchRequest r = request_of("llama3-8b", "p5.48xlarge", {16});
  const SearchResult x = search(r);
  EXPECT_NE(x.best->cost->source().find("hsia2024_artifact"), std::string::npos);
  EXPECT_NE(x.top.front().cost->source().find("hsia2024_artifact"), std::string::npos);
  EXPECT_EQ(x.best->price->evidence(), base::Evidence::datasheet);
  r.plan.price = 2.0 * units::USD_per_h;
  EXPECT_NE(search(r).best->cost->source().find("given"), std::string::npos);
}

TEST(SearchOfAnEstimate, IsTheFastestOfItsSpace) {
  const Problem p = problem_of("llama3-8b", "dgx-h100", 64, 64);
  SpaceOptions space;
  space.recompute = {Recompute::selective};
  const SearchOutcome outcome = search(p, space, base::no_progress());
  EXPECT_TRUE(outcome.fits);
  const base::Time best = iteration(p, outcome.best).total();
  std::int64_t legal = 0;
  for (const Layout& layout : layouts(p, space).possible)
    for_each_configuration(p, layout, space, [&](const Configuration& c) {
      ++legal;
      EXPECT_TRUE(!fullest_stage(p, c).fits() ||
                  iteration(p, c).total() >= best * (1 - 1e-11));  // compared to 12 digits
      return true;
    });
  EXPECT_EQ(outcome.tried, legal);
}

// An estimate that leaves everything open finds what a search finds.
TEST(SearchOfAnEstimate, IsThatOfASearch) {
  SearchRequest r = request_of("llama3-405b", "dgx-h100", {512});
  const SearchResult x = search(r);
  EstimateRequest e = r.plan;
  e.devices = 512;
  const EstimateResult of_auto = estimate(e);
  EXPECT_EQ(key_of(of_auto.configuration), key_of(x.best->configuration));
  EXPECT_EQ(of_auto.configurations_tried, x.counts.all());
}

// One row for each time, energy and cost; of equals the one with fewer kinds of parallelism.
TEST(Search, EqualsAreOneRow) {
  SearchRequest r = request_of("llama3-8b", "dgx-h100", {32});
  r.top = 200;
  const SearchResult x = search(r);
  std::int64_t equals = 0;
  for (std::size_t i = 1; i < x.top.size(); ++i) {
    EXPECT_FALSE(x.top[i].time.nominal() == x.top[i - 1].time.nominal() &&
                 x.top[i].energy.nominal() == x.top[i - 1].energy.nominal());
    equals += x.top[i].equals;
  }
  EXPECT_GT(equals, 0);
}

}  // namespace
}  // namespace greenline::plan
