#include "trace/verbs.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/enum_name.hpp"
#include "trace/breakdown.hpp"
#include "trace/info.hpp"
#include "trace/selftest.hpp"
#include "trace/verbs_graph.hpp"
#include "verb/fields.hpp"
#include "verb/registry.hpp"
#include "verb/report.hpp"

namespace greenline::trace {
namespace {

using base::Time;

Time time_of(std::int64_t ns) { return Time::from_base(static_cast<double>(ns) / 1e9); }
base::Data data_of(std::int64_t bytes) { return base::Data::from_base(static_cast<double>(bytes)); }

// A column of a table from the rows it is about.
template <class Row, class Get>
auto column(const std::vector<Row>& rows, Get get) {
  std::vector<std::decay_t<decltype(get(rows.front()))>> values;
  values.reserve(rows.size());
  for (const Row& row : rows) values.push_back(get(row));
  return values;
}

template <class Row>
void add_times(verb::TableBuilder& table, const std::vector<Row>& rows,
               DeviceTimes Row::*its_times) {
  const auto add = [&](const char* key, std::int64_t DeviceTimes::*part, const char* label = "") {
    table.column(key, column(rows, [&](const Row& row) { return time_of((row.*its_times).*part); }),
                 label);
  };
  add("computation", &DeviceTimes::computation);
  add("exposed_computation", &DeviceTimes::exposed_computation);
  add("overlapped", &DeviceTimes::overlapped);
  add("exposed_communication", &DeviceTimes::exposed_communication);
  add("exposed_memcpy", &DeviceTimes::exposed_memcpy, "exposed copies");
  add("exposed_memset", &DeviceTimes::exposed_memset, "exposed fills");
  add("busy", &DeviceTimes::busy);
  add("idle", &DeviceTimes::idle);
  add("total", &DeviceTimes::total);
}

std::string rank_name(const RankIdentity& identity) {
  return fmt::format("rank {}", identity.rank);
}

void present_ranks(verb::Report& r, const std::vector<RankBreakdown>& ranks) {
  auto table = r.table("ranks", "By rank");
  table.column("rank", column(ranks, [](const auto& x) { return x.identity.rank; }));
  table.column("name", column(ranks, [](const auto& x) { return rank_name(x.identity); }));
  add_times(table, ranks, &RankBreakdown::times);
  table.column("orphans", column(ranks, [](const auto& x) { return x.counts.orphans; }))
      .column("device_events", column(ranks, [](const auto& x) { return x.counts.all; }),
              "GPU events")
      .column("file", column(ranks, [](const auto& x) { return x.identity.name; }))
      .whole();
  r.chart({.key = "ranks",
           .title = "Where the time of each rank went",
           .kind = verb::ChartKind::stacked_bars,
           .x = "ranks.name",
           .y = {"ranks.exposed_computation", "ranks.overlapped", "ranks.exposed_communication",
                 "ranks.exposed_memcpy", "ranks.exposed_memset", "ranks.idle"},
           .labels = {"computation alone", "computation and communication", "communication alone",
                      "copies alone", "fills alone", "idle"},
           .y_label = "s"});
}

struct StepOfRank {
  const RankIdentity* identity;
  std::int64_t number;
  DeviceTimes times;
};

void present_steps(verb::Report& r, const std::vector<RankBreakdown>& ranks) {
  std::vector<StepOfRank> steps;
  for (const RankBreakdown& rank : ranks)
    for (const StepTimes& step : rank.steps)
      steps.push_back({&rank.identity, step.number, step.times});
  auto table = r.table("steps", "By rank and step");
  table.column("rank", column(steps, [](const auto& x) { return x.identity->rank; }))
      .column("step", column(steps, [](const auto& x) { return x.number; }));
  add_times(table, steps, &StepOfRank::times);
}

void present_classes(verb::Report& r, const char* key, const char* title,
                     const std::vector<ClassRow>& rows, const char* number, const char* label) {
  std::int64_t sum = 0;
  for (const ClassRow& row : rows) sum += row.total;
  const auto share = [sum](const ClassRow& x) {
    return sum > 0 ? static_cast<double>(x.total) / static_cast<double>(sum) : 0.0;
  };
  r.table(key, title)
      .column(
          "class",
          column(rows, [](const ClassRow& x) { return std::string(base::enum_name(x.its_class)); }))
      .column(number, column(rows, [](const ClassRow& x) { return x.number; }), label)
      .column("total", column(rows, [](const ClassRow& x) { return time_of(x.total); }))
      .column("share", column(rows, share), "", true);
}

void present_kernels(verb::Report& r, const BreakdownResult& x) {
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(0, x.top));
  const std::vector<KernelRow> rows(
      x.kernels.begin(),
      x.kernels.begin() + static_cast<std::ptrdiff_t>(std::min(most, x.kernels.size())));
  const auto mean = [](const KernelRow& k) {
    return time_of(k.total) / static_cast<double>(k.number);
  };
  r.table("kernels", "Kernels that took longest")
      .column("name", column(rows, [](const KernelRow& k) { return k.name; }))
      .column("class",
              column(rows,
                     [](const KernelRow& k) { return std::string(base::enum_name(k.its_class)); }))
      .column("count", column(rows, [](const KernelRow& k) { return k.number; }))
      .column("total", column(rows, [](const KernelRow& k) { return time_of(k.total); }))
      .column("mean", column(rows, mean))
      .column("min", column(rows, [](const KernelRow& k) { return time_of(k.shortest); }))
      .column("max", column(rows, [](const KernelRow& k) { return time_of(k.longest); }));
  r.value("num_kernels", static_cast<std::int64_t>(x.kernels.size()),
          {.label = "different kernels, copies and fills"});
}

void present_streams(verb::Report& r, const std::vector<RankBreakdown>& ranks) {
  std::vector<std::int64_t> rank, number;
  std::vector<std::string> device, stream;
  std::vector<Time> busy;
  for (const RankBreakdown& x : ranks)
    for (const StreamRow& s : x.streams) {
      rank.push_back(x.identity.rank);
      device.push_back(s.device);
      stream.push_back(s.stream);
      number.push_back(s.number);
      busy.push_back(time_of(s.busy));
    }
  r.table("streams", "By stream")
      .column("rank", rank)
      .column("device", device)
      .column("stream", stream)
      .column("count", number, "GPU events")
      .column("busy", busy);
}

void present_utilisation(verb::Report& r, const std::vector<RankBreakdown>& ranks) {
  std::vector<std::int64_t> rank;
  std::vector<Time> start, window;
  std::vector<double> share;
  for (const RankBreakdown& x : ranks)
    for (std::size_t i = 0; i < x.utilisation.size(); ++i) {
      rank.push_back(x.identity.rank);
      start.push_back(time_of(static_cast<std::int64_t>(i) * x.window));
      window.push_back(time_of(x.window));
      share.push_back(x.utilisation[i]);
    }
  r.table("utilisation", "Share of each window with a kernel on any stream")
      .hidden()
      .column("rank", rank)
      .column("start", start, "from the first GPU event")
      .column("window", window)
      .column("share", share, "", true);
}

verb::Derivation share_of_ranks(const char* part) {
  return {.formula = fmt::format("sum(ranks.{}_s) / sum(ranks.total_s)", part)};
}

void present_shares(verb::Report& r, const std::vector<RankBreakdown>& ranks) {
  const auto sum = [&](std::int64_t DeviceTimes::*part) {
    double total = 0;
    for (const RankBreakdown& x : ranks) total += static_cast<double>(x.times.*part);
    return total;
  };
  const double total = sum(&DeviceTimes::total);
  const auto value = [&](const char* key, const char* label, std::int64_t DeviceTimes::*part,
                         const char* column) {
    if (total > 0)
      r.value(key, sum(part) / total,
              {.label = label,
               .headline = true,
               .as_percent = true,
               .derivation = share_of_ranks(column)});
    else
      r.absent(key, {}, "all GPU events have the same stamp", {.label = label});
  };
  value("computation_share", "of the time computes", &DeviceTimes::computation, "computation");
  value("exposed_communication_share", "only communicates", &DeviceTimes::exposed_communication,
        "exposed_communication");
  value("exposed_memcpy_share", "only copies", &DeviceTimes::exposed_memcpy, "exposed_memcpy");
  value("idle_share", "idle", &DeviceTimes::idle, "idle");
}

void present_info_ranks(verb::Report& r, const std::vector<RankInfo>& ranks) {
  const auto world = [](const RankInfo& x) -> verb::Cell {
    if (x.identity.world_size > 0) return verb::make_cell(x.identity.world_size);
    return verb::Absent{"the file does not say it"};
  };
  const auto devices = [](const RankInfo& x) {
    return fmt::format("{}", fmt::join(x.devices, ", "));
  };
  const auto dirt = [](const RankInfo& x) {
    return static_cast<std::int64_t>(dirt_rows(x).size());
  };
  r.table("ranks", "By rank")
      .column("rank", column(ranks, [](const auto& x) { return x.identity.rank; }))
      .column("world_size", column(ranks, world))
      .column("device", column(ranks, devices))
      .column("events", column(ranks, [](const auto& x) { return x.num_events; }))
      .column("device_events", column(ranks, [](const auto& x) { return x.work.all; }),
              "GPU events")
      .column("orphans", column(ranks, [](const auto& x) { return x.work.orphans; }))
      .column("streams", column(ranks, [](const auto& x) { return x.num_streams; }))
      .column("steps", column(ranks, [](const auto& x) { return x.num_steps; }))
      .column("span",
              column(ranks, [](const auto& x) { return time_of(x.span.second - x.span.first); }))
      .column(
          "device_span",
          column(ranks,
                 [](const auto& x) { return time_of(x.device_span.second - x.device_span.first); }),
          "of it GPU")
      .column("flows", column(ranks, [](const auto& x) { return x.num_flows; }), "arrow ends")
      .column("metadata", column(ranks, [](const auto& x) { return x.num_metadata; }),
              "names of lanes")
      .column("json", column(ranks, [](const auto& x) { return data_of(x.num_bytes); }))
      .column("table", column(ranks, [](const auto& x) { return data_of(x.table_bytes); }),
              "in memory")
      .column("texts", column(ranks, [](const auto& x) { return data_of(x.text_bytes); }))
      .column("kinds_of_dirt", column(ranks, dirt), "kinds of dirt")
      .column("file", column(ranks, [](const auto& x) { return x.identity.name; }))
      .whole();
}

void present_dirt(verb::Report& r, const std::vector<RankInfo>& ranks) {
  std::vector<std::int64_t> rank, number;
  std::vector<std::string> what, treatment;
  for (const RankInfo& x : ranks)
    for (const DirtRow& row : dirt_rows(x)) {
      rank.push_back(x.identity.rank);
      what.push_back(row.what);
      number.push_back(row.number);
      treatment.push_back(row.treatment);
    }
  r.table("dirt", "What is not as it should be")
      .column("rank", rank)
      .column("what", what)
      .column("count", number)
      .column("treatment", treatment);
}

}  // namespace

