// Tasks on processors, simulated: a processor (stream, thread, link) runs its tasks one at a time
// in the order in which they were added; a task also waits for the tasks it depends on.
//
//   Timeline t;
//   int a = t.add(0, kForward, 2 * units::ms);
//   int b = t.add(1, kForward, 2 * units::ms);
//   t.depend(b, a);                  // b starts after a has ended
//   Schedule s = t.run();            // s.makespan == 4 ms
//
// Deterministic; linear in tasks and dependencies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/quantity.hpp"

namespace greenline::model {

struct Schedule {
  std::vector<base::Time> start, end;  // (num_tasks)
  std::vector<base::Time> busy;        // (num_processors)
  base::Time makespan;
};

class Timeline {
 public:
  // Returns the id of the task: 0, 1, 2, ... Duration must be finite and not negative
  // (InternalError).
  int add(int processor, int tag, base::Time duration);
  // `task` waits for `before`. Ids may be given in any order; both must exist (InternalError).
  void depend(int task, int before);

  // DataError "cycle" that lists the tasks of one cycle.
  Schedule run() const;

  int num_tasks() const { return static_cast<int>(duration_.size()); }
  int num_processors() const { return static_cast<int>(last_.size()); }
  int processor(int task) const { return processor_[static_cast<std::size_t>(task)]; }
  int tag(int task) const { return tag_[static_cast<std::size_t>(task)]; }
  base::Time duration(int task) const { return duration_[static_cast<std::size_t>(task)]; }

 private:
  std::vector<int> processor_, tag_;        // (num_tasks)
  std::vector<base::Time> duration_;        // (num_tasks)
  std::vector<int> last_;                   // (num_processors) newest task, -1: none
  std::vector<int> next_;                   // (num_tasks) on the same processor, -1: none
  std::vector<std::pair<int, int>> edges_;  // (before, task), without those of next_
};

// Time during which a task of `tag` runs on any processor: all of it, and the part during which no
// task of another tag runs.
struct Coverage {
  base::Time total, exposed;
  base::Time overlapped() const { return total - exposed; }
};
Coverage coverage(const Timeline& timeline, const Schedule& schedule, int tag);

}  // namespace greenline::model
