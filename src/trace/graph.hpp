// The execution graph of one rank (lumos2025): tasks of threads and streams, and what each waits
// for.
//
// Tasks. A thread of the host is cut into the stretches during which one operator or call runs
// itself, without what it calls; the rest of its time are gaps. Work of devices is one task each. A
// call that waits for a device (cudaStreamSynchronize, a copy that blocks) is two tasks: what
// precedes the wait, and the return after it; the wait between them is no work.
//
// Edges. Each says from when its task may start: the end, or the start, of the task before, and a
// lag. The one that the task was last to wait for in the trace has the lag that was measured, the
// others have none; so the graph replays as it was measured, and the lags say how much of that is
// copied. No edge contradicts the measured order: those that would are left out and counted.
//
// Tasks are sorted by start, and edges lead from lower to higher ones: there are no cycles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/trace_columns.hpp"
#include "model/timeline.hpp"
#include "trace/device_work.hpp"

namespace greenline::trace {

enum class TaskKind : std::uint8_t {
  origin,         // the beginning of the trace
  host_operator,  // its own time
  host_call,      // of a runtime or driver
  host_gap,       // nothing of the profiler's on a thread: Python, a library, the system
  host_return,    // of a call that waited for a device
  kernel,
  communication,
  copy,
  fill
};
const char* kind_name(TaskKind kind);
inline bool is_device(TaskKind kind) { return kind >= TaskKind::kernel; }

enum class EdgeKind : std::uint8_t {
  origin,           // nothing is known that it waits for: starts when it was measured
  thread,           // the task before on its thread
  handoff,          // between threads: forward to backward and back
  launch,           // on the start of the call
  stream,           // the work before on its stream
  event,            // of another stream, by cudaStreamWaitEvent
  synchronisation,  // the host waits for work
};
const char* kind_name(EdgeKind kind);

inline constexpr std::uint32_t kNoEvent = 0xffffffffU;

struct Task {
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t event = kNoEvent;  // of the trace; none of origin and gaps
  int processor = 0;
  TaskKind kind = TaskKind::origin;
  std::int64_t length() const { return end_ns - start_ns; }
};

struct Edge {
  int before = 0, task = 0;
  std::int64_t lag_ns = 0;
  EdgeKind kind = EdgeKind::origin;
  bool from_start = false, is_inferred = false;
};

// A return waits for all that is in flight on a processor when the call begins; `measured` is what
// that was in the trace, -1: nothing.
struct DeviceWait {
  int task = 0, processor = 0, measured = -1;
};

struct GraphCounts {
  std::int64_t host_tasks = 0, host_gaps = 0, device_tasks = 0;
  std::int64_t launches = 0, graph_launches = 0;  // edges; of them of calls with several
  std::int64_t events = 0, inferred_events = 0;   // edges between streams
  std::int64_t handoffs = 0, inferred_handoffs = 0;
  std::int64_t synchronisations = 0, inferred_synchronisations = 0;  // calls whose wait is known
  std::int64_t without_wait = 0;     // calls that found the device done, or whose wait is not known
  std::int64_t against_order = 0;    // edges left out: the task started before it might
  std::int64_t outside_window = 0;   // waits for an event whose record is not in the trace
  std::int64_t without_cause = 0;    // work of devices without launch: starts as measured
  std::int64_t broken_nestings = 0;  // events that outlast the one they began in: cut there
  bool has_synchronisations = false;  // the trace says who waited ("cuda_sync")
};

struct Graph {
  std::vector<Task> tasks;              // by start; those of one processor in its order
  std::vector<Edge> edges;              // by task; without those of next on a processor
  std::vector<DeviceWait> waits;        // by task
  std::vector<std::string> processors;  // names: "thread 1 of 12", "stream 7"
  GraphCounts counts;
  std::int64_t start_ns() const { return tasks.front().start_ns; }
  std::int64_t end_ns() const;
};

// Needs work. Work that device_work leaves out is not in it.
Graph execution_graph(const io::TraceColumns& trace, const DeviceWork& work);
// Task i of the graph is task i of the timeline; its tag is its kind.
model::Timeline timeline_of(const Graph& graph);

}  // namespace greenline::trace
