#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "model/breakdown.hpp"
#include "model/timeline.hpp"
#include "reference/timeline.hpp"

namespace greenline::model {
namespace {

using base::Time;
using reference::PlainTask;

// The longest chain of durations over dependencies and the order on processors, by recursion over
// what a task waits for.
double longest_path(const std::vector<PlainTask>& tasks) {
  double longest = 0;
  std::vector<double> to(tasks.size(), 0);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    for (const int before : tasks[i].after)
      to[i] = std::max(to[i], to[static_cast<std::size_t>(before)]);
    to[i] += tasks[i].seconds;
    longest = std::max(longest, to[i]);
  }
  return longest;
}

// Dependencies on earlier tasks only: never a cycle, since processors run in the order of addition.
std::vector<PlainTask> any_tasks() {
  const int n = *rc::gen::inRange(1, 40);
  std::vector<PlainTask> tasks(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    PlainTask& t = tasks[static_cast<std::size_t>(i)];
    t.processor = *rc::gen::inRange(0, 4);
    t.seconds = *rc::gen::inRange(0, 100);  // whole seconds: sums are exact
    const int num_before = i == 0 ? 0 : *rc::gen::inRange(0, 4);
    for (int d = 0; d < num_before; ++d) t.after.push_back(*rc::gen::inRange(0, i));
  }
  return tasks;
}

Timeline timeline_of(const std::vector<PlainTask>& tasks, double scale = 1) {
  Timeline t;
  for (const PlainTask& task : tasks) {
    const int id = t.add(task.processor, task.processor, Time::from_base(scale * task.seconds));
    for (const int before : task.after) t.depend(id, before);
  }
  return t;
}

RC_GTEST_PROP(ModelTimeline, EqualsRepeatedRelaxation, ()) {
  const auto tasks = any_tasks();
  const Schedule s = timeline_of(tasks).run();
  const auto expected = reference::end_times(tasks);
  for (std::size_t i = 0; i < tasks.size(); ++i) RC_ASSERT(s.end[i].base_value() == expected[i]);
}

RC_GTEST_PROP(ModelTimeline, MakespanIsAtLeastEachProcessorsWorkAndAtMostAllWork, ()) {
  const auto tasks = any_tasks();
  const Schedule s = timeline_of(tasks).run();
  Time all;
  for (const Time busy : s.busy) {
    RC_ASSERT(s.makespan >= busy);
    all += busy;
  }
  RC_ASSERT(s.makespan <= all);
}

RC_GTEST_PROP(ModelTimeline, LongerTaskNeverEndsTheRunEarlier, ()) {
  auto tasks = any_tasks();
  const Time before = timeline_of(tasks).run().makespan;
  const auto which = static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(tasks.size())));
  tasks[which].seconds += *rc::gen::inRange(1, 50);
  RC_ASSERT(timeline_of(tasks).run().makespan >= before);
}

RC_GTEST_PROP(ModelTimeline, ScalesWithDurations, ()) {
  const auto tasks = any_tasks();
  // A power of two scales doubles without rounding.
  RC_ASSERT(timeline_of(tasks, 8).run().makespan == 8 * timeline_of(tasks).run().makespan);
}

RC_GTEST_PROP(ModelTimeline, MakespanIsAtLeastTheLongestPath, ()) {
  const auto tasks = any_tasks();
  RC_ASSERT(timeline_of(tasks).run().makespan.base_value() >= longest_path(tasks));
}

RC_GTEST_PROP(ModelTimeline, HalvingADurationNeverEndsTheRunLater, ()) {
  auto tasks = any_tasks();
  const Time before = timeline_of(tasks).run().makespan;
  const auto which = static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(tasks.size())));
  tasks[which].seconds /= 2;
  RC_ASSERT(timeline_of(tasks).run().makespan <= before);
}

