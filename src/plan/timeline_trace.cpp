#include "plan/timeline_trace.hpp"

#include <cmath>
#include <cstdint>

#include "io/chrome_trace.hpp"

namespace greenline::plan {
namespace {

std::int64_t nanoseconds(base::Time t) { return std::llround(1e9 * t.in(base::units::s)); }

}  // namespace

std::string timeline_trace(const TimelineRun& run, const std::string& title) {
  io::TraceColumns trace;
  trace.members = {{"displayTimeUnit", "\"ns\""}};
  for (const std::string& processor : run.names.processors)
    trace.lanes.push_back({title, processor});
  trace.names = run.names.tags;
  trace.categories = {"plan"};
  for (int task = 0; task < run.timeline.num_tasks(); ++task) {
    const auto i = static_cast<std::size_t>(task);
    const std::int64_t start = nanoseconds(run.schedule.start[i]);
    // From rounded ends, so that neighbours still touch.
    trace.add(run.timeline.processor(task), run.timeline.tag(task), 0, start,
              nanoseconds(run.schedule.end[i]) - start);
  }
  return io::chrome_trace(trace);
}

}  // namespace greenline::plan
