#include "trace/graph.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "trace/device_links.hpp"
#include "trace/host_tasks.hpp"

namespace greenline::trace {
namespace {

constexpr std::int64_t kShortestHandoffGap = 100'000;  // ns: a thread that waits for another
constexpr std::int64_t kLongestHandoff = 100'000;      // ns from the end of one to the start of the
                                                       // other
constexpr std::int64_t kGapsOverMedian = 5;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

TaskKind kind_of(const DeviceEvent& e) {
  if (e.is_communication) return TaskKind::communication;
  if (e.kind == EventKind::memory_copy) return TaskKind::copy;
  return e.kind == EventKind::memory_set ? TaskKind::fill : TaskKind::kernel;
}

class Builder {
 public:
  Builder(const io::TraceColumns& trace, const DeviceWork& work) : t_(trace), work_(work) {}

  Graph run() {
    links_ = device_links(t_, work_, g_.counts);
    HostTasks host = host_tasks(t_, links_.blocked);
    g_.counts.broken_nestings = host.broken_nestings;
    find_handoffs(host.tasks);
    number_processors(host.tasks);
    add_tasks(host.tasks);
    add_known_edges();
    time_edges();
    return std::move(g_);
  }

 private:
  struct Handoff {
    std::size_t from = 0, to = 0;  // of the tasks of the host
    bool is_inferred = true;
  };

  // Gaps of a thread that another one explains are no tasks: the thread waits there.
  void find_handoffs(std::vector<Task>& host) {
    std::vector<std::pair<std::int64_t, std::size_t>> by_end;
    for (std::size_t i = 0; i < host.size(); ++i)
      if (host[i].kind != TaskKind::host_gap) by_end.emplace_back(host[i].end_ns, i);
    std::sort(by_end.begin(), by_end.end());
    is_removed_.assign(host.size(), false);
    for (std::size_t from = 0; from < host.size();) {
      std::size_t to = from;
      std::vector<std::int64_t> gaps;
      for (; to < host.size() && host[to].processor == host[from].processor; ++to)
        if (host[to].kind == TaskKind::host_gap) gaps.push_back(host[to].length());
      std::int64_t shortest = kShortestHandoffGap;
      if (!gaps.empty()) {
        std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2),
                         gaps.end());
        shortest = std::max(shortest, kGapsOverMedian * gaps[gaps.size() / 2]);
      }
      find_handoff(host, by_end, from, -io::kMaxTraceTime);
      for (std::size_t i = from; i + 1 < to; ++i)
        if (host[i].kind == TaskKind::host_gap && host[i].length() > shortest &&
            find_handoff(host, by_end, i + 1, host[i].start_ns))
          is_removed_[i] = true;
      from = to;
    }
  }

  bool find_handoff(const std::vector<Task>& host,
                    const std::vector<std::pair<std::int64_t, std::size_t>>& by_end,
                    std::size_t task, std::int64_t not_before) {
    const Task& to = host[task];
    const std::int64_t earliest = std::max(not_before, to.start_ns - kLongestHandoff);
    auto other =
        std::upper_bound(by_end.begin(), by_end.end(), std::pair(to.start_ns, host.size()));
    constexpr int kMostSteps = 256;
    for (int n = 0; other != by_end.begin() && n < kMostSteps; ++n) {
      --other;
      if (other->first < earliest) return false;
      const Task& from = host[other->second];
      if (from.processor == to.processor || from.start_ns >= to.start_ns ||
          t_.lanes[at(from.processor)].pid != t_.lanes[at(to.processor)].pid)
        continue;
      handoffs_.push_back({other->second, task, !is_backward(to.event)});
      ++g_.counts.handoffs;
      if (handoffs_.back().is_inferred) ++g_.counts.inferred_handoffs;
      return true;
    }
    return false;
  }

