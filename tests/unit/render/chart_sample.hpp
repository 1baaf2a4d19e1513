// One chart of each kind that has a text form.
#pragma once

#include "unit/render/sample.hpp"

namespace greenline::render {

inline verb::Report chart_report() {
  using namespace base::units;
  using verb::ChartKind;
  verb::Report r;
  r.title("Charts");
  r.timeline("tasks", "Tasks on processors",
             {{"stage 0", "stage 0", "stage 1", "links"},
              {"forward", "backward", "forward", "all-reduce"},
              {0.0 * s, 4.0 * s, 2.0 * s, 6.0 * s},
              {2.0 * s, 8.0 * s, 4.0 * s, 10.0 * s}});
  r.table("parts", "Where time goes")
      .column("strategy", std::vector<std::string>{"ddp", "fsdp"})
      .column("compute", std::vector<base::Time>{6.0 * s, 6.0 * s})
      .column("communication", std::vector<base::Time>{2.0 * s, 6.0 * s});
  r.chart({.key = "parts",
           .title = "Parts of an iteration",
           .kind = ChartKind::stacked_bars,
           .x = "parts.strategy",
           .y = {"parts.compute", "parts.communication"},
           .labels = {"compute", "exposed communication"}});
  r.table("plans", "Plans")
      .column("name", std::vector<std::string>{"tp8", "tp4", "tp2"})
      .column("time", std::vector<base::Time>{1.0 * h, 2.0 * h, 4.0 * h})
      .column("energy", std::vector<base::Energy>{9.0 * MWh, 5.0 * MWh, 8.0 * MWh})
      .column("front", std::vector<bool>{true, true, false});
  r.chart({.key = "plans",
           .title = "Time and energy",
           .kind = ChartKind::scatter,
           .x = "plans.time",
           .y = {"plans.energy"},
           .name = "plans.name",
           .marked = "plans.front"});
  r.table("grid", "Every strategy")
      .column("tensor", std::vector<int>{1, 1, 2, 2})
      .column("pipeline", std::vector<int>{1, 2, 1, 2})
      .column("iteration", std::vector<base::Time>{4.0 * s, 3.0 * s, 2.5 * s, 3.5 * s})
      .hidden();
  r.chart({.key = "grid",
           .title = "Iteration by strategy",
           .kind = ChartKind::heat_map,
           .x = "grid.tensor",
           .y = {"grid.pipeline"},
           .x_label = "tensor parallel",
           .y_label = "pipeline parallel",
           .colour = "grid.iteration"});
  r.table("ceilings", "Ceilings")
      .column("intensity", std::vector<double>{1, 100, 10000})
      .column("chip", std::vector<base::WorkRate>{3.0 * TFLOP_per_s, 300.0 * TFLOP_per_s,
                                                  300.0 * TFLOP_per_s})
      .hidden();
  r.table("work", "Work")
      .column("name", std::vector<std::string>{"matrix products", "attention"})
      .column("intensity", std::vector<double>{400, 20})
      .column("rate", std::vector<base::WorkRate>{200.0 * TFLOP_per_s, 40.0 * TFLOP_per_s})
      .column("shown", std::vector<bool>{true, true})
      .hidden();
  r.chart({.key = "roofline",
           .title = "Roofline",
           .kind = ChartKind::log_log,
           .x = "ceilings.intensity",
           .y = {"ceilings.chip"},
           .labels = {"chip"},
           .x_label = "arithmetic intensity",
           .y_label = "work rate",
           .name = "work.name",
           .marked = "work.shown",
           .points_x = "work.intensity",
           .points_y = "work.rate"});
  return r;
}

inline io::Value chart_document() {
  return make_document(chart_report().take(), sample_provenance(), {});
}

}  // namespace greenline::render
