// One event of a trace while it is read: views of the text, and the rows of the side tables that it
// may become.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "io/trace_columns.hpp"

namespace greenline::io {

struct TraceEvent {
  std::string_view name, category, pid, tid, time, duration, id;
  std::string_view shown_name, labels, order;  // arguments of metadata
  char phase = 0;
  bool has_name = false, binds_enclosing = false;
  std::optional<std::int64_t> correlation, external_id;
};

// Rows of the side tables; each is as new when no argument of its kind was found.
struct TraceDetails {
  enum Kind : unsigned {
    kWork = 1,
    kLaunch = 2,
    kOperator = 4,
    kPython = 8,
    kCollective = 16,
    kSync = 32
  };
  unsigned found = 0;  // kinds of arguments that were met
  TraceWork work;
  TraceLaunch launch;
  TraceOperator op;
  TracePython python;
  TraceCollective collective;
  TraceSync sync;
};

// Where an argument goes: one of the members below, in a row of `kind`.
struct TraceArgument {
  std::string_view key;
  TraceDetails::Kind kind;
  std::int64_t* (*wide)(TraceDetails&) = nullptr;    // a number
  std::int32_t* (*narrow)(TraceDetails&) = nullptr;  // a number of 32 bits
  int* (*text)(TraceDetails&) = nullptr;             // a text
  int* (*array)(TraceDetails&) = nullptr;            // an array, kept as JSON
  std::int64_t* (*triple)(TraceDetails&) = nullptr;  // up to three numbers
};

// Nothing for an argument that is not kept.
const TraceArgument* find_trace_argument(std::string_view key);

}  // namespace greenline::io
