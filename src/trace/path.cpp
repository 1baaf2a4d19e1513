#include "trace/path.hpp"

#include <algorithm>

namespace greenline::trace {
namespace {

// No launch and no gap between kernels takes longer by itself: the work waited for something that
// the trace does not name. The peers draw the line here too.
constexpr std::int64_t kLongestDelay = 1'500'000;  // ns

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Cause {
  int before = -1;
  EdgeKind kind = EdgeKind::thread;
  bool from_start = false, is_inferred = false;
  std::int64_t lag = 0;
};

// What decided the start of a task. Edges and waits are sorted by task.
Cause cause_of(const Graph& g, int task, int previous) {
  const std::int64_t start = g.tasks[at(task)].start_ns;
  const bool is_stream = is_device(g.tasks[at(task)].kind);
  if (previous >= 0 && g.tasks[at(previous)].end_ns == start)
    return {previous, is_stream ? EdgeKind::stream : EdgeKind::thread, false, false, 0};
  const auto wait = std::lower_bound(g.waits.begin(), g.waits.end(), task,
                                     [](const DeviceWait& w, int id) { return w.task < id; });
  for (auto w = wait; w != g.waits.end() && w->task == task; ++w)
    if (w->measured >= 0 && g.tasks[at(w->measured)].end_ns == start)
      return {w->measured, EdgeKind::synchronisation, false, false, 0};
  auto edge = std::lower_bound(g.edges.begin(), g.edges.end(), task,
                               [](const Edge& e, int id) { return e.task < id; });
  for (; edge != g.edges.end() && edge->task == task; ++edge) {
    const Task& before = g.tasks[at(edge->before)];
    if ((edge->from_start ? before.start_ns : before.end_ns) + edge->lag_ns == start)
      return {edge->before, edge->kind, edge->from_start, edge->is_inferred, edge->lag_ns};
  }
  return {};
}

}  // namespace

std::vector<PathPart> critical_path(const Graph& g, int target, std::int64_t not_before_ns) {
  std::vector<int> previous(g.tasks.size(), -1), last(g.processors.size(), -1);
  for (std::size_t i = 0; i < g.tasks.size(); ++i) {
    previous[i] = last[at(g.tasks[i].processor)];
    last[at(g.tasks[i].processor)] = static_cast<int>(i);
  }
  std::vector<PathPart> path;
  bool from_start = false;
  for (int task = target; task >= 0;) {
    const Task& t = g.tasks[at(task)];
    const Cause cause = cause_of(g, task, previous[at(task)]);
    path.push_back({task, cause.kind, cause.is_inferred, cause.lag, from_start ? 0 : t.length()});
    if (t.start_ns <= not_before_ns || cause.before < 0 ||
        g.tasks[at(cause.before)].start_ns < not_before_ns)
      break;
    from_start = cause.from_start;
    task = cause.before;
  }
  path.back().lag_ns = 0;
  std::reverse(path.begin(), path.end());
  return path;
}

PathTimes path_times(const Graph& g, const std::vector<PathPart>& path) {
  PathTimes x;
  for (const PathPart& part : path) {
    switch (g.tasks[at(part.task)].kind) {
      case TaskKind::kernel:
        x.computation += part.own_ns;
        break;
      case TaskKind::communication:
        x.communication += part.own_ns;
        break;
      case TaskKind::copy:
      case TaskKind::fill:
        x.copies += part.own_ns;
        break;
      case TaskKind::host_gap:
        x.host_gaps += part.own_ns;
        break;
      default:
        x.host += part.own_ns;
    }
    if (part.lag_ns > kLongestDelay && is_device(g.tasks[at(part.task)].kind)) {
      x.other_lag += part.lag_ns;
      continue;
    }
    switch (part.by) {
      case EdgeKind::launch:
        x.launch_delay += part.lag_ns;
        break;
      case EdgeKind::stream:
        x.kernel_gap += part.lag_ns;
        break;
      case EdgeKind::thread:
      case EdgeKind::handoff:
        x.host_gaps += part.lag_ns;
        break;
      default:
        x.other_lag += part.lag_ns;
    }
  }
  return x;
}

}  // namespace greenline::trace
