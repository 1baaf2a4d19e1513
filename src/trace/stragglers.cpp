#include "trace/stragglers.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "trace/collectives.hpp"

namespace greenline::trace {
namespace {

// Below it clocks are taken as one: ends of a collective differ by some microseconds anyway.
constexpr std::int64_t kClocksAgree = 100'000;  // ns

struct RankCollectives {
  RankIdentity identity;
  std::vector<CollectiveKernel> kernels;  // stamps with the base time of the trace
};

using Key = std::pair<std::string, std::int64_t>;                              // group, number
using Members = std::vector<std::pair<std::size_t, const CollectiveKernel*>>;  // index of rank

std::map<Key, Members> match(const std::vector<RankCollectives>& ranks) {
  std::map<Key, Members> found;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    for (const CollectiveKernel& k : ranks[r].kernels) {
      Members& members = found[{k.group, k.number}];
      if (members.empty() || members.back().first != r) members.emplace_back(r, &k);
    }
  return found;
}

void check_kinds(const std::map<Key, Members>& found, const std::vector<RankCollectives>& ranks) {
  for (const auto& [key, members] : found)
    for (const auto& [rank, kernel] : members)
      if (kernel->kind != members.front().second->kind)
        throw base::DataError(
            "collectives-disagree",
            fmt::format("collective {} of group \"{}\" is {} on rank {} and {} on rank {}",
                        key.second, key.first, members.front().second->kind,
                        ranks[members.front().first].identity.rank, kernel->kind,
                        ranks[rank].identity.rank),
            "the traces do not begin with the same collective: give those of one step",
            {ranks[rank].identity.name, 0, 0});
}

std::int64_t median(std::vector<std::int64_t> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Ranks leave a collective together: what is between their ends, in the median, is their clocks.
std::vector<std::int64_t> clock_offsets(const std::map<Key, Members>& found, std::size_t num_ranks,
                                        base::Journal& journal,
                                        const std::vector<RankCollectives>& ranks) {
  std::vector<std::vector<std::int64_t>> differences(num_ranks);
  for (const auto& [key, members] : found) {
    if (members.size() < 2) continue;
    std::vector<std::int64_t> ends;
    for (const auto& [rank, kernel] : members) ends.push_back(kernel->end_ns);
    const std::int64_t middle = median(ends);
    for (const auto& [rank, kernel] : members) differences[rank].push_back(middle - kernel->end_ns);
  }
  std::vector<std::int64_t> offsets(num_ranks, 0);
  for (std::size_t r = 0; r < num_ranks; ++r) {
    const std::int64_t offset = median(differences[r]);
    if (offset > -kClocksAgree && offset < kClocksAgree) continue;
    offsets[r] = offset;
    journal.notice(
        fmt::format("{}: clock is {} ns off those of the other ranks: aligned by the "
                    "ends of collectives",
                    ranks[r].identity.name, -offset));
  }
  return offsets;
}

Collective joined(const Key& key, const Members& members, const std::vector<RankCollectives>& ranks,
                  const std::vector<std::int64_t>& offsets) {
  Collective c;
  c.kind = members.front().second->kind;
  c.group = key.first;
  c.number = key.second;
  std::int64_t last = -io::kMaxTraceTime, end = last, first_end = io::kMaxTraceTime, size = 0;
  for (const auto& [rank, kernel] : members) {
    const CollectiveCall call{ranks[rank].identity.rank, kernel->start_ns + offsets[rank],
                              kernel->end_ns + offsets[rank], 0};
    if (call.start > last) last = call.start, c.last_rank = call.rank;
    end = std::max(end, call.end);
    first_end = std::min(first_end, call.end);
    c.longest = std::max(c.longest, call.end - call.start);
    size = std::max(size, kernel->group_size);
    c.calls.push_back(call);
  }
  c.pure_communication = std::max<std::int64_t>(0, end - last);
  c.end_skew = end - first_end;
  for (CollectiveCall& call : c.calls) {
    call.waiting = std::max<std::int64_t>(0, call.end - call.start - c.pure_communication);
    c.waiting += call.waiting;
  }
  c.absent_ranks = std::max<std::int64_t>(0, size - static_cast<std::int64_t>(c.calls.size()));
  return c;
}

void sum_ranks(StragglersResult& x, const std::vector<RankCollectives>& ranks,
               const std::vector<std::int64_t>& offsets) {
  std::map<std::int64_t, std::size_t> row_of;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    row_of[ranks[r].identity.rank] = r;
    x.ranks.push_back({.rank = ranks[r].identity.rank, .clock_offset = offsets[r]});
  }
  for (const Collective& c : x.collectives) {
    ++x.ranks[row_of.at(c.last_rank)].times_last;
    for (const CollectiveCall& call : c.calls) {
      RankWait& row = x.ranks[row_of.at(call.rank)];
      row.kernels += call.end - call.start;
      row.waiting += call.waiting;
      x.collective_kernel += call.end - call.start;
      x.pure_communication += c.pure_communication;
      x.waiting += call.waiting;
    }
  }
}

}  // namespace

StragglersResult stragglers(const StragglersRequest& request, base::Progress& progress) {
  const auto ranks = load_job<RankCollectives>(
      request.files, request.settings,
      [&](const RankIdentity& identity, const TraceHeader& header, const io::TraceRead& read) {
        RankCollectives x{identity,
                          collective_kernels(read.trace, device_work(read.trace, request.orphans))};
        for (CollectiveKernel& k : x.kernels) {
          k.start_ns += header.base_time_ns;
          k.end_ns += header.base_time_ns;
        }
        return x;
      },
      progress);
  StragglersResult x;
  x.power = request.power;
  x.carbon_intensity = request.carbon_intensity;
  const auto found = match(ranks);
  if (found.empty())
    throw base::DataError("no-collectives", "no kernel of NCCL or RCCL in the traces",
                          "stragglers are found in traces of a job of several ranks");
  check_kinds(found, ranks);
  const auto offsets = clock_offsets(found, ranks.size(), *request.settings.journal, ranks);
  for (const auto& [key, members] : found) {
    if (members.size() < 2) {
      ++x.unmatched;
      continue;
    }
    x.collectives.push_back(joined(key, members, ranks, offsets));
  }
  const auto key = [](const Collective& c) {
    std::int64_t end = 0;
    for (const CollectiveCall& call : c.calls) end = std::max(end, call.end);
    return std::tuple(end, c.group, c.number);
  };
  std::sort(x.collectives.begin(), x.collectives.end(),
            [&](const Collective& a, const Collective& b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < x.collectives.size(); ++i)
    x.collectives[i].index = static_cast<std::int64_t>(i);
  sum_ranks(x, ranks, offsets);
  return x;
}

}  // namespace greenline::trace
