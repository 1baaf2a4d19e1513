#include "trace/host_tasks.hpp"

#include <algorithm>
#include <tuple>

#include "trace/event_kind.hpp"

namespace greenline::trace {
namespace {

// One lane: events come by start, the longer first; the stack holds those that run.
class Lane {
 public:
  Lane(const io::TraceColumns& trace, const std::vector<EventKind>& kinds,
       const BlockedCalls& blocked, HostTasks& out)
      : t_(trace), kinds_(kinds), blocked_(blocked), out_(out) {}

  void add(std::uint32_t event) {
    const std::int64_t start = t_.start_ns[event];
    lane_ = t_.lane[event];
    close_until(start);
    if (!open_.empty() && open_.back().is_blocked) return;  // its calls are inside the wait
    if (open_.empty()) {
      if (any_ && start > cursor_) emit(kNoEvent, TaskKind::host_gap, start);
      cursor_ = start;
    } else {
      emit_own(start);
    }
    any_ = true;
    std::int64_t end = t_.end_ns(event);
    if (!open_.empty() && end > open_.back().end) {
      end = open_.back().end;
      ++out_.broken_nestings;
    }
    const bool is_call = kinds_[static_cast<std::size_t>(t_.category[event])] == EventKind::runtime;
    const auto blocked = blocked_.find(event);
    open_.push_back({event, end, is_call, is_call, blocked != blocked_.end()});
    if (blocked == blocked_.end()) return;
    // What it waits for is what is in flight when it begins, so the wait begins there.
    emit(event, TaskKind::host_call, start, true);
    cursor_ = std::clamp(blocked->second, start, end);
    emit(event, TaskKind::host_return, end, true);
    open_.back().needs_task = false;
  }

  void finish() { close_until(io::kMaxTraceTime); }

 private:
  struct Open {
    std::uint32_t event;
    std::int64_t end;
    bool is_call, needs_task, is_blocked;
  };

  void close_until(std::int64_t time) {
    while (!open_.empty() && open_.back().end <= time) {
      // An event without length, or a call at this very instant, is still the child of nothing.
      emit_own(open_.back().end);
      open_.pop_back();
    }
  }
  void emit_own(std::int64_t to) {
    Open& top = open_.back();
    if (to > cursor_ || top.needs_task)
      emit(top.event, top.is_call ? TaskKind::host_call : TaskKind::host_operator, to, true);
    top.needs_task = false;
  }
  void emit(std::uint32_t event, TaskKind kind, std::int64_t to, bool even_empty = false) {
    to = std::max(to, cursor_);
    if (to > cursor_ || even_empty) out_.tasks.push_back({cursor_, to, event, lane_, kind});
    cursor_ = to;
  }

  const io::TraceColumns& t_;
  const std::vector<EventKind>& kinds_;
  const BlockedCalls& blocked_;
  HostTasks& out_;
  std::vector<Open> open_;
  std::int64_t cursor_ = 0;
  int lane_ = 0;
  bool any_ = false;
};

}  // namespace

HostTasks host_tasks(const io::TraceColumns& t, const BlockedCalls& blocked) {
  const std::vector<EventKind> kinds = kinds_of(t);
  std::vector<std::uint32_t> events;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const EventKind kind = kinds[static_cast<std::size_t>(t.category[i])];
    if (t.phase[i] == 'X' && (kind == EventKind::framework_operator || kind == EventKind::runtime))
      events.push_back(static_cast<std::uint32_t>(i));
  }
  // Longer first, operators before calls, and then a key that does not depend on the file's order.
  const auto key = [&](std::uint32_t e) {
    const EventKind kind = kinds[static_cast<std::size_t>(t.category[e])];
    return std::tuple(t.lane[e], t.start_ns[e], -t.duration_ns[e], kind == EventKind::runtime,
                      t.correlation.at(e).value_or(-1), t.external_id.at(e).value_or(-1));
  };
  std::sort(events.begin(), events.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto x = key(a), y = key(b);
    if (x != y) return x < y;
    return t.names[static_cast<std::size_t>(t.name[a])] <
           t.names[static_cast<std::size_t>(t.name[b])];
  });
  HostTasks out;
  out.tasks.reserve(2 * events.size());
  for (std::size_t from = 0; from < events.size();) {
    const int lane_id = t.lane[events[from]];
    Lane lane(t, kinds, blocked, out);
    for (; from < events.size() && t.lane[events[from]] == lane_id; ++from) lane.add(events[from]);
    lane.finish();
  }
  return out;
}

}  // namespace greenline::trace
