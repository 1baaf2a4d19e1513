#include "model/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "model/intervals.hpp"

namespace greenline::model {
namespace {

using base::Time;

std::size_t at(int id) { return static_cast<std::size_t>(id); }

// Successors by task, compressed: those of task i are targets[offset[i] .. offset[i + 1]).
struct Successors {
  std::vector<std::size_t> offset;
  std::vector<int> targets;

  Successors(std::size_t num_tasks, const std::vector<std::pair<int, int>>& edges)
      : offset(num_tasks + 1, 0), targets(edges.size()) {
    for (const auto& [before, task] : edges) ++offset[at(before) + 1];
    for (std::size_t i = 0; i < num_tasks; ++i) offset[i + 1] += offset[i];
    std::vector<std::size_t> next(offset.begin(), offset.end() - 1);
    for (const auto& [before, task] : edges) targets[next[at(before)]++] = task;
  }
};

// Follows predecessors that never ran until a task repeats; what lies between is a cycle.
std::string describe_cycle(const std::vector<std::pair<int, int>>& edges,
                           const std::vector<int>& next, const std::vector<int>& waiting) {
  std::vector<int> blocked_by(waiting.size(), -1);
  const auto block = [&](int before, int task) {
    if (waiting[at(before)] > 0 && waiting[at(task)] > 0) blocked_by[at(task)] = before;
  };
  for (std::size_t i = 0; i < next.size(); ++i)
    if (next[i] >= 0) block(static_cast<int>(i), next[i]);
  for (const auto& [before, task] : edges) block(before, task);
  const auto first = std::find_if(waiting.begin(), waiting.end(), [](int w) { return w > 0; });
  int task = static_cast<int>(first - waiting.begin());
  std::vector<bool> seen(waiting.size(), false);
  while (!seen[at(task)]) {
    seen[at(task)] = true;
    task = blocked_by[at(task)];
  }
  std::string text = std::to_string(task);
  constexpr int kMostListed = 20;
  int listed = 0;
  for (int t = blocked_by[at(task)]; t != task && listed < kMostListed;
       t = blocked_by[at(t)], ++listed)
    text += " waits for " + std::to_string(t);
  return text + (listed == kMostListed ? " waits for ... " : " waits for ") + std::to_string(task);
}

}  // namespace

int Timeline::add(int processor, int tag, Time duration) {
  GL_CHECK_GE(processor, 0);
  GL_CHECK_GE(duration.base_value(), 0.0);
  GL_CHECK_EQ(std::isfinite(duration.base_value()), true);
  const int id = num_tasks();
  processor_.push_back(processor);
  tag_.push_back(tag);
  duration_.push_back(duration);
  next_.push_back(-1);
  if (at(processor) >= last_.size()) last_.resize(at(processor) + 1, -1);
  if (const int last = last_[at(processor)]; last >= 0) next_[at(last)] = id;
  last_[at(processor)] = id;
  return id;
}

void Timeline::depend(int task, int before) {
  GL_CHECK_GE(std::min(task, before), 0);
  GL_CHECK_LT(std::max(task, before), num_tasks());
  edges_.emplace_back(before, task);
}

Schedule Timeline::run() const {
  const std::size_t n = duration_.size();
  const Successors successors(n, edges_);
  std::vector<int> waiting(n, 0);
  for (const auto& [before, task] : edges_) ++waiting[at(task)];
  for (const int next : next_)
    if (next >= 0) ++waiting[at(next)];
  std::vector<int> ready;
  ready.reserve(n);
  for (std::size_t i = 0; i < n; ++i)
    if (waiting[i] == 0) ready.push_back(static_cast<int>(i));

  Schedule s;
  s.start.assign(n, Time{});
  s.end.assign(n, Time{});
  s.busy.assign(last_.size(), Time{});
  for (std::size_t head = 0; head < ready.size(); ++head) {
    const std::size_t task = at(ready[head]);
    s.end[task] = s.start[task] + duration_[task];
    s.makespan = std::max(s.makespan, s.end[task]);
    const auto release = [&](int id) {
      const std::size_t next = at(id);
      s.start[next] = std::max(s.start[next], s.end[task]);
      if (--waiting[next] == 0) ready.push_back(id);
    };
    if (next_[task] >= 0) release(next_[task]);
    for (std::size_t e = successors.offset[task]; e < successors.offset[task + 1]; ++e)
      release(successors.targets[e]);
  }
  if (ready.size() != n) {
    throw base::DataError(
        "cycle",
        std::to_string(n - ready.size()) + " of " + std::to_string(n) +
            " tasks never start: task " + describe_cycle(edges_, next_, waiting),
        "remove one of these dependencies, or reorder the tasks of their processor");
  }
  for (std::size_t i = 0; i < n; ++i) s.busy[at(processor_[i])] += duration_[i];
  return s;
}

Coverage coverage(const Timeline& timeline, const Schedule& schedule, int tag) {
  std::vector<Interval> own, others;
  for (int i = 0; i < timeline.num_tasks(); ++i) {
    if (timeline.duration(i) <= Time{}) continue;
    const Interval interval{schedule.start[at(i)].base_value(), schedule.end[at(i)].base_value()};
    (timeline.tag(i) == tag ? own : others).push_back(interval);
  }
  own = united(std::move(own));
  const double total = length(own);
  const double overlapped = common_length(own, united(std::move(others)));
  return {Time::from_base(total), Time::from_base(total - overlapped)};
}

}  // namespace greenline::model