void describe(verb::Fields& f, InfoRequest& r) {
  f(r.files, "files", "traces of one job: files, archives or folders")
      .positional()
      .required()
      .placeholder("FILE|DIR");
}

void describe(verb::Fields& f, BreakdownRequest& r) {
  f(r.files, "files", "traces of one job: files, archives or folders")
      .positional()
      .required()
      .placeholder("FILE|DIR");
  f(r.orphans, "orphans", "GPU events whose launch is not in the trace");
  f(r.top, "top", "kernels in the table").bounds(0.0, 1e6);
}

void present(verb::Report& r, const BreakdownResult& x) {
  r.title("Where the time of the devices went");
  r.value("num_ranks", static_cast<std::int64_t>(x.ranks.size()), {.label = "ranks"});
  present_shares(r, x.ranks);
  r.text("orphans", base::enum_name(x.orphans), {.label = "orphans"});
  present_ranks(r, x.ranks);
  present_steps(r, x.ranks);
  present_classes(r, "classes", "By class of kernel", x.classes, "count", "kernels");
  present_classes(r, "operators", "By class of the operator that launched it", x.operators, "count",
                  "operators");
  present_kernels(r, x);
  present_streams(r, x.ranks);
  present_utilisation(r, x.ranks);
}

void present(verb::Report& r, const InfoResult& x) {
  r.title("What is in the traces");
  r.value("num_ranks", static_cast<std::int64_t>(x.ranks.size()),
          {.label = "ranks", .headline = true});
  if (x.world_size > 0)
    r.value("world_size", x.world_size, {.label = "of the job"});
  else
    r.absent("world_size", {}, "no file says it", {.label = "of the job"});
  std::int64_t events = 0, orphans = 0, dirt = 0;
  for (const RankInfo& rank : x.ranks) {
    events += rank.num_events;
    orphans += rank.work.orphans;
    dirt += static_cast<std::int64_t>(dirt_rows(rank).size());
  }
  r.value("num_events", events, {.label = "events", .headline = true});
  r.value("num_orphans", orphans, {.label = "orphans"});
  r.value("num_dirt", dirt, {.label = "kinds of dirt, summed over the ranks"});
  present_info_ranks(r, x.ranks);
  const auto kind = [](const CategoryRow& c) { return std::string(kind_name(c.kind)); };
  r.table("categories", "By category, of all ranks")
      .column("category", column(x.categories, [](const CategoryRow& c) { return c.name; }))
      .column("kind", column(x.categories, kind), "taken for")
      .column("count", column(x.categories, [](const CategoryRow& c) { return c.number; }))
      .column("total", column(x.categories, [](const CategoryRow& c) { return time_of(c.total); }));
  present_dirt(r, x.ranks);
}