  // The trace says that an operator is a backward one, and so that another thread came before it.
  bool is_backward(std::uint32_t event) const {
    const auto row =
        std::lower_bound(t_.operators.begin(), t_.operators.end(), event,
                         [](const io::TraceOperator& o, std::uint32_t e) { return o.event < e; });
    return row != t_.operators.end() && row->event == event && row->forward_thread > 0;
  }

  // Processor 0 is the origin; then threads, then queues, each in the order of their ids, so that
  // the order of the file does not matter.
  void number_processors(const std::vector<Task>& host) {
    const auto id = [this](int lane) {
      const io::TraceLane& l = t_.lanes[at(lane)];
      return std::tuple(l.pid.size(), l.pid, l.tid.size(), l.tid, lane);
    };
    std::vector<int> threads;
    for (const Task& task : host)
      if (threads.empty() || threads.back() != task.processor) threads.push_back(task.processor);
    std::sort(threads.begin(), threads.end(), [&](int a, int b) { return id(a) < id(b); });
    std::vector<int> queues(links_.lane_of_queue.size());
    for (std::size_t i = 0; i < queues.size(); ++i) queues[i] = static_cast<int>(i);
    std::stable_sort(queues.begin(), queues.end(), [&](int a, int b) {
      return id(links_.lane_of_queue[at(a)]) < id(links_.lane_of_queue[at(b)]);
    });
    g_.processors = {"origin"};
    processor_of_thread_.assign(t_.lanes.size(), 0);
    for (const int lane : threads) {
      processor_of_thread_[at(lane)] = static_cast<int>(g_.processors.size());
      g_.processors.push_back(
          fmt::format("thread {} of {}", t_.lanes[at(lane)].tid, t_.lanes[at(lane)].pid));
    }
    processor_of_queue_.assign(queues.size(), 0);
    int last_lane = -1, beside = 0;
    for (const int queue : queues) {
      processor_of_queue_[at(queue)] = static_cast<int>(g_.processors.size());
      const int lane = links_.lane_of_queue[at(queue)];
      beside = lane == last_lane ? beside + 1 : 0;
      last_lane = lane;
      g_.processors.push_back(fmt::format("stream {} of {}{}", t_.lanes[at(lane)].tid,
                                          t_.lanes[at(lane)].pid,
                                          beside > 0 ? fmt::format(", beside it {}", beside) : ""));
    }
  }

