// What a trace says about its job, beside the events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/trace_columns.hpp"

namespace greenline::trace {

struct TraceDevice {
  std::int64_t id = -1;
  std::string name;  // "" when the file gives none
  std::int64_t num_multiprocessors = 0;
};

struct TraceHeader {
  std::optional<std::int64_t> rank, world_size;
  std::string backend;
  std::int64_t num_groups = 0;    // of processes
  std::int64_t base_time_ns = 0;  // stamps are relative to it
  std::vector<TraceDevice> devices;
};

// Members that are missing or not as expected are as if absent.
TraceHeader header_of(const io::TraceColumns& trace);

// The number behind "rank" or "worker" in the name of a file: "rank-34.Jul_15.json", nothing
// without one.
std::optional<std::int64_t> rank_in_name(const std::string& file);

}  // namespace greenline::trace
