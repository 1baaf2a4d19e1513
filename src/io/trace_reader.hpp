// Reads Chrome and Kineto traces into columns: any order of keys, a document or a bare array of
// events, names of categories old and new, every vendor.
//
//   TraceRead r = read_trace(text, "rank0.json");
//   r.trace.size();       // events that can be used
//   r.dirt.truncated;     // the job was killed while it wrote
//
// The text is cut at boundaries of events into pieces that are parsed in parallel; the columns are
// those of the order of the file, for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/trace_columns.hpp"

namespace greenline::io {

// What was wrong with a file and how often. None of it stops the rest from being used.
struct TraceDirt {
  bool truncated = false;             // the text ends within the events: the whole ones were kept
  std::string cut = {};               // set by who inflated it: "gzip" data that end too early
  std::int64_t broken_events = 0;     // not JSON, or not an object: left out
  std::int64_t mended_events = 0;     // bytes that are not UTF-8 or raw control characters in texts
  std::int64_t without_time = 0;      // no stamp or one that is no number: left out
  std::int64_t without_duration = 0;  // complete events ("X") without duration: left out
  std::int64_t negative_durations = 0;  // left out
  std::int64_t out_of_range_times = 0;  // beyond ± 2^62 ns, or longer than 2^50 ns: left out
  std::int64_t text_times = 0;          // stamps or durations in quotes: used
  std::int64_t text_lanes = 0;          // events whose pid or tid is a text: used
  std::int64_t bad_arguments =
      0;  // an argument of another type or size than expected: as if absent
  std::int64_t unnamed_events = 0;  // without a name: used, with the name ""
  void add(const TraceDirt& other);
  bool operator==(const TraceDirt&) const = default;
};

struct TraceRead {
  TraceColumns trace;
  TraceDirt dirt;
  std::size_t num_bytes = 0;       // of the text
  std::int64_t num_metadata = 0;   // events that name lanes ("M"); they are in `lanes`
  bool whole_microseconds = true;  // no stamp or duration of an event has a fraction
};

// `name` stands for the file in messages. DataError "not-a-trace" when the text has no array of
// events, "bad-json" when it is no JSON before them.
TraceRead read_trace(std::string_view text, const std::string& name);

}  // namespace greenline::io
