// Writes what ran where and when in the trace format of Chrome, which Perfetto (ui.perfetto.dev)
// and chrome://tracing open: {"traceEvents": [...]} with complete events ("ph": "X"), names of
// processes and threads, and arrows between events (flows, "s" and "f").
//
//   TraceColumns t;
//   t.lanes = {{"stage 0", "compute"}, {"stage 0", "tensor links"}};
//   t.names = {"forward", "all-reduce"};
//   t.categories = {"compute", "communication"};
//   t.add(0, 0, 0, 0, 2'000'000);  // lane, name, category, start and duration in ns
//   std::string text = chrome_trace(t);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace greenline::io {

// One row of the picture. Lanes of one process stand together under its name.
struct TraceLane {
  std::string process, thread;
};

struct TraceColumns {
  std::vector<TraceLane> lanes;
  std::vector<std::string> names, categories;       // each text once
  std::vector<int> lane, name, category;            // (num_events) index of the above
  std::vector<std::int64_t> start_ns, duration_ns;  // (num_events)
  struct Arrow {
    std::size_t from, to;  // events; from the end of one to the start of the other
  };
  std::vector<Arrow> arrows;

  std::size_t size() const { return start_ns.size(); }
  // Returns the index of the event.
  std::size_t add(int its_lane, int its_name, int its_category, std::int64_t start,
                  std::int64_t duration);
};

// Takes the text piece by piece; a piece is valid during its call only.
using TextSink = std::function<void(std::string_view)>;

// Events in the order of the columns, one a line; the same columns give the same bytes. Times are
// exact: microseconds with three decimals, from integers. Names may hold any bytes (see
// write_json). InternalError when columns differ in length, an index names nothing or a duration is
// negative.
void write_chrome_trace(const TraceColumns& trace, const TextSink& sink);
std::string chrome_trace(const TraceColumns& trace);

}  // namespace greenline::io
