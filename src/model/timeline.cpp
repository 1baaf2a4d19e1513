#include "model/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "base/error.hpp"
#include "model/intervals.hpp"

namespace greenline::model {
namespace {

using base::Time;

std::size_t at(int id) { return static_cast<std::size_t>(id); }

// Edges by their first task, compressed: those of task i are edges[offset[i] .. offset[i + 1]).
template <class Edges>
struct Successors {
  std::vector<std::size_t> offset;
  std::vector<std::size_t> edges;

  Successors(std::size_t num_tasks, const Edges& all)
      : offset(num_tasks + 1, 0), edges(all.size()) {
    for (const auto& edge : all) ++offset[at(edge.before) + 1];
    for (std::size_t i = 0; i < num_tasks; ++i) offset[i + 1] += offset[i];
    std::vector<std::size_t> next(offset.begin(), offset.end() - 1);
    for (std::size_t e = 0; e < all.size(); ++e) edges[next[at(all[e].before)]++] = e;
  }
};

// Follows predecessors that never ran until a task repeats; what lies between is a cycle.
template <class Edges>
std::string describe_cycle(const Edges& edges, const std::vector<int>& next,
                           const std::vector<int>& waiting) {
  std::vector<int> blocked_by(waiting.size(), -1);
  const auto block = [&](int before, int task) {
    if (waiting[at(before)] > 0 && waiting[at(task)] > 0) blocked_by[at(task)] = before;
  };
  for (std::size_t i = 0; i < next.size(); ++i)
    if (next[i] >= 0) block(static_cast<int>(i), next[i]);
  for (const auto& edge : edges) block(edge.before, edge.task);
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

void Timeline::depend(int task, int before, Time lag, After after) {
  GL_CHECK_GE(std::min(task, before), 0);
  GL_CHECK_LT(std::max(task, before), num_tasks());
  GL_CHECK_GE(lag.base_value(), 0.0);
  GL_CHECK_EQ(std::isfinite(lag.base_value()), true);
  edges_.push_back({before, task, after, lag});
}

void Timeline::wait_for(int task, int processor) {
  GL_CHECK_GE(std::min(task, processor), 0);
  GL_CHECK_LT(task, num_tasks());
  GL_CHECK_LT(processor, num_processors());
  waits_.push_back({task, processor});
}

// One run. Without waits the order in which ready tasks are taken changes nothing, and a queue is
// enough; with them they are taken by their start, so that what is in flight then is known.
class Simulation {
 public:
  explicit Simulation(const Timeline& timeline);
  Schedule run();

 private:
  void add_ready(int task);
  int take();
  bool must_wait(int task);
  void finish(int task);
  void release(int task, Time at_least);

  const Timeline& t_;
  const std::size_t n_;
  Successors<std::vector<Timeline::Edge>> successors_;
  std::vector<int> waiting_;  // (num_tasks) dependencies that are not done
  std::vector<int> queue_;    // without waits: ready tasks, oldest first
  std::size_t head_ = 0;      // of the queue
  std::size_t num_done_ = 0;
  Schedule s_;
  // Only with waits.
  using Entry = std::pair<double, int>;  // start, task
  std::vector<Entry> heap_;
  std::vector<Timeline::Wait> waits_;      // by task
  std::vector<std::size_t> first_wait_;    // (num_tasks + 1) into waits_
  std::vector<int> starts_;                // (num_tasks) starts that it depends on and that are due
  std::vector<int> in_flight_;             // (num_processors) newest, -1: none
  std::vector<bool> done_, has_waited_;    // (num_tasks)
  std::vector<std::vector<int>> waiters_;  // (num_tasks) that a synchronisation found in flight
};

Simulation::Simulation(const Timeline& timeline)
    : t_(timeline),
      n_(timeline.duration_.size()),
      successors_(n_, timeline.edges_),
      waiting_(n_, 0),
      waits_(timeline.waits_) {
  for (const auto& edge : t_.edges_) ++waiting_[at(edge.task)];
  for (const int next : t_.next_)
    if (next >= 0) ++waiting_[at(next)];
  s_.start.assign(n_, Time{});
  s_.end.assign(n_, Time{});
  s_.busy.assign(t_.last_.size(), Time{});
  queue_.reserve(waits_.empty() ? n_ : 0);
  if (waits_.empty()) return;
  std::stable_sort(waits_.begin(), waits_.end(),
                   [](const auto& a, const auto& b) { return a.task < b.task; });
  first_wait_.assign(n_ + 1, 0);
  for (const auto& wait : waits_) ++first_wait_[at(wait.task) + 1];
  for (std::size_t i = 0; i < n_; ++i) first_wait_[i + 1] += first_wait_[i];
  starts_.assign(n_, 0);
  for (const auto& edge : t_.edges_)
    if (edge.after == After::start) ++starts_[at(edge.task)];
  in_flight_.assign(t_.last_.size(), -1);
  done_.assign(n_, false);
  has_waited_.assign(n_, false);
  waiters_.resize(n_);
}

void Simulation::add_ready(int task) {
  if (waits_.empty()) {
    queue_.push_back(task);
    return;
  }
  heap_.emplace_back(s_.start[at(task)].base_value(), task);
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>{});
}

int Simulation::take() {
  if (waits_.empty()) return head_ < queue_.size() ? queue_[head_++] : -1;
  if (heap_.empty()) return -1;
  std::pop_heap(heap_.begin(), heap_.end(), std::greater<>{});
  const int task = heap_.back().second;
  heap_.pop_back();
  return task;
}

// Whether it has to come again, later.
bool Simulation::must_wait(int task) {
  if (waits_.empty() || has_waited_[at(task)] || first_wait_[at(task)] == first_wait_[at(task) + 1])
    return false;
  has_waited_[at(task)] = true;
  const Time ready = s_.start[at(task)];
  for (std::size_t w = first_wait_[at(task)]; w < first_wait_[at(task) + 1]; ++w) {
    const int newest = in_flight_[at(waits_[w].processor)];
    if (newest < 0 || newest == task) continue;
    if (done_[at(newest)]) {
      s_.start[at(task)] = std::max(s_.start[at(task)], s_.end[at(newest)]);
    } else {
      waiters_[at(newest)].push_back(task);
      ++waiting_[at(task)];
    }
  }
  if (waiting_[at(task)] > 0) return true;
  if (s_.start[at(task)] == ready) return false;
  add_ready(task);
  return true;
}

void Simulation::release(int task, Time at_least) {
  s_.start[at(task)] = std::max(s_.start[at(task)], at_least);
  if (--waiting_[at(task)] == 0) add_ready(task);
}

void Simulation::finish(int task) {
  const std::size_t i = at(task);
  const Time end = s_.start[i] + t_.duration_[i];
  s_.end[i] = end;
  s_.makespan = std::max(s_.makespan, end);
  ++num_done_;
  if (!waits_.empty()) {
    done_[i] = true;
    if (starts_[i] == 0) {
      int& newest = in_flight_[at(t_.processor_[i])];
      newest = std::max(newest, task);
    }
  }
  if (t_.next_[i] >= 0) release(t_.next_[i], end);
  for (std::size_t e = successors_.offset[i]; e < successors_.offset[i + 1]; ++e) {
    const auto& edge = t_.edges_[successors_.edges[e]];
    if (edge.after == After::start && !waits_.empty() && --starts_[at(edge.task)] == 0) {
      int& newest = in_flight_[at(t_.processor_[at(edge.task)])];
      newest = std::max(newest, edge.task);
    }
    release(edge.task, (edge.after == After::end ? end : s_.start[i]) + edge.lag);
  }
  if (!waits_.empty())
    for (const int waiter : waiters_[i]) release(waiter, end);
}

Schedule Simulation::run() {
  for (std::size_t i = 0; i < n_; ++i)
    if (waiting_[i] == 0) add_ready(static_cast<int>(i));
  for (int task = take(); task >= 0; task = take())
    if (!must_wait(task)) finish(task);
  if (num_done_ != n_) {
    throw base::DataError(
        "cycle",
        std::to_string(n_ - num_done_) + " of " + std::to_string(n_) + " tasks never start: task " +
            describe_cycle(t_.edges_, t_.next_, waiting_),
        "remove one of these dependencies, or reorder the tasks of their processor");
  }
  for (std::size_t i = 0; i < n_; ++i) s_.busy[at(t_.processor_[i])] += t_.duration_[i];
  return std::move(s_);
}

Schedule Timeline::run() const { return Simulation(*this).run(); }

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
