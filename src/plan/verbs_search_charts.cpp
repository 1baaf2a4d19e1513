// Charts of `plan search`.
#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "plan/search_charts.hpp"
#include "verb/report.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using verb::ChartKind;

// A column of a table of rows.
template <class T>
std::vector<T> column(const std::vector<SearchRow>& rows,
                      const std::function<T(const SearchRow&)>& of) {
  std::vector<T> cells;
  cells.reserve(rows.size());
  for (const SearchRow& row : rows) cells.push_back(of(row));
  return cells;
}

// The axes of the map of cells.
struct CellAxes {
  const char *across, *down;              // columns of the table
  const char *across_label, *down_label;  // of the chart
};

// The best of each split into tensor- and pipeline-parallel ranks.
CellAxes add_transformer_axes(verb::TableBuilder& t, const std::vector<SearchRow>& rows) {
  t.column("tensor_parallel",
           column<std::int64_t>(
               rows, [](const auto& c) { return c.configuration.strategy.tensor_parallel; }),
           "tp")
      .column("pipeline_parallel",
              column<std::int64_t>(
                  rows, [](const auto& c) { return c.configuration.strategy.pipeline_parallel; }),
              "pp");
  return {"cells.tensor_parallel", "cells.pipeline_parallel", "tensor parallel",
          "pipeline parallel"};
}

// "fsdp,ddp" of "dense=fsdp8,ddp16;embedding=row128".
std::string kinds_of(const SearchRow& row, std::string_view layer_class) {
  std::string kinds;
  for (const ClassStrategy& c : parse_class_strategy(row.strategy))
    if (c.layer_class == layer_class)
      for (const StrategyLevel& level : c.levels)
        kinds += (kinds.empty() ? "" : ",") + std::string(level_name(level.kind));
  return kinds;
}

// The best of each order of levels, whatever their degrees.
CellAxes add_recommender_axes(verb::TableBuilder& t, const std::vector<SearchRow>& rows) {
  t.column("tables",
           column<std::string>(rows, [](const auto& x) { return kinds_of(x, "embedding"); }))
      .column("dense",
              column<std::string>(rows, [](const auto& x) { return kinds_of(x, "dense"); }));
  return {"cells.tables", "cells.dense", "tables", "MLPs"};
}

void present_cells(verb::Report& r, const SearchResult& x) {
  const auto& rows = x.cells;
  const char* title =
      x.is_recommender() ? "The best of each kind of strategy" : "The best of each tp and pp";
  verb::TableBuilder t = r.table("cells", fmt::format("{} on {} devices", title, x.best->devices));
  const CellAxes axes =
      x.is_recommender() ? add_recommender_axes(t, rows) : add_transformer_axes(t, rows);
  t.column("time", column<base::Time>(rows, [](const auto& c) { return c.time.nominal(); }))
      .column("energy",
              column<base::Energy>(rows, [](const auto& c) { return c.energy.nominal(); }))
      .column("strategy", column<std::string>(rows, short_name))
      .hidden();
  r.chart({.key = "cells",
           .title = title,
           .kind = ChartKind::heat_map,
           .x = axes.across,
           .y = {axes.down},
           .labels = {axes.down_label},
           .x_label = axes.across_label,
           .y_label = axes.down_label,
           .colour = x.objective == Objective::time || x.objective == Objective::cost
                         ? "cells.time"
                         : "cells.energy"});
}

// Configurations by what their tokens cost and how fast they come.
struct Throughput {
  std::string name;
  base::Time device_time;  // of 1e9 tokens
  base::Rate tokens;
  bool is_beaten = false;
};

