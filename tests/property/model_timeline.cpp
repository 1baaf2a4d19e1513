#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "model/timeline.hpp"
#include "reference/timeline.hpp"

namespace greenline::model {
namespace {

using base::Time;
using reference::PlainTask;

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
