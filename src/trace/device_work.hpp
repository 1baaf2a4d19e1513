// The work of devices in a trace that counts, and why the rest does not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/enum_name.hpp"
#include "io/trace_columns.hpp"
#include "trace/event_kind.hpp"

namespace greenline::trace {

// Work whose launch precedes the window: no call of the runtime has its correlation. The profiler
// saw a part of such work only by chance, and the peers leave it out.
enum class Orphans : std::uint8_t { drop, keep };
std::span<const base::EnumName> enum_names(Orphans);

struct DeviceEvent {
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t event = 0;  // in the trace
  EventKind kind = EventKind::kernel;
  bool is_communication = false;  // a kernel of a collective library
};

struct DeviceWorkCounts {
  std::int64_t all = 0;        // kernels, copies and fills of the file
  std::int64_t orphans = 0;    // launched before the window, see Orphans
  std::int64_t unstamped = 0;  // stamp 0 and duration 0: the profiler lost the times; left out
  std::int64_t absurd_durations = 0;  // a second and more beyond the start of the next event of the
                                      // same stream: left out
  std::int64_t same_stream_overlaps = 0;  // of the rest: end after the next one has started; used
  std::int64_t zero_durations = 0;        // used
  std::int64_t of_graphs = 0;  // one of several that one call launched, as of a graph; used
  std::int64_t without_correlation = 0;  // their launch is not known; used
  bool no_launches = false;              // the file has no calls of a runtime: nothing is an orphan
};

struct DeviceWork {
  std::vector<DeviceEvent> events;  // by start, then end
  DeviceWorkCounts counts;
  std::int64_t start_ns() const { return events.front().start_ns; }
  std::int64_t end_ns() const;  // of the last; both need an event
};

DeviceWork device_work(const io::TraceColumns& trace, Orphans orphans);

}  // namespace greenline::trace