std::vector<Throughput> throughputs(const SearchResult& x) {
  std::vector<Throughput> all;
  std::set<std::string> seen;
  for (const auto* rows : {&x.pareto, &x.top, &x.cells})
    for (const SearchRow& row : *rows) {
      std::string name = short_name(row);
      if (x.devices.size() > 1) name += fmt::format(" on {}", row.devices);
      if (!seen.insert(name).second) continue;
      const double seconds = 1e9 * static_cast<double>(row.devices) / row.tokens_per_s;
      all.push_back({std::move(name), seconds * units::s, row.tokens_per_s * units::per_s});
    }
  for (Throughput& t : all)
    for (const Throughput& other : all)
      if (other.device_time <= t.device_time && other.tokens >= t.tokens &&
          (other.device_time < t.device_time || other.tokens > t.tokens))
        t.is_beaten = true;
  return all;
}

// Throughput against device time (hsia2024 figure 1): the fastest is not the cheapest.
void present_throughput(verb::Report& r, const SearchResult& x) {
  const char* items = x.is_recommender() ? "samples" : "tokens";
  std::vector<std::string> names;
  std::vector<base::Time> device_times;
  std::vector<base::Rate> rates;
  std::vector<bool> marked;
  for (const Throughput& t : throughputs(x)) {
    names.push_back(t.name);
    device_times.push_back(t.device_time);
    rates.push_back(t.tokens);
    marked.push_back(!t.is_beaten);
  }
  r.table("throughput", "Throughput and device time")
      .column("name", names)
      .column("device_time", device_times, fmt::format("device time of 1e9 {}", items))
      .column("tokens", rates, fmt::format("{} per second", items))
      .column("pareto", marked, "Pareto")
      .hidden();
  r.chart({.key = "throughput",
           .title = "Throughput against device time",
           .kind = ChartKind::scatter,
           .x = "throughput.device_time",
           .y = {"throughput.tokens"},
           .labels = {fmt::format("{} per second", items)},
           .x_label = fmt::format("device time of 1e9 {}", items),
           .y_label = fmt::format("{} per second", items),
           .name = "throughput.name",
           .marked = "throughput.pareto"});
}

std::string key_of(std::string name) {
  for (char& c : name)
    if (c == ' ' || c == '-') c = '_';
  return name;
}

// Time of a part of a row; what an iteration has none of may not be listed.
base::Time time_of(const SearchRow& row, const std::string& part) {
  for (const TimePart& p : row.parts)
    if (p.name == part) return p.time;
  return {};
}

// Names of the parts that some row has, in the order of the longest list.
std::vector<std::string> part_names(const std::vector<SearchRow>& rows) {
  const auto longest = std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.parts.size() < b.parts.size();
  });
  std::vector<std::string> names;
  for (const TimePart& part : longest->parts) names.push_back(part.name);
  for (const SearchRow& row : rows)
    for (const TimePart& part : row.parts)
      if (std::find(names.begin(), names.end(), part.name) == names.end())
        names.push_back(part.name);
  std::erase_if(names, [&](const std::string& name) {
    return std::all_of(rows.begin(), rows.end(),
                       [&](const SearchRow& row) { return time_of(row, name) == base::Time{}; });
  });
  return names;
}

void present_breakdown(verb::Report& r, const std::vector<SearchRow>& rows) {
  verb::Chart chart{.key = "breakdown",
                    .title = "Where the iterations of the best go",
                    .kind = ChartKind::stacked_bars,
                    .x = "breakdown.name",
                    .x_label = "",
                    .y_label = "time"};
  verb::TableBuilder t = r.table("breakdown", "Where the iterations of the best go");
  t.column("name", column<std::string>(rows, short_name)).hidden();
  for (const std::string& name : part_names(rows)) {
    t.column(key_of(name),
             column<base::Time>(rows, [&](const SearchRow& row) { return time_of(row, name); }),
             name);
    chart.y.push_back("breakdown." + key_of(name));
    chart.labels.push_back(name);
  }
  r.chart(chart);
}

