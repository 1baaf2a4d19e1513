// How fast a plan is priced and searched, beside the same kind of search in plain Python, and what
// the closed form saves over the schedule task by task.
#include "plan/search.hpp"

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "plan/evaluator.hpp"
#include "plan/iteration.hpp"
#include "plan/memory.hpp"
#include "plan/pipeline.hpp"
#include "plan_configurations.hpp"

namespace greenline::plan {
namespace {

Problem reserved(const char* model, const char* node, std::int64_t devices, std::int64_t batch) {
  Problem p = problem_of(model, node, devices, batch);
  p.memory_reserve = 0.05;
  return p;
}

// Configurations of bench/plan/exhaustive.py in a second: measured once, in this run.
double python_rate() {
  static const double rate = [] {
    std::FILE* pipe = popen("python3 '" GREENLINE_BENCH "/plan/exhaustive.py' --seconds 5", "r");
    if (pipe == nullptr) throw std::runtime_error("python3 does not start");
    char line[4096] = {};
    const bool read = std::fgets(line, sizeof line, pipe) != nullptr;
    const std::string text = line, key = "\"configurations_per_s\": ";
    const std::size_t at = text.find(key);
    if (pclose(pipe) != 0 || !read || at == std::string::npos)
      throw std::runtime_error("bench/plan/exhaustive.py failed");
    return std::stod(text.substr(at + key.size()));
  }();
  return rate;
}

// Configurations in a second, and how many times those of Python that is.
class Rate {
 public:
  void add(double configurations) { all_ += configurations; }
  void set(benchmark::State& state) const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    const double rate = all_ / passed.count();
    state.counters["per_s"] = rate;
    state.counters["python_per_s"] = python_rate();
    state.counters["times_python"] = rate / python_rate();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double all_ = 0;
};

Meter meter_of(const Problem& p) {
  const catalog::Catalog facts{base::Settings{}};
  return {facts, p.system, 1.1, 1};
}

// The search of `plan search`: the ten best, Pareto front and cells, on all threads.
void search_all(benchmark::State& state) {
  SearchTask task;
  task.problems = {reserved("llama3-70b", "dgx-h100", state.range(0), 1024)};
  task.num_leaders = 10;
  const Meter meter = meter_of(task.problems.front());
  python_rate();
  double all = 0, evaluated = 0;
  Rate rate;
  for (auto _ : state) {
    const SearchCounts counts = explore(task, meter, *base::alone(), base::no_progress()).counts;
    all += static_cast<double>(counts.all());
    rate.add(static_cast<double>(counts.all()));
    evaluated += static_cast<double>(counts.evaluated);
  }
  rate.set(state);
  state.counters["priced_in_full"] = evaluated / all;
}
BENCHMARK(search_all)->Arg(64)->Arg(1024)->Arg(16384)->Unit(benchmark::kMillisecond)->UseRealTime();

// Nothing left out, one thread: what pruning is worth.
void price_all(benchmark::State& state) {
  const Problem p = reserved("llama3-70b", "dgx-h100", state.range(0), 1024);
  python_rate();
  Rate rate;
  for (auto _ : state) {
    Evaluator evaluate(p);
    for (const Layout& layout : layouts(p, {}).possible)
      for_each_configuration(p, layout, {}, [&](const Configuration& c) {
        benchmark::DoNotOptimize(evaluate.memory(c));
        benchmark::DoNotOptimize(evaluate.iteration(c));
        rate.add(1);
        return true;
      });
  }
  rate.set(state);
}
BENCHMARK(price_all)->Arg(1024)->Unit(benchmark::kMillisecond)->UseRealTime();

// Strategy `auto` of an estimate. Items are configurations that could run.
void search_auto(benchmark::State& state) {
  const Problem p = reserved("llama3-70b", "dgx-h100", state.range(0), 2048);
  std::int64_t tried = 0;
  for (auto _ : state) {
    const SearchOutcome outcome = search(p, {}, base::no_progress());
    tried += outcome.tried;
    benchmark::DoNotOptimize(outcome);
  }
  state.SetItemsProcessed(tried);
}
BENCHMARK(search_auto)->Arg(64)->Arg(1024)->Arg(16384)->Unit(benchmark::kMillisecond);

const Configuration kGpt{{8, 8, 1, 0, true}, Recompute::selective, 1, 3};

void price_closed_form(benchmark::State& state) {
  const Problem p = reserved("megatron-175b", "dgx-a100-80", 64, 64);
  for (auto _ : state) benchmark::DoNotOptimize(iteration(p, kGpt));
}
BENCHMARK(price_closed_form)->Unit(benchmark::kMicrosecond);

void price_schedule(benchmark::State& state) {
  const Problem p = reserved("megatron-175b", "dgx-a100-80", 64, 64);
  for (auto _ : state) {
    std::vector<StageWork> work;
    for (std::int64_t i = 0; i < kGpt.strategy.pipeline_parallel; ++i) {
      const StageTime t = stage_time(p, kGpt, i);
      work.push_back({t.total() - t.backward, t.backward});
    }
    benchmark::DoNotOptimize(
        pipeline_schedule(work, num_micro_batches(p, kGpt), kGpt.interleave).run());
  }
}
BENCHMARK(price_schedule)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace greenline::plan
