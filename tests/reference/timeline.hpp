// The timeline by repeated relaxation: the slow and obvious form of model::Timeline::run.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace greenline::reference {

struct PlainTask {
  int processor = 0;
  double seconds = 0;
  std::vector<int> after;
};

// End of each task. Every task starts when its processor's previous one and all it waits for have
// ended; that is applied to all tasks until nothing moves, at most once per task.
inline std::vector<double> end_times(const std::vector<PlainTask>& tasks) {
  std::vector<double> end(tasks.size(), 0);
  for (std::size_t round = 0; round <= tasks.size(); ++round) {
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      double start = 0;
      for (std::size_t j = 0; j < i; ++j)
        if (tasks[j].processor == tasks[i].processor) start = std::max(start, end[j]);
      for (const int j : tasks[i].after) start = std::max(start, end[static_cast<std::size_t>(j)]);
      end[i] = start + tasks[i].seconds;
    }
  }
  return end;
}

}  // namespace greenline::reference
