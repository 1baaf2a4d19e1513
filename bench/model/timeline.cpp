// A million tasks on 16 processors, two dependencies each: built and run. Beside it, in the same
// run and on the same tasks, the obvious simulator (a task object with its lists, a queue of events
// by time) and the same in plain Python, where there is one; each must find the same makespan.
#include "model/timeline.hpp"

#include <chrono>
#include <cstdio>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "model/breakdown.hpp"

namespace {

using namespace greenline;
namespace units = base::units;

constexpr int kTasks = 1'000'000, kProcessors = 16;

// The same recurrence stands in the Python text below.
struct Generator {
  std::uint32_t state = 1;
  int below(int bound) {
    state = (state * 1103515245u + 12345u) & 0x7fffffffu;
    return static_cast<int>((state >> 8) % static_cast<std::uint32_t>(bound));
  }
};

struct PlainTask {
  int processor, microseconds, before[2];
};

const std::vector<PlainTask>& tasks() {
  static const std::vector<PlainTask> kept = [] {
    std::vector<PlainTask> all;
    Generator random;
    for (int i = 0; i < kTasks; ++i) {
      const int processor = random.below(kProcessors), microseconds = 1 + random.below(1000);
      const int near = random.below(64), far = random.below(4096);
      all.push_back({processor, microseconds, {i - 1 - near, i - 1 - far}});
    }
    return all;
  }();
  return kept;
}

model::Timeline built() {
  model::Timeline t;
  for (const PlainTask& task : tasks()) {
    const int id = t.add(task.processor, task.processor % 4, task.microseconds * units::us);
    for (const int before : task.before)
      if (before >= 0) t.depend(id, before);
  }
  return t;
}

double ours() { return built().run().makespan.in(units::us); }

struct Task {
  int processor = 0, waiting = 0;
  double duration = 0;
  std::vector<Task*> after;
};

double obvious() {
  std::vector<std::unique_ptr<Task>> all;
  std::vector<std::queue<Task*>> queues(kProcessors);
  for (const PlainTask& plain : tasks()) {
    auto task = std::make_unique<Task>();
    task->processor = plain.processor;
    task->duration = plain.microseconds;
    for (const int before : plain.before) {
      if (before < 0) continue;
      all[static_cast<std::size_t>(before)]->after.push_back(task.get());
      ++task->waiting;
    }
    queues[static_cast<std::size_t>(plain.processor)].push(task.get());
    all.push_back(std::move(task));
  }
  using Event = std::pair<double, Task*>;  // the end of a task
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  std::vector<bool> busy(kProcessors, false);
  double now = 0;
  const auto start_what_can = [&](int processor) {
    const auto p = static_cast<std::size_t>(processor);
    if (busy[p] || queues[p].empty() || queues[p].front()->waiting > 0) return;
    busy[p] = true;
    events.push({now + queues[p].front()->duration, queues[p].front()});
    queues[p].pop();
  };
  for (int p = 0; p < kProcessors; ++p) start_what_can(p);
  while (!events.empty()) {
    const auto [end, task] = events.top();
    events.pop();
    now = end;
    busy[static_cast<std::size_t>(task->processor)] = false;
    for (Task* next : task->after) {
      --next->waiting;
      start_what_can(next->processor);
    }
    start_what_can(task->processor);
  }
  return now;
}

constexpr const char* kPython = R"(
import time
state, tasks = 1, []
def below(bound):
    global state
    state = (state * 1103515245 + 12345) & 0x7fffffff
    return (state >> 8) % bound
for i in range(1000000):
    tasks.append((below(16), 1 + below(1000), i - 1 - below(64), i - 1 - below(4096)))
started = time.perf_counter()
free, end = [0] * 16, []
for processor, duration, near, far in tasks:
    start = free[processor]
    if near >= 0 and end[near] > start: start = end[near]
    if far >= 0 and end[far] > start: start = end[far]
    free[processor] = start + duration
    end.append(start + duration)
print(time.perf_counter() - started, max(end))
)";

// Seconds and makespan of the list-based simulator in Python: the least work that gives the answer,
// since every task waits for earlier ones only. Zeros without Python.
std::pair<double, double> in_python() {
  const std::string command = std::string("python3 -c '") + kPython + "' 2>/dev/null";
  double seconds = 0, makespan = 0;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  const int read = std::fscanf(pipe, "%lf %lf", &seconds, &makespan);
  pclose(pipe);
  return read == 2 ? std::pair{seconds, makespan} : std::pair{0.0, 0.0};
}

double seconds_of(double (*simulate)(), double& makespan) {
  const auto start = std::chrono::steady_clock::now();
  makespan = simulate();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The counters are how many times longer the others take.
void build_and_run_a_million(benchmark::State& state) {
  double our_makespan = 0, makespan = 0, our_seconds = 0;
  tasks();
  for (auto _ : state) our_seconds += seconds_of(ours, our_makespan);
  our_seconds /= static_cast<double>(state.iterations());
  state.counters["obvious/ours"] = seconds_of(obvious, makespan) / our_seconds;
  if (makespan < our_makespan * (1 - 1e-9) || makespan > our_makespan * (1 + 1e-9))
    state.SkipWithError("the obvious simulator finds another makespan");
  const auto [python_seconds, python_makespan] = in_python();
  if (python_seconds == 0) return;
  state.counters["python/ours"] = python_seconds / our_seconds;
  if (python_makespan < our_makespan * (1 - 1e-9) || python_makespan > our_makespan * (1 + 1e-9))
    state.SkipWithError("Python finds another makespan");
}
BENCHMARK(build_and_run_a_million)->Unit(benchmark::kMillisecond);

void run_a_million(benchmark::State& state) {
  const model::Timeline t = built();
  for (auto _ : state) benchmark::DoNotOptimize(t.run());
  state.SetItemsProcessed(state.iterations() * kTasks);
}
BENCHMARK(run_a_million)->Unit(benchmark::kMillisecond);

void break_down_a_million(benchmark::State& state) {
  const model::Timeline t = built();
  const model::Schedule s = t.run();
  for (auto _ : state) benchmark::DoNotOptimize(model::breakdown(t, s, {{0, 1, 2}, {3}}));
  state.SetItemsProcessed(state.iterations() * kTasks);
}
BENCHMARK(break_down_a_million)->Unit(benchmark::kMillisecond);

}  // namespace
