// Writes a trace in the format of Chrome, which Perfetto (ui.perfetto.dev) and chrome://tracing
// open: {"traceEvents": [...]} with events, names of processes and threads, and arrows between
// events (flows, "s" and "f").
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "io/trace_columns.hpp"

namespace greenline::io {

// Takes the text piece by piece; a piece is valid during its call only.
using TextSink = std::function<void(std::string_view)>;

// Events in the order of the columns, one a line; the same columns give the same bytes. Times are
// exact: microseconds with three decimals, from integers. Names may hold any bytes (see
// write_json). What read_trace read is the same table when it is written and read again, but for
// the order of texts and lanes that no event uses. InternalError when columns differ in length, an
// index names nothing or a duration is negative.
void write_chrome_trace(const TraceColumns& trace, const TextSink& sink);
std::string chrome_trace(const TraceColumns& trace);

}  // namespace greenline::io
