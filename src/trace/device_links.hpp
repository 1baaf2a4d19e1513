// What the calls of the host and the work of devices have to do with each other: who launched what,
// which call waits for what, which stream for which.
#pragma once

#include <cstdint>
#include <vector>

#include "io/trace_columns.hpp"
#include "trace/device_work.hpp"
#include "trace/graph.hpp"
#include "trace/host_tasks.hpp"

namespace greenline::trace {

// A call that waits for what is in flight on one queue of a stream.
struct QueueWait {
  std::uint32_t call = 0;  // event
  std::int32_t queue = 0;
  std::int32_t measured = -1;  // of work, -1: nothing in flight
};
struct WorkEdge {
  std::int32_t before = 0, after = 0;  // of work
  bool is_inferred = false;
};
struct RecordWait {
  std::uint32_t call = 0;   // event
  std::int32_t before = 0;  // of work
  bool is_inferred = false;
};

// Indices "of work" are those of DeviceWork::events.
struct DeviceLinks {
  std::vector<std::int32_t> queue;  // (num_work) a stream, or what overlaps in one
  std::vector<int> lane_of_queue;   // (num_queues) of the trace
  std::vector<std::uint32_t> call;  // (num_work) event that launched it, kNoEvent: not known
  BlockedCalls blocked;
  std::vector<QueueWait> queue_waits;    // for all on a stream or device
  std::vector<RecordWait> record_waits;  // for one piece of work
  std::vector<WorkEdge> events;          // between streams
};

DeviceLinks device_links(const io::TraceColumns& trace, const DeviceWork& work,
                         GraphCounts& counts);

}  // namespace greenline::trace
