// Traces of the ranks of one job: loaded one after the other, so that only a summary of each stays
// in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/journal.hpp"
#include "base/progress.hpp"
#include "io/trace_reader.hpp"
#include "trace/header.hpp"

namespace greenline::trace {

// Who a trace is of.
struct RankIdentity {
  std::size_t file = 0, member = 0;  // where among the inputs
  std::string name;                  // of the file: "job.tar.gz/rank0.json"
  std::int64_t rank = -1;            // set by check_ranks when the trace does not say it
  std::int64_t world_size = 0;       // 0: unknown
};

// Sets the ranks that no file says: from the names of the files, and 0 of a trace alone. DataError
// "duplicate-rank", "ranks-disagree" (world sizes), "no-rank". Sorted by rank.
void check_ranks(const std::vector<RankIdentity*>& ranks, base::Journal& journal);

void read_ranks(
    const std::vector<std::string>& paths, const base::Settings& settings,
    const std::function<void(const RankIdentity&, const TraceHeader&, const io::TraceRead&)>& use,
    base::Progress& progress);

// summarise(identity, header, read) of every trace, on many threads; the summaries by rank. Each
// has a member `identity`.
template <class Summary, class Summarise>
std::vector<Summary> load_job(const std::vector<std::string>& paths, const base::Settings& settings,
                              const Summarise& summarise, base::Progress& progress) {
  std::vector<Summary> summaries;
  std::mutex mutex;
  read_ranks(
      paths, settings,
      [&](const RankIdentity& identity, const TraceHeader& header, const io::TraceRead& read) {
        Summary summary = summarise(identity, header, read);
        const std::lock_guard lock(mutex);
        summaries.push_back(std::move(summary));
      },
      progress);
  std::sort(summaries.begin(), summaries.end(), [](const Summary& a, const Summary& b) {
    return std::pair(a.identity.file, a.identity.member) <
           std::pair(b.identity.file, b.identity.member);
  });
  std::vector<RankIdentity*> identities;
  for (Summary& s : summaries) identities.push_back(&s.identity);
  check_ranks(identities, *settings.journal);
  std::stable_sort(summaries.begin(), summaries.end(), [](const Summary& a, const Summary& b) {
    return a.identity.rank < b.identity.rank;
  });
  return summaries;
}

}  // namespace greenline::trace
