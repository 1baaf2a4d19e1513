// What the categories of traces stand for, old names and new, of every vendor.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "io/trace_columns.hpp"

namespace greenline::trace {

enum class EventKind : std::uint8_t {
  kernel,             // work of a device that computes, or communicates
  memory_copy,        // of a device
  memory_set,         // of a device
  device_annotation,  // a range of the host, shown at the device
  synchronisation,    // who waits for whom at a device ("cuda_sync")
  runtime,            // a call of a runtime or driver: it starts work
  framework_operator,
  annotation,  // a range that the user or the profiler named
  python,
  other
};
const char* kind_name(EventKind kind);

// In any case of letters.
EventKind kind_of(std::string_view category);
// (num_categories) of a trace.
std::vector<EventKind> kinds_of(const io::TraceColumns& trace);

inline bool is_device_work(EventKind kind) {
  return kind == EventKind::kernel || kind == EventKind::memory_copy ||
         kind == EventKind::memory_set;
}

}  // namespace greenline::trace
