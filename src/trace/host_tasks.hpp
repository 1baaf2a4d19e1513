// Threads of the host as stretches of own time.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "io/trace_columns.hpp"
#include "trace/graph.hpp"

namespace greenline::trace {

// What a call waits for: the return begins at `until_ns`, when the device was done. At or before
// the start of the call: it found the device done.
using BlockedCalls = std::unordered_map<std::uint32_t, std::int64_t>;  // event -> until_ns

struct HostTasks {
  std::vector<Task> tasks;  // lane by lane, each in its order; processor is the lane
  std::int64_t broken_nestings = 0;
};

// Of operators and calls, without annotations and Python. A call has a task at its start even when
// that lasts no time. Gaps are within a lane, between what has no parent.
HostTasks host_tasks(const io::TraceColumns& trace, const BlockedCalls& blocked);

}  // namespace greenline::trace
