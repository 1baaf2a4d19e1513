// What the time of a run hung on: the chain of tasks and waits to its end, or to one kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/progress.hpp"
#include "base/quantity.hpp"
#include "trace/graph.hpp"
#include "trace/job.hpp"
#include "trace/path.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::trace {

struct CriticalPathRequest {
  base::Settings settings;
  std::vector<std::string> files;  // one trace
  Orphans orphans = Orphans::drop;
  std::optional<std::int64_t> step;  // within this ProfilerStep
  std::string annotation;            // or within a range of this name, …
  std::int64_t instance = 0;         // … the n-th of them, from 0
  std::optional<std::int64_t> to;    // correlation of the work of a device to end at
};

struct PathSegment {
  TaskKind kind = TaskKind::origin;
  std::string name = {}, processor = {};
  std::int64_t start = 0, length = 0;  // ns, from the start of the window; what is on the path
  EdgeKind by = EdgeKind::thread;
  std::int64_t lag = 0;  // ns, before it
  bool is_inferred = false;
  std::int64_t correlation = -1;
};

struct CriticalPathResult {
  RankIdentity identity;
  std::string window;  // "ProfilerStep#10", "the whole trace"
  GraphCounts counts;
  std::vector<PathSegment> segments;  // by time
  PathTimes times;
  std::shared_ptr<const io::TraceColumns> overlay;  // the trace with the path on it
};

// DataError "several-traces" for more than one, "no-gpu-events"; UserError "unknown-step",
// "unknown-annotation", "unknown-correlation" with what there is.
CriticalPathResult find_critical_path(const CriticalPathRequest& request,
                                      base::Progress& progress = base::no_progress());
CriticalPathResult critical_path_of(const CriticalPathRequest& request,
                                    const RankIdentity& identity, const io::TraceColumns& trace);

void describe(verb::Fields& fields, CriticalPathRequest& request);
void present(verb::Report& report, const CriticalPathResult& result);

}  // namespace greenline::trace