  void add_tasks(const std::vector<Task>& host) {
    std::vector<Task> all;
    std::vector<std::size_t> origin_of;  // (num_tasks) before sorting: of host, then of work
    all.reserve(host.size() + work_.events.size());
    for (const Task& task : host) {
      all.push_back(task);
      all.back().processor = processor_of_thread_[at(task.processor)];
    }
    for (std::size_t i = 0; i < work_.events.size(); ++i) {
      const DeviceEvent& e = work_.events[i];
      all.push_back(
          {e.start_ns, e.end_ns, e.event, processor_of_queue_[at(links_.queue[i])], kind_of(e)});
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (i >= host.size() || !is_removed_[i]) order.push_back(i);
    // On one processor the order of before; host first at equal stamps, since it causes.
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(all[a].start_ns, all[a].processor, a) <
             std::tuple(all[b].start_ns, all[b].processor, b);
    });
    std::int64_t start = io::kMaxTraceTime;
    for (const std::size_t i : order) start = std::min(start, all[i].start_ns);
    g_.tasks.push_back({start, start, kNoEvent, 0, TaskKind::origin});
    task_of_host_.assign(host.size(), -1);
    task_of_work_.assign(work_.events.size(), -1);
    for (const std::size_t i : order) {
      const int id = static_cast<int>(g_.tasks.size());
      const Task& task = all[i];
      g_.tasks.push_back(task);
      if (i >= host.size()) {
        task_of_work_[i - host.size()] = id;
        ++g_.counts.device_tasks;
        continue;
      }
      task_of_host_[i] = id;
      ++(task.kind == TaskKind::host_gap ? g_.counts.host_gaps : g_.counts.host_tasks);
      if (task.kind == TaskKind::host_return)
        return_of_call_[task.event] = id;
      else if (task.event != kNoEvent)
        head_of_call_.try_emplace(task.event, id);
    }
  }

  // Only from lower to higher tasks: among equal stamps the order decides.
  void connect(int before, int task, EdgeKind kind, bool from_start, bool is_inferred) {
    const Task& b = g_.tasks[at(before)];
    if (before >= task || (from_start ? b.start_ns : b.end_ns) > g_.tasks[at(task)].start_ns) {
      ++g_.counts.against_order;
      return;
    }
    g_.edges.push_back({before, task, 0, kind, from_start, is_inferred});
  }

  void add_known_edges() {
    for (const Handoff& h : handoffs_)
      connect(task_of_host_[h.from], task_of_host_[h.to], EdgeKind::handoff, false, h.is_inferred);
    for (std::size_t i = 0; i < links_.call.size(); ++i)
      if (links_.call[i] != kNoEvent)
        if (const auto head = head_of_call_.find(links_.call[i]); head != head_of_call_.end())
          connect(head->second, task_of_work_[i], EdgeKind::launch, true, false);
    for (const WorkEdge& e : links_.events)
      connect(task_of_work_[at(e.before)], task_of_work_[at(e.after)], EdgeKind::event, false,
              e.is_inferred);
    for (const RecordWait& w : links_.record_waits)
      if (const auto end = return_of_call_.find(w.call); end != return_of_call_.end())
        connect(task_of_work_[at(w.before)], end->second, EdgeKind::synchronisation, false,
                w.is_inferred);
    for (const QueueWait& w : links_.queue_waits)
      if (const auto end = return_of_call_.find(w.call); end != return_of_call_.end())
        g_.waits.push_back({end->second, processor_of_queue_[at(w.queue)],
                            w.measured < 0 ? -1 : task_of_work_[at(w.measured)]});
    std::sort(g_.waits.begin(), g_.waits.end(), [](const DeviceWait& a, const DeviceWait& b) {
      return std::pair(a.task, a.processor) < std::pair(b.task, b.processor);
    });
  }

  std::int64_t arrival(const Edge& e) const {
    const Task& b = g_.tasks[at(e.before)];
    return e.from_start ? b.start_ns : b.end_ns;
  }

  // The lag goes to what the task was last to wait for.
  void time_edges() {
    const auto by_task = [](const Edge& a, const Edge& b) {
      return std::tuple(a.task, a.kind, a.before) < std::tuple(b.task, b.kind, b.before);
    };
    std::sort(g_.edges.begin(), g_.edges.end(), by_task);
    std::vector<Edge> more;
    std::vector<int> last(g_.processors.size(), -1);
    std::vector<std::vector<int>> queues_of(t_.lanes.size());
    std::size_t edge = 0, wait = 0;
    for (int id = 1; id < static_cast<int>(g_.tasks.size()); ++id) {
      const Task& task = g_.tasks[at(id)];
      const std::size_t first_edge = edge;
      while (edge < g_.edges.size() && g_.edges[edge].task == id) ++edge;
      std::int64_t latest = -io::kMaxTraceTime;
      Edge* binding = nullptr;
      for (std::size_t e = first_edge; e < edge; ++e)
        if (arrival(g_.edges[e]) > latest) binding = &g_.edges[e], latest = arrival(*binding);
      for (; wait < g_.waits.size() && g_.waits[wait].task == id; ++wait)
        if (const int w = g_.waits[wait].measured; w >= 0)
          latest = std::max(latest, g_.tasks[at(w)].end_ns);
      // Other queues of the stream.
      int before = last[at(task.processor)];
      if (is_device(task.kind)) {
        auto& queues = queues_of[at(t_.lane[task.event])];
        if (std::find(queues.begin(), queues.end(), task.processor) == queues.end())
          queues.push_back(task.processor);
        for (const int queue : queues) {
          const int other = last[at(queue)];
          if (queue == task.processor || other < 0 || g_.tasks[at(other)].end_ns > task.start_ns)
            continue;
          more.push_back({other, id, 0, EdgeKind::stream, false, false});
          if (g_.tasks[at(other)].end_ns > latest) {
            latest = g_.tasks[at(other)].end_ns;
            binding = nullptr;
            if (latest < task.start_ns) more.back().lag_ns = task.start_ns - latest;
          }
        }
      }
      if (before >= 0 && g_.tasks[at(before)].end_ns > latest) {
        latest = g_.tasks[at(before)].end_ns;
        binding = nullptr;
        if (latest < task.start_ns)
          more.push_back({before, id, task.start_ns - latest,
                          is_device(task.kind) ? EdgeKind::stream : EdgeKind::thread, false,
                          false});
      }
      if (latest == -io::kMaxTraceTime) {
        more.push_back(
            {0, id, task.start_ns - g_.tasks[0].start_ns, EdgeKind::origin, false, false});
        if (is_device(task.kind)) ++g_.counts.without_cause;
      } else if (binding != nullptr) {
        binding->lag_ns = task.start_ns - latest;
      }
      last[at(task.processor)] = id;
    }
    g_.edges.insert(g_.edges.end(), more.begin(), more.end());
    std::stable_sort(g_.edges.begin(), g_.edges.end(), by_task);
  }

  const io::TraceColumns& t_;
  const DeviceWork& work_;
  Graph g_;
  DeviceLinks links_;
  std::vector<Handoff> handoffs_;
  std::vector<bool> is_removed_;          // (num_host_tasks)
  std::vector<int> processor_of_thread_;  // (num_lanes)
  std::vector<int> processor_of_queue_;   // (num_queues)
  std::vector<int> task_of_host_, task_of_work_;
  std::unordered_map<std::uint32_t, int> head_of_call_, return_of_call_;
};

}  // namespace

