#include "io/trace_merge.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/error.hpp"
#include "io/trace_number.hpp"

namespace greenline::io {
namespace {

std::vector<int> added(TextPool& pool, const std::vector<std::string>& texts) {
  std::vector<int> index;
  index.reserve(texts.size());
  for (const std::string& text : texts) index.push_back(pool.index(text));
  return index;
}

void append(std::vector<int>& to, const std::vector<int>& from, const std::vector<int>& index) {
  for (const int i : from) to.push_back(index[static_cast<std::size_t>(i)]);
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Rows of a side table: their event moves by `offset`, their texts are renamed by `texts`.
template <class Row, class... Text>
void append_rows(std::vector<Row>& to, const std::vector<Row>& from, std::uint32_t offset,
                 const std::vector<int>& names, Text Row::*... texts) {
  for (Row row : from) {
    row.event += offset;
    ((row.*texts = row.*texts < 0 ? row.*texts : names[static_cast<std::size_t>(row.*texts)]), ...);
    to.push_back(row);
  }
}

void shrink(TraceColumns& t) {
  const auto fit = [](auto&... columns) { (columns.shrink_to_fit(), ...); };
  fit(t.lane, t.name, t.category, t.phase, t.start_ns, t.duration_ns, t.correlation, t.external_id,
      t.work, t.launches, t.operators, t.python, t.collectives, t.syncs, t.flows);
}

}  // namespace

void TraceDirt::add(const TraceDirt& o) {
  truncated = truncated || o.truncated;
  if (cut.empty()) cut = o.cut;
  broken_events += o.broken_events;
  mended_events += o.mended_events;
  without_time += o.without_time;
  without_duration += o.without_duration;
  negative_durations += o.negative_durations;
  out_of_range_times += o.out_of_range_times;
  text_times += o.text_times;
  text_lanes += o.text_lanes;
  bad_arguments += o.bad_arguments;
  unnamed_events += o.unnamed_events;
}

void TraceMerge::add_lanes(const TraceColumns& from, std::vector<int>& index) {
  for (const TraceLane& lane : from.lanes) {
    index.push_back(lanes_.index(lane.pid + '\n' + lane.tid));
    if (static_cast<std::size_t>(index.back()) == read_.trace.lanes.size())
      read_.trace.lanes.push_back(lane);
  }
}

void TraceMerge::add(const TracePiece& piece) {
  TraceColumns& to = read_.trace;
  const TraceColumns& from = piece.read.trace;
  constexpr std::size_t kMostEvents = std::size_t{1} << 31;
  if (to.size() + from.size() > kMostEvents)
    throw base::UnsupportedError("trace-too-large", "a trace of more than 2^31 events",
                                 "record fewer steps");
  const auto offset = static_cast<std::uint32_t>(to.size());
  const std::vector<int> names = added(names_, from.names),
                         categories = added(categories_, from.categories);
  std::vector<int> lanes;
  add_lanes(from, lanes);

  append(to.lane, from.lane, lanes);
  append(to.name, from.name, names);
  append(to.category, from.category, categories);
  append(to.phase, from.phase);
  append(to.start_ns, from.start_ns);
  append(to.duration_ns, from.duration_ns);
  to.correlation.append(from.correlation);
  to.external_id.append(from.external_id);

  std::vector<int> launches;
  for (const TraceLaunch& launch : from.launches) {
    launches.push_back(launches_.index({reinterpret_cast<const char*>(&launch), sizeof launch}));
    if (static_cast<std::size_t>(launches.back()) == to.launches.size())
      to.launches.push_back(launch);
  }
  append_rows(to.work, from.work, offset, launches, &TraceWork::launch);
  append_rows(to.operators, from.operators, offset, names, &TraceOperator::input_dims,
              &TraceOperator::input_types);
  append_rows(to.python, from.python, offset, names);
  append_rows(to.collectives, from.collectives, offset, names, &TraceCollective::name,
              &TraceCollective::dtype, &TraceCollective::group_name,
              &TraceCollective::group_description, &TraceCollective::group_ranks,
              &TraceCollective::in_split, &TraceCollective::out_split);
  append_rows(to.syncs, from.syncs, offset, names, &TraceSync::kind);
  for (TraceFlow flow : from.flows) {
    flow.lane = lanes[static_cast<std::size_t>(flow.lane)];
    flow.name = names[static_cast<std::size_t>(flow.name)];
    flow.category = categories[static_cast<std::size_t>(flow.category)];
    to.flows.push_back(flow);
  }
  read_.dirt.add(piece.read.dirt);
  read_.num_metadata += piece.read.num_metadata;
  read_.whole_microseconds = read_.whole_microseconds && piece.read.whole_microseconds;
  for (const TracePiece::Named& named : piece.metadata) {
    const std::string key =
        named.what + '\n' + named.pid + '\n' + (named.what.starts_with("thread") ? named.tid : "");
    const auto [at, is_new] = metadata_at_.try_emplace(key, metadata_.size());
    if (is_new)
      metadata_.push_back(named);
    else
      metadata_[at->second] = named;
  }
}

void TraceMerge::name_lanes() {
  std::unordered_map<std::string, std::vector<TraceLane*>> of_process;
  for (TraceLane& lane : read_.trace.lanes) of_process[lane.pid].push_back(&lane);
  for (const TracePiece::Named& m : metadata_) {
    const auto lanes = of_process.find(m.pid);
    if (lanes == of_process.end()) continue;
    for (TraceLane* lane : lanes->second) {
      if (m.what == "process_name") lane->process = m.text;
      if (m.what == "process_labels") lane->labels = m.text;
      if (m.what == "process_sort_index") lane->process_order = integer(m.text);
      if (lane->tid != m.tid) continue;
      if (m.what == "thread_name") lane->thread = m.text;
      if (m.what == "thread_sort_index") lane->thread_order = integer(m.text);
    }
  }
}

// Lanes and texts in order of first use by the columns, then by the side tables one after the
// other: the same for two files that hold the same events with their members in another order.
void TraceMerge::order_columns() {
  TraceColumns& t = read_.trace;
  std::vector<std::string> from = names_.take(), categories = categories_.take();
  std::vector<int> place(from.size(), -1), category_place(categories.size(), -1);
  const auto number = [](auto& texts, auto& to, std::vector<int>& places, int& index) {
    if (index < 0) return;
    int& its_place = places[static_cast<std::size_t>(index)];
    if (its_place < 0) {
      its_place = static_cast<int>(to.size());
      to.push_back(std::move(texts[static_cast<std::size_t>(index)]));
    }
    index = its_place;
  };
  const auto name = [&](int& index) { number(from, t.names, place, index); };
  const auto category = [&](int& index) {
    number(categories, t.categories, category_place, index);
  };
  std::vector<TraceLane> lanes = std::move(t.lanes);
  std::vector<int> lane_place(lanes.size(), -1);
  t.lanes.clear();
  const auto lane = [&](int& index) { number(lanes, t.lanes, lane_place, index); };
  for (int& index : t.lane) lane(index);
  for (int& index : t.name) name(index);
  for (int& index : t.category) category(index);
  for (TraceOperator& o : t.operators) name(o.input_dims), name(o.input_types);
  for (TraceCollective& c : t.collectives)
    for (int* index : {&c.name, &c.dtype, &c.group_name, &c.group_description, &c.group_ranks,
                       &c.in_split, &c.out_split})
      name(*index);
  for (TraceSync& s : t.syncs) name(s.kind);
  for (TraceFlow& flow : t.flows) name(flow.name), category(flow.category), lane(flow.lane);
}

TraceRead TraceMerge::take() {
  name_lanes();
  order_columns();
  shrink(read_.trace);
  return std::move(read_);
}

}  // namespace greenline::io