void register_verbs(verb::Registry& registry) {
  registry.add<InfoRequest, InfoResult>(
      {.noun = "trace",
       .name = "info",
       .heading = verb::Heading::measure,
       .summary = "what is in traces of torch.profiler, and what is wrong with them",
       .description =
           "Ranks, devices, spans, steps, categories and streams of Kineto and Chrome traces, and "
           "every kind of dirt with its number and what becomes of it. Files may be plain, gzip, "
           "zstd, archives or folders; those of one job are read together.",
       .examples = {{"greenline trace info rank0.json.gz", "one rank"},
                    {"greenline trace info traces/ --json", "all ranks of a job"}}},
      info);
  registry.add<BreakdownRequest, BreakdownResult>(
      {.noun = "trace",
       .name = "breakdown",
       .heading = verb::Heading::measure,
       .summary = "computation, communication, copies and idle time of devices, by rank and step",
       .description =
           "Each instant of a rank counts once, by what runs on any stream of its devices: "
           "computation, communication, both, copies alone, or nothing. Also the classes of "
           "kernels and operators, the longest kernels, the streams, and the utilisation of "
           "multiprocessors in windows of 1 ms.",
       .examples = {{"greenline trace breakdown rank0.json.gz", "one rank"},
                    {"greenline trace breakdown job.tar.gz --orphans keep --json",
                     "all ranks, with kernels that were launched before the window"}}},
      breakdown);
  register_graph_verbs(registry);
  register_compare_verbs(registry);
  registry.add_selftest("trace", selftest);
}

}  // namespace greenline::trace
