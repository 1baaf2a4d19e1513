// Where the time of a simulated run goes, and the run as the bars of a picture.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "model/timeline.hpp"

namespace greenline::model {

// What tags mean.
struct TagSets {
  std::vector<int> compute, communication;
};

// Each instant of the run counts once: only compute runs, only communication, both, or nothing. The
// sum is the makespan.
struct Breakdown {
  base::Time exposed_compute, overlapped, exposed_communication, idle;
  base::Time makespan() const {
    return exposed_compute + overlapped + exposed_communication + idle;
  }
};

// Of the tasks on `processors` (one device: its compute and its links), on all when it is empty.
// InternalError when a task that takes time has a tag of neither set or of both.
Breakdown breakdown(const Timeline& timeline, const Schedule& schedule, const TagSets& tags,
                    std::span<const int> processors = {});

// Names by processor id and by tag.
struct TimelineNames {
  std::vector<std::string> processors, tags;
};

// One row for each task that takes time, by processor and then in the order of the run.
struct TimelineBars {
  std::vector<std::string> processor, tag;
  std::vector<base::Time> start, end;
};

// InternalError when a processor or a tag has no name.
TimelineBars bars(const Timeline& timeline, const Schedule& schedule, const TimelineNames& names);

}  // namespace greenline::model
