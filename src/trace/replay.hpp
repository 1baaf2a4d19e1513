// The graph of each rank simulated as it was measured: the proof that it is a graph of the run, and
// how much of it is explained rather than copied.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/progress.hpp"
#include "trace/graph.hpp"
#include "trace/job.hpp"
#include "trace/path.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::trace {

struct ReplayRequest {
  base::Settings settings;
  std::vector<std::string> files;  // files, archives, folders of one job
  Orphans orphans = Orphans::drop;
};

// From the first start to the last end of what began in a step: of all tasks in a ProfilerStep; of
// the work of devices in a trace without steps.
struct ReplayedStep {
  std::int64_t number = -1;            // -1: the trace has no steps
  double measured = 0, simulated = 0;  // s
  double error() const { return measured > 0 ? simulated / measured - 1 : 0; }
};

struct RankReplay {
  RankIdentity identity;
  GraphCounts counts;
  std::int64_t num_tasks = 0, num_edges = 0, num_processors = 0;
  std::vector<ReplayedStep> steps;
  double mean_start_error = 0, max_start_error = 0;  // s, of the work of devices, without sign
  double step_length = 0;                            // s, mean
  PathTimes path;  // of the longest path of the measured run to its last task
  double busiest_stream = 0, makespan = 0;  // s
  // Collectives whose partners are not in the files: the wait for them is in their durations.
  std::int64_t num_collectives = 0;
  double collectives = 0;  // s
  bool partners_are_absent = false;

  double error() const;  // of the sum of the steps
  double mean_start_share() const { return step_length > 0 ? mean_start_error / step_length : 0; }
  double max_start_share() const { return step_length > 0 ? max_start_error / step_length : 0; }
};

struct ReplayResult {
  std::vector<RankReplay> ranks;
};

// DataError "no-gpu-events", and those of read_trace and check_ranks.
ReplayResult replay(const ReplayRequest& request, base::Progress& progress = base::no_progress());
RankReplay replay_rank(const RankIdentity& identity, const io::TraceColumns& trace,
                       Orphans orphans);

void describe(verb::Fields& fields, ReplayRequest& request);
void present(verb::Report& report, const ReplayResult& result);

}  // namespace greenline::trace