// Only the order on each processor and the dependencies count: processors may be numbered
// otherwise, tasks of different processors added and dependencies named in any order.
RC_GTEST_PROP(ModelTimeline, OrderAndNumbersDoNotMatter, ()) {
  const auto tasks = any_tasks();
  const Schedule expected = timeline_of(tasks).run();
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  std::vector<int> places{0, 1, 2, 3};
  std::shuffle(places.begin(), places.end(), random);
  std::vector<std::size_t> order(tasks.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return places[static_cast<std::size_t>(tasks[a].processor)] <
           places[static_cast<std::size_t>(tasks[b].processor)];
  });
  Timeline t;
  std::vector<int> id(tasks.size());
  for (const std::size_t i : order)
    id[i] = t.add(places[static_cast<std::size_t>(tasks[i].processor)], 0,
                  Time::from_base(tasks[i].seconds));
  std::vector<std::pair<int, int>> edges;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    for (const int before : tasks[i].after)
      edges.emplace_back(id[i], id[static_cast<std::size_t>(before)]);
  std::shuffle(edges.begin(), edges.end(), random);
  for (const auto& [task, before] : edges) t.depend(task, before);
  const Schedule s = t.run();
  RC_ASSERT(s.makespan == expected.makespan);
  for (std::size_t i = 0; i < tasks.size(); ++i)
    RC_ASSERT(s.start[static_cast<std::size_t>(id[i])] == expected.start[i]);
}

// Second by second, since all durations are whole seconds.
RC_GTEST_PROP(ModelTimeline, BreakdownCountsEveryInstantOnce, ()) {
  const auto tasks = any_tasks();
  const Timeline t = timeline_of(tasks);
  const Schedule s = t.run();
  const std::vector<int> own = *rc::gen::element(std::vector<int>{}, std::vector<int>{0, 2});
  const Breakdown b = breakdown(t, s, {{0, 1}, {2, 3}}, own);
  double compute = 0, communication = 0, both = 0, none = 0;
  for (int second = 0; second < static_cast<int>(s.makespan.base_value()); ++second) {
    bool computes = false, communicates = false;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const int p = tasks[i].processor;
      if (!own.empty() && p != 0 && p != 2) continue;
      if (s.start[i].base_value() > second || s.end[i].base_value() <= second) continue;
      (p < 2 ? computes : communicates) = true;
    }
    ++(computes ? communicates ? both : compute : communicates ? communication : none);
  }
  RC_ASSERT(b.exposed_compute.base_value() == compute);
  RC_ASSERT(b.exposed_communication.base_value() == communication);
  RC_ASSERT(b.overlapped.base_value() == both);
  RC_ASSERT(b.idle.base_value() == none);
  RC_ASSERT(b.makespan() == s.makespan);
}

RC_GTEST_PROP(ModelTimeline, SplitTaskEndsWhenTheWholeWould, ()) {
  auto tasks = any_tasks();
  // Halves that follow each other at the end of the list: nothing depends on the second but the
  // end.
  tasks.push_back({0, 10, {}});
  const Time whole = timeline_of(tasks).run().makespan;
  tasks.back().seconds = 5;
  tasks.push_back({0, 5, {}});
  RC_ASSERT(timeline_of(tasks).run().makespan == whole);
}

RC_GTEST_PROP(ModelTimeline, ExposedTimesAndOverlapsAddUp, ()) {
  const auto tasks = any_tasks();
  const Timeline t = timeline_of(tasks);
  const Schedule s = t.run();
  for (int tag = 0; tag < 4; ++tag) {
    const Coverage c = coverage(t, s, tag);
    RC_ASSERT(c.exposed >= Time{});
    RC_ASSERT(c.overlapped() >= Time{});
    // Tags are processors here, and a processor runs one task at a time.
    const Time busy = static_cast<std::size_t>(tag) < s.busy.size()
                          ? s.busy[static_cast<std::size_t>(tag)]
                          : Time{};
    RC_ASSERT(c.total == busy);
  }
}

}  // namespace
}  // namespace greenline::model
