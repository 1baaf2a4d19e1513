#include "trace/replay.hpp"

#include <algorithm>
#include <cmath>

#include "trace/breakdown.hpp"
#include "trace/steps.hpp"

namespace greenline::trace {
namespace {

double seconds(std::int64_t ns) { return static_cast<double>(ns) / 1e9; }

// Measured and simulated span of the tasks that `counts` and began in the window.
template <class Counts>
ReplayedStep replayed(const Graph& g, const model::Schedule& s, Span window, const Counts& counts) {
  std::int64_t start = io::kMaxTraceTime, end = -io::kMaxTraceTime;
  double first = 1e300, last = -1e300;
  for (std::size_t i = 1; i < g.tasks.size(); ++i) {
    const Task& task = g.tasks[i];
    if (task.start_ns < window.first || task.start_ns >= window.second || !counts(task)) continue;
    start = std::min(start, task.start_ns);
    end = std::max(end, task.end_ns);
    first = std::min(first, s.start[i].base_value());
    last = std::max(last, s.end[i].base_value());
  }
  ReplayedStep step;
  if (end >= start) step.measured = seconds(end - start), step.simulated = last - first;
  return step;
}

void compare_steps(RankReplay& x, const io::TraceColumns& trace, const Graph& g,
                   const model::Schedule& s) {
  for (const Step& step : steps_of(trace)) {
    ReplayedStep row = replayed(g, s, step.window, [](const Task&) { return true; });
    row.number = step.number;
    if (row.measured > 0) x.steps.push_back(row);
  }
  if (x.steps.empty())
    x.steps.push_back(replayed(g, s, {-io::kMaxTraceTime, io::kMaxTraceTime},
                               [](const Task& task) { return is_device(task.kind); }));
  for (const ReplayedStep& step : x.steps)
    x.step_length += step.measured / static_cast<double>(x.steps.size());
}

void compare_starts(RankReplay& x, const Graph& g, const model::Schedule& s) {
  double sum = 0;
  std::int64_t number = 0;
  for (std::size_t i = 0; i < g.tasks.size(); ++i) {
    if (!is_device(g.tasks[i].kind)) continue;
    const double error =
        std::abs(s.start[i].base_value() - seconds(g.tasks[i].start_ns - g.start_ns()));
    sum += error;
    ++number;
    x.max_start_error = std::max(x.max_start_error, error);
  }
  if (number > 0) x.mean_start_error = sum / static_cast<double>(number);
}

int last_task(const Graph& g) {
  int last = 0;
  for (std::size_t i = 1; i < g.tasks.size(); ++i)
    if (g.tasks[i].end_ns > g.tasks[static_cast<std::size_t>(last)].end_ns)
      last = static_cast<int>(i);
  return last;
}

}  // namespace

double RankReplay::error() const {
  double measured = 0, simulated = 0;
  for (const ReplayedStep& step : steps) measured += step.measured, simulated += step.simulated;
  return measured > 0 ? simulated / measured - 1 : 0;
}

RankReplay replay_rank(const RankIdentity& identity, const io::TraceColumns& trace,
                       Orphans orphans) {
  RankReplay x;
  x.identity = identity;
  const DeviceWork work = device_work(trace, orphans);
  require_work(identity, work);
  const Graph g = execution_graph(trace, work);
  x.counts = g.counts;
  x.num_tasks = static_cast<std::int64_t>(g.tasks.size());
  x.num_edges = static_cast<std::int64_t>(g.edges.size() + g.waits.size());
  x.num_processors = static_cast<std::int64_t>(g.processors.size());
  const model::Schedule s = timeline_of(g).run();
  compare_steps(x, trace, g, s);
  compare_starts(x, g, s);
  x.path = path_times(g, critical_path(g, last_task(g), -io::kMaxTraceTime));
  x.makespan = s.makespan.base_value();
  std::vector<bool> is_stream(g.processors.size(), false);
  for (const Task& task : g.tasks) {
    if (is_device(task.kind)) is_stream[static_cast<std::size_t>(task.processor)] = true;
    if (task.kind != TaskKind::communication) continue;
    ++x.num_collectives;
    x.collectives += seconds(task.length());
  }
  for (std::size_t p = 0; p < is_stream.size(); ++p)
    if (is_stream[p]) x.busiest_stream = std::max(x.busiest_stream, s.busy[p].base_value());
  return x;
}

ReplayResult replay(const ReplayRequest& request, base::Progress& progress) {
  ReplayResult x;
  x.ranks = load_job<RankReplay>(
      request.files, request.settings,
      [&](const RankIdentity& identity, const TraceHeader&, const io::TraceRead& read) {
        return replay_rank(identity, read.trace, request.orphans);
      },
      progress);
  // Each rank is replayed alone, so the wait for the others is in its collectives.
  for (RankReplay& rank : x.ranks) rank.partners_are_absent = rank.num_collectives > 0;
  return x;
}

}  // namespace greenline::trace
