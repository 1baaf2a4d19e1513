// A million tasks: the graph of a made trace built, simulated with waits that are resolved on the
// way, and its critical path. Beside it the same simulation without waits: a queue, no heap.
#include "trace/graph.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <benchmark/benchmark.h>

#include "io/trace_columns.hpp"
#include "trace/device_work.hpp"
#include "trace/path.hpp"

namespace {

using greenline::io::TraceColumns;
namespace trace = greenline::trace;

// Two threads with streams of their own: an operator around each launch, a wait after 50.
TraceColumns made() {
  constexpr int kLaunches = 100'000;  // of a thread; five tasks each
  TraceColumns t;
  t.lanes = {{"host", "1", "1", "1"},
             {"host", "2", "1", "2"},
             {"device", "7", "0", "7"},
             {"device", "8", "0", "8"}};
  t.names = {"aten::add", "cudaLaunchKernel", "kernel", "cudaStreamSynchronize"};
  t.categories = {"cpu_op", "cuda_runtime", "kernel"};
  std::int64_t correlation = 1;
  std::vector<std::int64_t> ids;
  for (int thread = 0; thread < 2; ++thread) {
    std::int64_t now = 0, free = 0;
    for (int i = 0; i < kLaunches; ++i) {
      t.add(thread, 0, 0, now, 9'000);
      ids.push_back(-1);
      t.add(thread, 1, 1, now + 2'000, 4'000);
      ids.push_back(++correlation);
      free = std::max(free, now + 5'000) + 10;
      t.add(2 + thread, 2, 2, free, 8'000);
      ids.push_back(correlation);
      free += 8'000;
      now += 10'000;
      if (i % 50 != 49) continue;
      const std::int64_t end = std::max(now, free) + 1'000;
      t.add(thread, 3, 1, now, end - now);
      ids.push_back(++correlation);
      now = end + 1'000;
    }
  }
  t.correlation.clear();
  for (const std::int64_t id : ids)
    t.correlation.push_back(id < 0 ? std::nullopt : std::optional(id));
  return t;
}

const TraceColumns& columns() {
  static const TraceColumns t = made();
  return t;
}
const trace::Graph& graph() {
  static const trace::Graph g =
      execution_graph(columns(), device_work(columns(), trace::Orphans::drop));
  return g;
}

void count_tasks(benchmark::State& state) {
  state.counters["tasks"] = static_cast<double>(graph().tasks.size());
  state.counters["tasks/s"] = benchmark::Counter(static_cast<double>(graph().tasks.size()),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

void BM_build(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(
        execution_graph(columns(), device_work(columns(), trace::Orphans::drop)));
  count_tasks(state);
}
void BM_simulate(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(timeline_of(graph()).run());
  count_tasks(state);
}
void BM_simulate_without_waits(benchmark::State& state) {
  trace::Graph g = graph();
  g.waits.clear();
  for (auto _ : state) benchmark::DoNotOptimize(timeline_of(g).run());
  count_tasks(state);
}
void BM_critical_path(benchmark::State& state) {
  const int last = static_cast<int>(graph().tasks.size()) - 1;
  for (auto _ : state)
    benchmark::DoNotOptimize(critical_path(graph(), last, -greenline::io::kMaxTraceTime));
  count_tasks(state);
}

BENCHMARK(BM_build)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_simulate)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_simulate_without_waits)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_critical_path)->Unit(benchmark::kMillisecond);

}  // namespace
