#include "trace/verbs_graph.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "io/chrome_trace.hpp"
#include "trace/critical_path.hpp"
#include "trace/replay.hpp"
#include "trace/stragglers.hpp"
#include "verb/fields.hpp"
#include "verb/registry.hpp"
#include "verb/report.hpp"

namespace greenline::trace {
namespace {

using base::Time;
namespace units = base::units;

Time time_of(std::int64_t ns) { return Time::from_base(static_cast<double>(ns) / 1e9); }

// A column of a table from the rows it is about.
template <class Row, class Get>
auto column(const std::vector<Row>& rows, Get get) {
  std::vector<std::decay_t<decltype(get(rows.front()))>> values;
  values.reserve(rows.size());
  for (const Row& row : rows) values.push_back(get(row));
  return values;
}

void present_graphs(verb::Report& r, const std::vector<RankReplay>& ranks) {
  auto table = r.table("graphs", "The graph of each rank");
  table.column("rank", column(ranks, [](const auto& x) { return x.identity.rank; }))
      .column("tasks", column(ranks, [](const auto& x) { return x.num_tasks; }))
      .column("edges", column(ranks, [](const auto& x) { return x.num_edges; }));
  const auto add = [&](const char* key, std::int64_t GraphCounts::*count, const char* label = "") {
    table.column(key, column(ranks, [&](const auto& x) { return x.counts.*count; }), label);
  };
  add("host_tasks", &GraphCounts::host_tasks);
  add("host_gaps", &GraphCounts::host_gaps);
  add("device_tasks", &GraphCounts::device_tasks);
  add("launches", &GraphCounts::launches);
  add("graph_launches", &GraphCounts::graph_launches, "of them by graphs");
  add("stream_events", &GraphCounts::events, "edges between streams");
  add("inferred_stream_events", &GraphCounts::inferred_events, "of them inferred");
  add("handoffs", &GraphCounts::handoffs, "edges between threads");
  add("inferred_handoffs", &GraphCounts::inferred_handoffs, "of them inferred");
  add("synchronisations", &GraphCounts::synchronisations, "waits of the host");
  add("inferred_synchronisations", &GraphCounts::inferred_synchronisations, "of them inferred");
  add("without_wait", &GraphCounts::without_wait, "found the device done");
  add("against_order", &GraphCounts::against_order, "left out, against the measured order");
  add("outside_window", &GraphCounts::outside_window, "record not in the trace");
  add("without_cause", &GraphCounts::without_cause, "GPU events without cause");
  add("broken_nestings", &GraphCounts::broken_nestings);
}

}  // namespace

void describe(verb::Fields& f, ReplayRequest& r) {
  f(r.files, "files", "traces of one job: files, archives or folders")
      .positional()
      .required()
      .placeholder("FILE|DIR");
  f(r.orphans, "orphans", "GPU events whose launch is not in the trace");
}

void present(verb::Report& r, const ReplayResult& x) {
  r.title("The trace replayed as it was measured");
  double error = 0, mean_start = 0, max_start = 0;
  PathTimes path;
  for (const RankReplay& rank : x.ranks) {
    if (std::abs(rank.error()) > std::abs(error)) error = rank.error();
    mean_start = std::max(mean_start, rank.mean_start_share());
    max_start = std::max(max_start, rank.max_start_share());
    path.host_gaps += rank.path.host_gaps;
    path.launch_delay += rank.path.launch_delay;
    path.kernel_gap += rank.path.kernel_gap;
    path.other_lag += rank.path.other_lag;
    path.computation += rank.path.total() - rank.path.host_gaps - rank.path.launch_delay -
                        rank.path.kernel_gap - rank.path.other_lag;
  }
  const auto total = static_cast<double>(std::max<std::int64_t>(1, path.total()));
  r.value("error", error,
          {.label = "largest error of a rank", .headline = true, .as_percent = true});
  r.value("mean_start_error_share", mean_start,
          {.label = "mean error of the start of a GPU event, of a step", .as_percent = true});
  r.value("max_start_error_share", max_start,
          {.label = "largest one", .headline = true, .as_percent = true});
  r.value("fixed_host_gap_share", static_cast<double>(path.host_gaps) / total,
          {.label = "of the critical path are host gaps, copied as measured",
           .headline = true,
           .as_percent = true});
  r.value("fixed_delay_share",
          static_cast<double>(path.launch_delay + path.kernel_gap + path.other_lag) / total,
          {.label = "of it are delays of devices, copied as measured", .as_percent = true});
  r.table("ranks", "By rank")
      .column("rank", column(x.ranks, [](const auto& k) { return k.identity.rank; }))
      .column("error", column(x.ranks, [](const auto& k) { return k.error(); }), "", true)
      .column("step_length",
              column(x.ranks, [](const auto& k) { return Time::from_base(k.step_length); }))
      .column("mean_start_error",
              column(x.ranks, [](const auto& k) { return Time::from_base(k.mean_start_error); }))
      .column("max_start_error",
              column(x.ranks, [](const auto& k) { return Time::from_base(k.max_start_error); }))
      .column("makespan",
              column(x.ranks, [](const auto& k) { return Time::from_base(k.makespan); }))
      .column("busiest_stream",
              column(x.ranks, [](const auto& k) { return Time::from_base(k.busiest_stream); }))
      .column("host_gaps", column(x.ranks, [](const auto& k) { return time_of(k.path.host_gaps); }),
              "host gaps on the critical path")
      .column("launch_delay",
              column(x.ranks, [](const auto& k) { return time_of(k.path.launch_delay); }))
      .column("kernel_gap",
              column(x.ranks, [](const auto& k) { return time_of(k.path.kernel_gap); }))
      .column("other_lag", column(x.ranks, [](const auto& k) { return time_of(k.path.other_lag); }))
      .column("collectives_alone",
              column(x.ranks,
                     [](const auto& k) { return k.partners_are_absent ? k.num_collectives : 0; }),
              "collectives with the wait for other ranks in them")
      .column("collectives_alone_time",
              column(x.ranks,
                     [](const auto& k) {
                       return Time::from_base(k.partners_are_absent ? k.collectives : 0.0);
                     }),
              "their time")
      .column("file", column(x.ranks, [](const auto& k) { return k.identity.name; }))
      .whole();
  std::vector<std::int64_t> rank, number;
  std::vector<Time> measured, simulated;
  std::vector<double> step_error;
  for (const RankReplay& k : x.ranks)
    for (const ReplayedStep& step : k.steps) {
      rank.push_back(k.identity.rank);
      number.push_back(step.number);
      measured.push_back(Time::from_base(step.measured));
      simulated.push_back(Time::from_base(step.simulated));
      step_error.push_back(step.error());
    }
  r.table("steps", "By rank and step (-1: the trace has none, its GPU span)")
      .column("rank", rank)
      .column("step", number)
      .column("measured", measured)
      .column("simulated", simulated)
      .column("error", step_error, "", true);
  present_graphs(r, x.ranks);
}

void describe(verb::Fields& f, CriticalPathRequest& r) {
  f(r.files, "files", "trace of one rank").positional().required().placeholder("FILE");
  f(r.orphans, "orphans", "GPU events whose launch is not in the trace");
  f(r.step, "step", "only within this ProfilerStep");
  f(r.annotation, "annotation", "only within a range of this name");
  f(r.instance, "instance", "the n-th range of that name, from 0").bounds(0.0, 1e9);
  f(r.to, "to", "end at the GPU event of this correlation; default: what ends last");
}

void present(verb::Report& r, const CriticalPathResult& x) {
  r.title("The critical path of " + x.window);
  const PathTimes& t = x.times;
  r.value("total", time_of(t.total()), {.label = "on the critical path", .headline = true});
  r.value("computation", time_of(t.computation), {.label = "kernels that compute"});
  r.value("communication", time_of(t.communication), {.label = "kernels that communicate"});
  r.value("copies", time_of(t.copies), {.label = "copies and fills"});
  r.value("host", time_of(t.host), {.label = "operators and calls of the host", .headline = true});
  r.value("host_gap", time_of(t.host_gaps), {.label = "gaps of the host", .headline = true});
  r.value("launch_delay", time_of(t.launch_delay),
          {.label = "from the call to the start of what it launched", .headline = true});
  r.value("kernel_gap", time_of(t.kernel_gap), {.label = "between work of a stream"});
  r.value("other_lag", time_of(t.other_lag),
          {.label = "work that waited for what the trace does not name"});
  const GraphCounts& n = x.counts;
  r.value("num_stream_events", n.events, {.label = "edges between streams"});
  r.value("num_inferred_stream_events", n.inferred_events, {.label = "of them inferred"});
  r.value("num_synchronisations", n.synchronisations, {.label = "waits of the host for a device"});
  r.value("num_inferred_synchronisations", n.inferred_synchronisations,
          {.label = "of them inferred"});
  r.value("num_against_order", n.against_order,
          {.label = "waits left out, since the measured order contradicts them"});
  r.value("num_outside_window", n.outside_window,
          {.label = "waits for an event whose record is not in the trace"});
  const auto& s = x.segments;
  r.table("segments", "What is on it, in its order")
      .column("kind", column(s, [](const auto& k) { return std::string(kind_name(k.kind)); }))
      .column("name", column(s, [](const auto& k) { return k.name; }))
      .column("processor", column(s, [](const auto& k) { return k.processor; }))
      .column("start", column(s, [](const auto& k) { return time_of(k.start); }))
      .column("duration", column(s, [](const auto& k) { return time_of(k.length); }), "on the path")
      .column("waited_for", column(s, [](const auto& k) { return std::string(kind_name(k.by)); }))
      .column("lag", column(s, [](const auto& k) { return time_of(k.lag); }), "delay before it")
      .column("inferred", column(s, [](const auto& k) { return k.is_inferred; }))
      .column("correlation", column(s, [](const auto& k) { return k.correlation; }));
  verb::Bars bars;
  for (const PathSegment& k : s) {
    if (k.length == 0) continue;
    bars.lane.push_back(k.processor);
    bars.name.push_back(kind_name(k.kind));
    bars.start.push_back(time_of(k.start));
    bars.end.push_back(time_of(k.start + k.length));
  }
  r.timeline("path", "The critical path", bars);
  r.attachment(".trace.json", [&] { return io::chrome_trace(*x.overlay); });
}

void describe(verb::Fields& f, StragglersRequest& r) {
  f(r.files, "files", "traces of one job: files, archives or folders")
      .positional()
      .required()
      .placeholder("FILE|DIR");
  f(r.orphans, "orphans", "GPU events whose launch is not in the trace");
  f(r.power, "power", "draw of one device while it waits, with its share of the node")
      .bounds(0.0 * units::W);
  f(r.carbon_intensity, "carbon_intensity", "of the energy").bounds(0.0 * units::g_per_kWh);
}

void present(verb::Report& r, const StragglersResult& x) {
  r.title("Who the ranks waited for");
  const auto cost = [&](std::string_view prefix, std::int64_t waiting, bool headline) {
    const std::string energy = std::string(prefix) + "energy";
    const std::string carbon = std::string(prefix) + "carbon";
    if (!x.power) {
      r.absent(energy, base::kEnergy, "--power was not given", {.label = "energy of waiting"});
      r.absent(carbon, base::kCarbon, "--power was not given", {.label = "carbon of waiting"});
      return;
    }
    const base::Energy joules = *x.power * time_of(waiting);
    r.value(energy, joules, {.label = "energy of waiting", .headline = headline});
    if (x.carbon_intensity)
      r.value(carbon, *x.carbon_intensity * joules,
              {.label = "carbon of waiting", .headline = headline});
    else
      r.absent(carbon, base::kCarbon, "--carbon-intensity was not given",
               {.label = "carbon of waiting"});
  };
  r.value("num_collectives", static_cast<std::int64_t>(x.collectives.size()),
          {.label = "collectives", .headline = true});
  r.value("collective_kernel", time_of(x.collective_kernel),
          {.label = "in their kernels, over ranks", .headline = true});
  r.value("pure_communication", time_of(x.pure_communication),
          {.label = "of it since the last rank was there", .headline = true});
  r.value("waiting", time_of(x.waiting), {.label = "waiting for the last", .headline = true});
  cost("waiting_", x.waiting, true);
  r.value("num_unmatched", x.unmatched, {.label = "collectives that only one rank has"});
  const auto& c = x.collectives;
  r.table("collectives", "By collective")
      .column("index", column(c, [](const auto& k) { return k.index; }))
      .column("kind", column(c, [](const auto& k) { return k.kind; }))
      .column("group", column(c, [](const auto& k) { return k.group; }))
      .column("number", column(c, [](const auto& k) { return k.number; }), "of its group")
      .column("last_rank", column(c, [](const auto& k) { return k.last_rank; }))
      .column("pure_communication",
              column(c, [](const auto& k) { return time_of(k.pure_communication); }))
      .column("longest", column(c, [](const auto& k) { return time_of(k.longest); }))
      .column("end_skew", column(c, [](const auto& k) { return time_of(k.end_skew); }))
      .column("waiting", column(c, [](const auto& k) { return time_of(k.waiting); }), "over ranks")
      .column("absent_ranks", column(c, [](const auto& k) { return k.absent_ranks; }))
      .whole();
  const auto& ranks = x.ranks;
  r.table("ranks", "By rank")
      .column("rank", column(ranks, [](const auto& k) { return k.rank; }))
      .column("times_last", column(ranks, [](const auto& k) { return k.times_last; }))
      .column("kernels", column(ranks, [](const auto& k) { return time_of(k.kernels); }))
      .column("waiting", column(ranks, [](const auto& k) { return time_of(k.waiting); }))
      .column("clock_offset", column(ranks, [](const auto& k) { return time_of(k.clock_offset); }))
      .whole();
  std::vector<std::string> collective, rank;
  std::vector<Time> waiting;
  for (const Collective& k : c)
    for (const CollectiveCall& call : k.calls) {
      collective.push_back(fmt::format("{} {}", k.index, k.kind));
      rank.push_back(fmt::format("rank {}", call.rank));
      waiting.push_back(time_of(call.waiting));
    }
  r.table("waits", "Waiting by rank and collective")
      .hidden()
      .column("collective", collective)
      .column("rank", rank)
      .column("waiting", waiting);
  r.chart({.key = "waits",
           .title = "Waiting for the last rank",
           .kind = verb::ChartKind::heat_map,
           .x = "waits.collective",
           .y = {"waits.rank"},
           .colour = "waits.waiting"});
}

void register_graph_verbs(verb::Registry& registry) {
  registry.add<ReplayRequest, ReplayResult>(
      {.noun = "trace",
       .name = "replay",
       .heading = verb::Heading::measure,
       .summary = "a trace simulated from its own execution graph, and how much of it is explained",
       .description =
           "Tasks of threads and streams, with the edges between them (launches, streams, events, "
           "threads, synchronisations resolved while simulating), simulated as measured. The "
           "shares say how much of the critical path is host gaps and delays, which are copied "
           "rather than explained. Each rank is replayed alone: the wait for others is in its "
           "collectives.",
       .examples = {{"greenline trace replay rank0.json.gz", "one rank"},
                    {"greenline trace replay job.tar.gz --json", "all ranks of a job"}}},
      replay);
  registry.add<CriticalPathRequest, CriticalPathResult>(
      {.noun = "trace",
       .name = "critical-path",
       .heading = verb::Heading::measure,
       .summary = "what the time of a run hung on: the chain of tasks and waits to its end",
       .description =
           "From the end back, at each task what it was last to wait for: the task before on its "
           "thread or stream, its launch, another stream or thread, or a device. Own times and "
           "delays of the path sum to its length. With `-o FILE.trace.json` the trace with the "
           "path as a lane and arrows, for Perfetto and chrome://tracing.",
       .examples = {{"greenline trace critical-path rank0.json.gz --step 10", "one step"},
                    {"greenline trace critical-path rank0.json.gz -o path.trace.json",
                     "the path over the trace, for Perfetto"}},
       .attachments = {{".trace.json", "the trace with its critical path", ""}}},
      find_critical_path);
  registry.add<StragglersRequest, StragglersResult>(
      {.noun = "trace",
       .name = "stragglers",
       .heading = verb::Heading::measure,
       .summary = "who came last to each collective, and what the waiting for it cost",
       .description =
           "Kernels of collectives run on a rank from when it is there until all are done. What "
           "follows the arrival of the last rank is communication; the rest is waiting. With the "
           "draw of a device and the intensity of its energy also in joules and grams.",
       .examples = {{"greenline trace stragglers job.tar.gz", "all ranks of a job"},
                    {"greenline trace stragglers traces/ --power 400W --carbon-intensity "
                     "380g/kWh --json",
                     "with what the waiting cost"}}},
      stragglers);
}

}  // namespace greenline::trace
