#include "model/breakdown.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "model/intervals.hpp"

namespace greenline::model {
namespace {

using base::Time;

std::size_t at(int id) { return static_cast<std::size_t>(id); }

bool holds(std::span<const int> ids, int id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

const std::string& name_of(const std::vector<std::string>& names, int id, const char* what) {
  if (id < 0 || at(id) >= names.size())
    throw base::InternalError(std::string(what) + " " + std::to_string(id) + " has no name");
  return names[at(id)];
}

}  // namespace

Breakdown breakdown(const Timeline& timeline, const Schedule& schedule, const TagSets& tags,
                    std::span<const int> processors) {
  std::vector<Interval> compute, communication;
  for (int i = 0; i < timeline.num_tasks(); ++i) {
    if (timeline.duration(i) <= Time{}) continue;
    if (!processors.empty() && !holds(processors, timeline.processor(i))) continue;
    const bool computes = holds(tags.compute, timeline.tag(i));
    if (computes == holds(tags.communication, timeline.tag(i)))
      throw base::InternalError("tag " + std::to_string(timeline.tag(i)) +
                                (computes ? " is both" : " is neither") +
                                " compute and communication");
    (computes ? compute : communication)
        .emplace_back(schedule.start[at(i)].base_value(), schedule.end[at(i)].base_value());
  }
  compute = united(std::move(compute));
  communication = united(std::move(communication));
  const double overlapped = common_length(compute, communication);
  Breakdown b;
  b.overlapped = Time::from_base(overlapped);
  b.exposed_compute = Time::from_base(std::max(0.0, length(compute) - overlapped));
  b.exposed_communication = Time::from_base(std::max(0.0, length(communication) - overlapped));
  const Time busy = b.exposed_compute + b.overlapped + b.exposed_communication;
  b.idle = std::max(Time{}, schedule.makespan - busy);  // rounding may leave less than nothing
  return b;
}

TimelineBars bars(const Timeline& timeline, const Schedule& schedule, const TimelineNames& names) {
  std::vector<int> order;
  for (int i = 0; i < timeline.num_tasks(); ++i)
    if (timeline.duration(i) > Time{}) order.push_back(i);
  // Tasks of one processor were added in the order in which they run.
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return timeline.processor(a) < timeline.processor(b); });
  TimelineBars out;
  for (const int i : order) {
    out.processor.push_back(name_of(names.processors, timeline.processor(i), "processor"));
    out.tag.push_back(name_of(names.tags, timeline.tag(i), "tag"));
    out.start.push_back(schedule.start[at(i)]);
    out.end.push_back(schedule.end[at(i)]);
  }
  return out;
}

}  // namespace greenline::model
