#include "trace/info.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "trace/steps.hpp"

namespace greenline::trace {
namespace {

std::vector<CategoryRow> categories_of(const io::TraceColumns& t) {
  std::vector<CategoryRow> rows;
  for (const std::string& name : t.categories) rows.push_back({name, kind_of(name), 0, 0});
  for (std::size_t i = 0; i < t.size(); ++i) {
    CategoryRow& row = rows[static_cast<std::size_t>(t.category[i])];
    ++row.number;
    row.total += t.duration_ns[i];
  }
  for (const io::TraceFlow& flow : t.flows) ++rows[static_cast<std::size_t>(flow.category)].number;
  std::sort(rows.begin(), rows.end(),
            [](const CategoryRow& a, const CategoryRow& b) { return a.name < b.name; });
  return rows;
}

Span span_of(const io::TraceColumns& t) {
  Span span{io::kMaxTraceTime, -io::kMaxTraceTime};
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (t.phase[i] != 'X' || (t.start_ns[i] == 0 && t.duration_ns[i] == 0)) continue;
    span = {std::min(span.first, t.start_ns[i]), std::max(span.second, t.end_ns(i))};
  }
  return span.first > span.second ? Span{0, 0} : span;
}

RankInfo info_of(const RankIdentity& identity, const TraceHeader& header,
                 const io::TraceRead& read) {
  const io::TraceColumns& t = read.trace;
  RankInfo x;
  x.identity = identity;
  x.backend = header.backend;
  for (const TraceDevice& device : header.devices)
    if (!device.name.empty() &&
        std::find(x.devices.begin(), x.devices.end(), device.name) == x.devices.end())
      x.devices.push_back(device.name);
  x.num_bytes = static_cast<std::int64_t>(read.num_bytes);
  x.num_events = static_cast<std::int64_t>(t.size());
  x.num_flows = static_cast<std::int64_t>(t.flows.size());
  x.num_metadata = read.num_metadata;
  x.num_names = static_cast<std::int64_t>(t.names.size());
  x.table_bytes = static_cast<std::int64_t>(t.event_bytes());
  x.text_bytes = static_cast<std::int64_t>(t.text_bytes());
  x.num_steps = static_cast<std::int64_t>(steps_of(t).size());
  x.span = span_of(t);
  x.dirt = read.dirt;
  x.whole_microseconds = read.whole_microseconds && t.size() > 0;
  x.categories = categories_of(t);
  const DeviceWork work = device_work(t, Orphans::drop);
  x.work = work.counts;
  if (!work.events.empty()) x.device_span = {work.start_ns(), work.end_ns()};
  std::set<int> streams;
  for (const DeviceEvent& e : work.events) streams.insert(t.lane[e.event]);
  x.num_streams = static_cast<std::int64_t>(streams.size());
  return x;
}

}  // namespace

std::vector<DirtRow> dirt_rows(const RankInfo& rank) {
  const io::TraceDirt& d = rank.dirt;
  const DeviceWorkCounts& w = rank.work;
  std::vector<DirtRow> rows = {
      {"file cut off within the events", "whole events used", d.truncated && d.cut.empty() ? 1 : 0},
      {fmt::format("file cut off: its {} data ends too early", d.cut),
       "whole events before the cut used, without checksum", d.cut.empty() ? 0 : 1},
      {"broken events (no JSON, no object, no phase)", "left out", d.broken_events},
      {"events with bytes that no JSON text may hold", "bytes replaced", d.mended_events},
      {"events without stamp", "left out", d.without_time},
      {"complete events without duration", "left out", d.without_duration},
      {"events of negative duration", "left out", d.negative_durations},
      {"stamps or durations out of range", "left out", d.out_of_range_times},
      {"stamps or durations in quotes", "used", d.text_times},
      {"events whose process or thread is a text", "used", d.text_lanes},
      {"arguments of unexpected type or size", "as if absent", d.bad_arguments},
      {"events without name", "used", d.unnamed_events},
      {"orphans: GPU events without launch in the window", "left out, see --orphans", w.orphans},
      {"GPU events with stamp 0 and duration 0", "left out", w.unstamped},
      {"GPU events that end 1 s and more after the next one of their stream has started",
       "left out", w.absurd_durations},
      {"GPU events that overlap the next one of their stream", "used", w.same_stream_overlaps},
      {"GPU events of duration 0", "used", w.zero_durations},
      {"GPU events that share their launch with others, as of CUDA graphs", "used", w.of_graphs},
      {"GPU events without correlation", "used", w.without_correlation},
      {"all stamps are whole microseconds", "used, durations are good to 1 us",
       rank.whole_microseconds ? 1 : 0},
      {"no calls of a runtime, so orphans cannot be told", "all GPU events used",
       w.no_launches && w.all > 0 ? 1 : 0},
  };
  std::erase_if(rows, [](const DirtRow& row) { return row.number == 0; });
  return rows;
}

InfoResult info(const InfoRequest& request, base::Progress& progress) {
  InfoResult x;
  x.ranks = load_job<RankInfo>(request.files, request.settings, info_of, progress);
  std::map<std::string, CategoryRow> sums;
  for (const RankInfo& rank : x.ranks) {
    x.world_size = std::max(x.world_size, rank.identity.world_size);
    for (const CategoryRow& row : rank.categories) {
      CategoryRow& sum =
          sums.try_emplace(row.name, CategoryRow{row.name, row.kind, 0, 0}).first->second;
      sum.number += row.number;
      sum.total += row.total;
    }
  }
  for (auto& [name, row] : sums) x.categories.push_back(std::move(row));
  return x;
}

}  // namespace greenline::trace
