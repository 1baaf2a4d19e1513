// Tasks on processors, simulated: a processor (stream, thread, link) runs its tasks one at a time
// in the order in which they were added; a task also waits for the tasks it depends on.
//
//   Timeline t;
//   int a = t.add(0, kForward, 2 * units::ms);
//   int b = t.add(1, kForward, 2 * units::ms);
//   t.depend(b, a);                  // b starts after a has ended
//   Schedule s = t.run();            // s.makespan == 4 ms
//
// A dependency may come with a lag, and may be on the start of a task: so a call launches work,
// which is in flight from then on. What a synchronisation waits for is only known while simulating:
//
//   t.wait_for(c, 1);                // c waits for what is in flight on processor 1 when it is
//   ready
//
// Deterministic; linear in tasks and dependencies, with waits times the logarithm of the tasks.
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

enum class After : std::uint8_t { end, start };

class Simulation;

class Timeline {
 public:
  // Returns the id of the task: 0, 1, 2, ... Duration must be finite and not negative
  // (InternalError).
  int add(int processor, int tag, base::Time duration);
  // `task` waits for `before`. Ids may be given in any order; both must exist (InternalError).
  // The task starts `lag` after the end or the start of `before` at the earliest; lag must be
  // finite and not negative (InternalError).
  void depend(int task, int before, base::Time lag = {}, After after = After::end);
  // When all that `task` depends on is done, it waits besides for the newest task of `processor` in
  // flight: one that depends on no start, or on starts that have been. A task may wait for several.
  void wait_for(int task, int processor);

  // DataError "cycle" that lists the tasks of one cycle.
  Schedule run() const;

  int num_tasks() const { return static_cast<int>(duration_.size()); }
  int num_processors() const { return static_cast<int>(last_.size()); }
  int processor(int task) const { return processor_[static_cast<std::size_t>(task)]; }
  int tag(int task) const { return tag_[static_cast<std::size_t>(task)]; }
  base::Time duration(int task) const { return duration_[static_cast<std::size_t>(task)]; }

 private:
  std::vector<int> processor_, tag_;  // (num_tasks)
  std::vector<base::Time> duration_;  // (num_tasks)
  std::vector<int> last_;             // (num_processors) newest task, -1: none
  std::vector<int> next_;             // (num_tasks) on the same processor, -1: none
  struct Edge {
    int before, task;
    After after;
    base::Time lag;
  };
  struct Wait {
    int task, processor;
  };
  friend class Simulation;

  std::vector<Edge> edges_;  // without those of next_
  std::vector<Wait> waits_;
};

// Time during which a task of `tag` runs on any processor: all of it, and the part during which no
// task of another tag runs.
struct Coverage {
  base::Time total, exposed;
  base::Time overlapped() const { return total - exposed; }
};
Coverage coverage(const Timeline& timeline, const Schedule& schedule, int tag);

}  // namespace greenline::model
