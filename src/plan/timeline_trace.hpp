// A run of a timeline as a Chrome trace.
#pragma once

#include <string>

#include "plan/estimate.hpp"

namespace greenline::plan {

// Processors are threads and tags are names; times are rounded to whole nanoseconds.
std::string timeline_trace(const TimelineRun& run, const std::string& title);

}  // namespace greenline::plan
