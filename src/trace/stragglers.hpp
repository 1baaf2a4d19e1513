// Who came last to each collective of a job, and how long the others waited for it.
//
// The n-th collective of a group is one on all its ranks. It begins when its last rank is there and
// ends on all at about the same time, so with a(r) and e(r) the start and end of its kernel on rank
// r (by the clock of the job, see clock_offset):
//
//   pure_communication = max e - max a        waiting(r) = e(r) - a(r) - pure_communication, ≥ 0
//   end_skew = max e - min e
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/estimate.hpp"
#include "base/journal.hpp"
#include "base/progress.hpp"
#include "trace/device_work.hpp"
#include "trace/job.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::trace {

struct StragglersRequest {
  base::Settings settings;
  std::vector<std::string> files;  // files, archives, folders of one job
  Orphans orphans = Orphans::drop;
  std::optional<base::Power> power;  // of one device and its share of the node, while it waits
  std::optional<base::CarbonIntensity> carbon_intensity;
};

// The kernel of one rank. Nanoseconds.
struct CollectiveCall {
  std::int64_t rank = 0;
  std::int64_t start = 0, end = 0;
  std::int64_t waiting = 0;
};

struct Collective {
  std::int64_t index = 0;             // by the time at which it ends
  std::string kind, group;            // "all_reduce"; the group's name, "" when the trace has none
  std::int64_t number = 0;            // of its group
  std::vector<CollectiveCall> calls;  // by rank
  std::int64_t last_rank = 0;
  std::int64_t pure_communication = 0, longest = 0, end_skew = 0, waiting = 0;  // ns
  std::int64_t absent_ranks = 0;  // of its group, that are not in the files
};

struct RankWait {
  std::int64_t rank = 0;
  std::int64_t times_last = 0;
  std::int64_t kernels = 0, waiting = 0;  // ns
  std::int64_t clock_offset = 0;          // ns, added to the stamps of the rank
};

struct StragglersResult {
  std::vector<Collective> collectives;
  std::vector<RankWait> ranks;
  std::int64_t pure_communication = 0, collective_kernel = 0, waiting = 0;  // ns, over ranks
  std::int64_t unmatched = 0;  // kernels whose collective no other rank of the files has
  std::optional<base::Power> power;
  std::optional<base::CarbonIntensity> carbon_intensity;
};

// DataError "no-collectives" when no file has one, "collectives-disagree" when the n-th collective
// of a group is not the same on its ranks, and those of read_trace and check_ranks.
StragglersResult stragglers(const StragglersRequest& request,
                            base::Progress& progress = base::no_progress());

void describe(verb::Fields& fields, StragglersRequest& request);
void present(verb::Report& report, const StragglersResult& result);

}  // namespace greenline::trace
