// The chain of tasks and waits that led to a task: what would have to be shorter for it to be done
// earlier.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/graph.hpp"

namespace greenline::trace {

struct PathPart {
  int task = 0;
  EdgeKind by = EdgeKind::thread;  // what it was last to wait for
  bool is_inferred = false;
  std::int64_t lag_ns = 0;  // before its start: of that edge, or since the start of a call
  std::int64_t own_ns = 0;  // of its length, what is on the path: 0 of a call whose launch it was
};

// From the first task on, which begins at or after `not_before_ns` where one does, to `target`. The
// lags and own times sum to the end of the target less the start of the first. Linear.
std::vector<PathPart> critical_path(const Graph& graph, int target, std::int64_t not_before_ns);

// Nanoseconds on a path, by what they are.
struct PathTimes {
  std::int64_t computation = 0, communication = 0, copies = 0;  // fills are copies
  std::int64_t host = 0;       // operators, calls, and returns of those that waited
  std::int64_t host_gaps = 0;  // and lags of threads
  std::int64_t launch_delay = 0, kernel_gap = 0;
  std::int64_t other_lag = 0;  // work that waited for what the trace does not name
  std::int64_t total() const {
    return computation + communication + copies + host + host_gaps + launch_delay + kernel_gap +
           other_lag;
  }
};
PathTimes path_times(const Graph& graph, const std::vector<PathPart>& path);

}  // namespace greenline::trace
