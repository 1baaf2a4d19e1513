#include "trace/job.hpp"

#include <map>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/trace_files.hpp"

namespace greenline::trace {
namespace {

void set_missing_rank(RankIdentity& r, bool is_alone, base::Journal& journal) {
  if (r.rank >= 0) return;
  if (const auto rank = rank_in_name(r.name)) {
    r.rank = *rank;
    journal.assumed({r.name, fmt::format("rank {}", r.rank), "from the name of the file"});
    return;
  }
  if (!is_alone)
    throw base::DataError("no-rank", "the trace does not say which rank it is of",
                          "call the files rank0.json, rank1.json, …", {r.name, 0, 0});
  r.rank = 0;
  journal.assumed({r.name, "rank 0", "the trace does not say its rank, and is alone"});
}

// "truncated trace: rank0.json.gz: the gzip data ends too early, 12 events recovered".
void note_cut(const std::string& name, const io::TraceRead& read, base::Journal& journal) {
  if (!read.dirt.truncated && read.dirt.cut.empty()) return;
  const std::string why =
      read.dirt.cut.empty() ? "" : fmt::format("the {} data ends too early, ", read.dirt.cut);
  journal.notice(fmt::format("truncated trace: {}: {}{} events recovered", name, why,
                             read.trace.size() + read.trace.flows.size()));
}

}  // namespace

void check_ranks(const std::vector<RankIdentity*>& ranks, base::Journal& journal) {
  for (RankIdentity* r : ranks) set_missing_rank(*r, ranks.size() == 1, journal);
  std::map<std::int64_t, const RankIdentity*> by_rank;
  for (const RankIdentity* r : ranks) {
    const auto [other, is_new] = by_rank.try_emplace(r->rank, r);
    if (!is_new)
      throw base::DataError(
          "duplicate-rank",
          fmt::format("duplicate rank {} in {} and {}", r->rank, other->second->name, r->name),
          "traces of one job have different ranks: give one file per rank and step");
  }
  const RankIdentity* first = nullptr;
  for (const auto& [rank, r] : by_rank) {
    if (r->world_size == 0) continue;
    if (first == nullptr) first = r;
    if (r->world_size != first->world_size)
      throw base::DataError(
          "ranks-disagree",
          fmt::format("ranks disagree: rank {} file has world_size {}, rank {} file {}", r->rank,
                      r->world_size, first->rank, first->world_size),
          fmt::format("{} and {} are not of one job", r->name, first->name));
  }
}

void read_ranks(
    const std::vector<std::string>& paths, const base::Settings& settings,
    const std::function<void(const RankIdentity&, const TraceHeader&, const io::TraceRead&)>& use,
    base::Progress& progress) {
  const std::vector<std::string> files = io::trace_files(paths);
  const bool by_name = files == paths;
  std::size_t num_documents = 0;
  std::mutex mutex;
  io::for_each_trace(
      files, by_name, settings,
      [&](const io::TraceDocument& document) {
        io::TraceRead read = io::read_trace(document.text, document.name);
        read.dirt.cut = document.cut;
        note_cut(document.name, read, *settings.journal);
        const TraceHeader header = header_of(read.trace);
        use({document.file, document.member, document.name, header.rank.value_or(-1),
             header.world_size.value_or(0)},
            header, read);
        const std::lock_guard lock(mutex);
        ++num_documents;
      },
      progress);
  if (num_documents == 0)
    throw base::DataError("not-a-trace", "none of the files is a trace",
                          "expected traces of torch.profiler (export_chrome_trace)",
                          {paths.empty() ? "" : paths.front(), 0, 0});
}

}  // namespace greenline::trace