void present_memory(verb::Report& r, const std::vector<SearchRow>& rows) {
  const auto kind = [&](base::Data Memory::*member) {
    return column<base::Data>(rows, [&](const SearchRow& row) { return row.memory.*member; });
  };
  r.table("memory", "Memory of the fullest device")
      .column("name", column<std::string>(rows, short_name))
      .column("weights", kind(&Memory::weights))
      .column("gradients", kind(&Memory::gradients))
      .column("optimizer", kind(&Memory::optimizer))
      .column("activations", kind(&Memory::activations))
      .column("buffers", kind(&Memory::buffers))
      .hidden();
  r.chart({.key = "memory",
           .title = "Memory of the fullest device",
           .kind = ChartKind::stacked_bars,
           .x = "memory.name",
           .y = {"memory.weights", "memory.gradients", "memory.optimizer", "memory.activations",
                 "memory.buffers"},
           .labels = {"weights", "gradients", "optimizer state", "activations", "buffers"},
           .x_label = "",
           .y_label = "memory"});
}

template <class T>
std::vector<T> ceiling(const GreenlinePlot& plot, const std::function<T(const GreenlineRow&)>& of) {
  std::vector<T> cells;
  for (const GreenlineRow& row : plot.ceilings) cells.push_back(of(row));
  return cells;
}

void present_greenline_tables(verb::Report& r, const GreenlinePlot& plot) {
  using Some = std::optional<WorkPerCarbon>;
  r.value("ridge", plot.ridge, {.label = "intensity at which the roofline bends"});
  r.table("greenline", "Greenline: useful work per carbon, at most")
      .column("intensity",
              ceiling<base::WorkIntensity>(plot, [](const auto& row) { return row.intensity; }))
      .column("chip", ceiling<WorkPerCarbon>(plot, [](const auto& row) { return row.chip; }))
      .column("node", ceiling<WorkPerCarbon>(plot, [](const auto& row) { return row.node; }))
      .column("site", ceiling<WorkPerCarbon>(plot, [](const auto& row) { return row.site; }))
      .column("cleanest", ceiling<Some>(plot, [](const auto& row) { return row.cleanest; }),
              "cleanest hour")
      .column("dirtiest", ceiling<Some>(plot, [](const auto& row) { return row.dirtiest; }),
              "dirtiest hour")
      .hidden();
  std::vector<std::string> names;
  std::vector<base::WorkIntensity> intensities;
  std::vector<WorkPerCarbon> useful;
  std::vector<bool> marked;
  for (const GreenlinePoint& p : plot.points) {
    names.push_back(p.name);
    intensities.push_back(p.intensity);
    useful.push_back(p.useful);
    marked.push_back(p.is_best);
  }
  r.table("greenline_points", "Greenline: configurations")
      .column("name", names)
      .column("intensity", intensities)
      .column("useful", useful)
      .column("best", marked)
      .hidden();
}

void present_greenline(verb::Report& r, const GreenlinePlot& plot) {
  if (plot.ceilings.empty()) {
    r.notice("no greenline: the grid has no carbon, so that work costs none");
    return;
  }
  present_greenline_tables(r, plot);
  verb::Chart chart{.key = "greenline",
                    .title = "Greenline: useful work per carbon against arithmetic intensity",
                    .kind = ChartKind::log_log,
                    .x = "greenline.intensity",
                    .y = {"greenline.chip", "greenline.node", "greenline.site"},
                    .labels = {"chip (TDP)", "node", "site (PUE)"},
                    .x_label = "arithmetic intensity",
                    .y_label = "useful work per carbon",
                    .name = "greenline_points.name",
                    .marked = "greenline_points.best",
                    .points_x = "greenline_points.intensity",
                    .points_y = "greenline_points.useful"};
  if (plot.site.cleanest) {
    chart.y.emplace_back("greenline.cleanest");
    chart.labels.emplace_back("cleanest hour");
  }
  if (plot.site.dirtiest) {
    chart.y.emplace_back("greenline.dirtiest");
    chart.labels.emplace_back("dirtiest hour");
  }
  r.chart(chart);
}

}  // namespace

void present_charts(verb::Report& r, const SearchResult& x) {
  present_cells(r, x);
  present_throughput(r, x);
  present_breakdown(r, x.top);
  present_memory(r, x.top);
  present_greenline(r, x.greenline);
}

}  // namespace greenline::plan
