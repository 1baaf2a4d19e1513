// The steps of a run as the profiler marks them: "ProfilerStep#12".
#pragma once

#include <cstdint>
#include <vector>

#include "io/trace_columns.hpp"
#include "trace/spans.hpp"

namespace greenline::trace {

struct Step {
  std::int64_t number = 0;
  Span window;  // of the host, ns
};

// By number; several marks of one number (of several threads) are one step from the first start to
// the last end.
std::vector<Step> steps_of(const io::TraceColumns& trace);

}  // namespace greenline::trace