const char* kind_name(TaskKind kind) {
  switch (kind) {
    case TaskKind::origin:
      return "origin";
    case TaskKind::host_operator:
      return "operator";
    case TaskKind::host_call:
      return "call";
    case TaskKind::host_gap:
      return "host gap";
    case TaskKind::host_return:
      return "return of a wait";
    case TaskKind::kernel:
      return "kernel";
    case TaskKind::communication:
      return "communication";
    case TaskKind::copy:
      return "copy";
    case TaskKind::fill:
      return "fill";
  }
  return "?";
}

const char* kind_name(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::origin:
      return "origin";
    case EdgeKind::thread:
      return "thread";
    case EdgeKind::handoff:
      return "handoff";
    case EdgeKind::launch:
      return "launch";
    case EdgeKind::stream:
      return "stream";
    case EdgeKind::event:
      return "event";
    case EdgeKind::synchronisation:
      return "synchronisation";
  }
  return "?";
}

std::int64_t Graph::end_ns() const {
  std::int64_t end = tasks.front().end_ns;
  for (const Task& task : tasks) end = std::max(end, task.end_ns);
  return end;
}

Graph execution_graph(const io::TraceColumns& trace, const DeviceWork& work) {
  return Builder(trace, work).run();
}

model::Timeline timeline_of(const Graph& graph) {
  const auto time = [](std::int64_t ns) {
    return base::Time::from_base(static_cast<double>(ns) / 1e9);
  };
  model::Timeline timeline;
  for (const Task& task : graph.tasks)
    timeline.add(task.processor, static_cast<int>(task.kind), time(task.length()));
  for (const Edge& edge : graph.edges)
    timeline.depend(edge.task, edge.before, time(edge.lag_ns),
                    edge.from_start ? model::After::start : model::After::end);
  for (const DeviceWait& wait : graph.waits) timeline.wait_for(wait.task, wait.processor);
  return timeline;
}

}  // namespace greenline::trace
