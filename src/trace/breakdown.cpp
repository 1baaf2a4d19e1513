#include "trace/breakdown.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/error.hpp"
#include "trace/kernels.hpp"
#include "trace/steps.hpp"

namespace greenline::trace {
namespace {

struct Sets {
  Spans kernels, communication, copies, fills;
};

Sets sets_of(const DeviceWork& work) {
  Sets s;
  for (const DeviceEvent& e : work.events) {
    Spans& its = e.is_communication                 ? s.communication
                 : e.kind == EventKind::memory_copy ? s.copies
                 : e.kind == EventKind::memory_set  ? s.fills
                                                    : s.kernels;
    its.emplace_back(e.start_ns, e.end_ns);
  }
  for (Spans* spans : {&s.kernels, &s.communication, &s.copies, &s.fills})
    *spans = united(std::move(*spans));
  return s;
}

DeviceTimes times_of(const Sets& s, std::int64_t total) {
  DeviceTimes t;
  const Spans any_kernel = united(s.kernels, s.communication);
  t.total = total;
  t.computation = length(united(s.kernels, s.fills));
  t.overlapped = common_length(s.kernels, s.communication);
  t.exposed_computation = length(s.kernels) - t.overlapped;
  t.exposed_communication = length(s.communication) - t.overlapped;
  t.exposed_memset = length(s.fills) - common_length(s.fills, any_kernel);
  const Spans all_but_copies = united(any_kernel, s.fills);
  t.exposed_memcpy = length(s.copies) - common_length(s.copies, all_but_copies);
  t.busy = length(all_but_copies) + t.exposed_memcpy;
  t.idle = t.total - t.busy;
  return t;
}

DeviceTimes times_within(const Sets& s, Span window) {
  return times_of({within(s.kernels, window), within(s.communication, window),
                   within(s.copies, window), within(s.fills, window)},
                  window.second - window.first);
}

void add_classes(std::map<model::OperatorClass, ClassRow>& to, const std::vector<ClassRow>& rows) {
  for (const ClassRow& row : rows) {
    ClassRow& sum = to[row.its_class];
    sum.its_class = row.its_class;
    sum.number += row.number;
    sum.total += row.total;
  }
}

std::vector<ClassRow> longest_first(const std::map<model::OperatorClass, ClassRow>& sums) {
  std::vector<ClassRow> rows;
  for (const auto& [its_class, row] : sums) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ClassRow& a, const ClassRow& b) { return a.total > b.total; });
  return rows;
}

void join_ranks(BreakdownResult& x) {
  std::map<std::string, KernelRow> kernels;
  std::map<model::OperatorClass, ClassRow> classes, operators;
  for (RankBreakdown& rank : x.ranks) {
    for (const KernelRow& row : rank.kernels) {
      const auto [at, is_new] = kernels.try_emplace(row.name, row);
      if (is_new) continue;
      KernelRow& sum = at->second;
      sum.number += row.number;
      sum.total += row.total;
      sum.shortest = std::min(sum.shortest, row.shortest);
      sum.longest = std::max(sum.longest, row.longest);
    }
    add_classes(classes, rank.classes);
    add_classes(operators, rank.operators);
  }
  for (auto& [name, row] : kernels) x.kernels.push_back(std::move(row));
  std::stable_sort(x.kernels.begin(), x.kernels.end(),
                   [](const KernelRow& a, const KernelRow& b) { return a.total > b.total; });
  x.classes = longest_first(classes);
  x.operators = longest_first(operators);
}

void note_flaws(const RankBreakdown& rank, Orphans orphans, base::Journal& journal) {
  const DeviceWorkCounts& n = rank.counts;
  const auto note = [&](std::int64_t number, const std::string& what) {
    if (number > 0)
      journal.notice(
          fmt::format("{}: {} of {} GPU events {}", rank.identity.name, number, n.all, what));
  };
  note(n.orphans, orphans == Orphans::drop
                      ? "have no launch in the window (orphans): excluded, see --orphans keep"
                      : "have no launch in the window (orphans): included");
  note(n.unstamped, "have stamp 0 and duration 0: excluded");
  note(n.absurd_durations,
       "end a second and more after the next one of their stream has started: excluded");
  if (n.no_launches)
    journal.notice(rank.identity.name +
                   ": no calls of a runtime in the trace, so no event can be told to be an orphan");
}

}  // namespace

void require_work(const RankIdentity& identity, const DeviceWork& work) {
  if (!work.events.empty()) return;
  const DeviceWorkCounts& counts = work.counts;
  const base::Location where{identity.name, 0, 0};
  if (counts.all == 0)
    throw base::DataError("no-gpu-events", "no GPU events (cat kernel/gpu_memcpy/gpu_memset)",
                          "was ProfilerActivity.CUDA on? `greenline trace info` reads the rest",
                          where);
  throw base::DataError(
      "no-gpu-events",
      fmt::format(
          "none of {} GPU events can be used: {} orphans, {} without stamps, {} with absurd "
          "durations",
          counts.all, counts.orphans, counts.unstamped, counts.absurd_durations),
      counts.orphans > 0 ? "--orphans keep counts those whose launch is not in the trace" : "",
      where);
}

DeviceTimes device_times(const DeviceWork& work, Span window) {
  return times_within(sets_of(work), window);
}

RankBreakdown break_down(const RankIdentity& identity, const io::TraceRead& read, Orphans orphans) {
  RankBreakdown x;
  x.identity = identity;
  const DeviceWork work = device_work(read.trace, orphans);
  x.counts = work.counts;
  require_work(identity, work);
  const Sets sets = sets_of(work);
  const Span whole{work.start_ns(), work.end_ns()};
  x.times = times_of(sets, whole.second - whole.first);
  for (const Step& step : steps_of(read.trace))
    x.steps.push_back({step.number, times_within(sets, step.window)});
  x.kernels = kernel_rows(read.trace, work);
  x.classes = kernel_classes(x.kernels);
  x.operators = operator_classes(read.trace, work);
  x.streams = stream_rows(read.trace, work);
  x.window = utilisation_window(whole);
  x.utilisation = utilisation(work, whole, x.window);
  return x;
}

BreakdownResult breakdown(const BreakdownRequest& request, base::Progress& progress) {
  BreakdownResult x;
  x.orphans = request.orphans;
  x.top = request.top;
  x.ranks = load_job<RankBreakdown>(
      request.files, request.settings,
      [&](const RankIdentity& identity, const TraceHeader&, const io::TraceRead& read) {
        return break_down(identity, read, request.orphans);
      },
      progress);
  for (const RankBreakdown& rank : x.ranks)
    note_flaws(rank, request.orphans, *request.settings.journal);
  join_ranks(x);
  return x;
}

}  // namespace greenline::trace
