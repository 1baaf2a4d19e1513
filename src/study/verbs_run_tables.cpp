#include <fmt/format.h>

#include "study/run_tables.hpp"
#include "verb/report.hpp"

namespace greenline::study {

using base::Carbon;
using base::Energy;
using base::Estimate;
using base::Money;
using base::Power;
using base::Time;
using verb::ChartKind;
using verb::Derivation;
using verb::DerivationInput;
using verb::Report;
namespace units = base::units;

void present_composition(Report& r, const Scenario& s) {
  std::vector<std::string> parts = {"operational", "embodied in accelerators", "embodied in hosts"};
  std::vector<Estimate<Carbon>> amounts = {s.location, s.embodied.devices, s.embodied.hosts};
  if (s.supply.plan)
    parts.emplace_back("embodied in the supply"), amounts.push_back(s.supply_embodied);
  r.table("carbon", "What the carbon is made of").column("part", parts).column("amount", amounts);
  r.chart({.key = "carbon",
           .title = "What the carbon is made of, with 5–95 % intervals",
           .kind = ChartKind::interval_bars,
           .x = "carbon.part",
           .y = {"carbon.amount"},
           .labels = {"carbon"},
           .x_label = "",
           .y_label = "CO2e"});
}

// "anchor.mlperf4-bert-8" is entry mlperf4-bert-8 of the anchors.
std::string short_name(const std::string& id) { return id.substr(id.find('.') + 1); }

void present_anchors(Report& r, const StudyResult& x) {
  std::vector<std::string> ids, bases, models, precisions, systems, strategies, sources, remarks;
  std::vector<base::Rate> measured;
  std::vector<verb::Cell> devices, here, there, gap_here, gap_there;
  for (const AnchorRow& a : x.throughput_anchors) {
    ids.push_back(short_name(a.id));
    bases.emplace_back(a.whole_run ? "whole run" : "training steps");
    models.push_back(a.what);
    precisions.push_back(a.precision);
    systems.push_back(a.system);
    strategies.push_back(a.strategy);
    devices.push_back(a.devices > 0 ? verb::make_cell(a.devices)
                                    : verb::Cell(verb::Absent{"not published"}));
    measured.push_back(a.measured * units::per_s);
    const bool same_model = a.what == x.base.plan.model;
    here.push_back(same_model ? verb::make_cell(a.ours_here * units::per_s)
                              : verb::Cell(verb::Absent{"another model"}));
    // A gap between number formats would say nothing about either.
    const bool same_format = a.precision.empty() || a.precision == x.base.plan.precision;
    gap_here.push_back(
        same_model && same_format
            ? verb::make_cell(a.ours_here / a.measured - 1)
            : verb::Cell(verb::Absent{same_model ? "another number format" : "another model"}));
    const verb::Absent unstated{"its configuration is not stated, or not on a catalogue node"};
    there.push_back(a.ours_there ? verb::make_cell(*a.ours_there * units::per_s)
                                 : verb::Cell(unstated));
    gap_there.push_back(a.ours_there ? verb::make_cell(*a.ours_there / a.measured - 1)
                                     : verb::Cell(unstated));
    remarks.emplace_back(a.same_generation ? "" : "another device generation");
    sources.push_back(a.source);
  }
  r.table("anchors", "Can you believe it: what others measured, tokens/s of one device")
      .column("anchor", ids)
      .column("precision", precisions)
      .column("devices", devices)
      .column("rate_of", bases, "rate of")
      .column("measured_tokens", measured, "measured")
      .column("ours_there_tokens", there, "ours, their setup")
      .column("gap_there", gap_there, "gap", true)
      .column("ours_here_tokens", here, "ours, this study")
      .column("gap_here", gap_here, "gap", true)
      .column("model", models)
      .column("system", systems)
      .column("strategy", strategies)
      .column("source", sources)
      .column("remark", remarks);
}

void present_power_anchors(Report& r, const StudyResult& x) {
  std::vector<std::string> ids, models, systems, sources;
  std::vector<Power> measured, ours;
  std::vector<double> gap;
  for (const AnchorRow& a : x.power_anchors) {
    ids.push_back(short_name(a.id));
    models.push_back(a.what);
    systems.push_back(a.system);
    measured.push_back(a.measured * units::W);
    ours.push_back(a.ours_here * units::W);
    gap.push_back(a.ours_here / a.measured - 1);
    sources.push_back(a.source);
  }
  r.table("power_anchors", "Can you believe it: node watts that others measured while training")
      .column("anchor", ids)
      .column("workload", models)
      .column("system", systems)
      .column("measured", measured)
      .column("ours", ours)
      .column("gap", gap, "gap", true)
      .column("source", sources);
}

void present_options(Report& r, const StudyResult& x) {
  std::vector<std::string> names, status, strategies, changes;
  std::vector<Estimate<Carbon>> delta, total;
  std::vector<Estimate<Energy>> energy;
  std::vector<Estimate<Time>> duration;
  for (const OptionRow& o : x.options) {
    names.push_back(o.name);
    changes.push_back(o.change);
    status.push_back(o.status);
    strategies.push_back(o.scenario.plan.strategy_text);
    delta.push_back(o.delta);
    total.push_back(o.scenario.total);
    energy.push_back(o.delta_energy);
    duration.push_back(o.delta_duration);
  }
  r.table("options", "What would change it: option minus study, paired draw by draw")
      .column("name", names, "option")
      .column("delta", delta, "change of total carbon")
      .column("delta_energy", energy, "change of energy")
      .column("delta_duration", duration, "change of duration")
      .column("total", total, "total carbon")
      .column("status", status)
      .column("change", changes, "what it sets")
      .column("strategy", strategies);
  if (!x.options.empty())
    r.chart({.key = "options",
             .title = "What would change it, with 5–95 % intervals",
             .kind = ChartKind::interval_bars,
             .x = "options.name",
             .y = {"options.delta"},
             .labels = {"change of total carbon"},
             .x_label = "",
             .y_label = "change of CO2e"});
}

void present_hours(Report& r, const StudyResult& x) {
  if (!x.hours) {
    r.absent("hours", {}, "a run longer than ten years is not listed hour by hour");
    return;
  }
  const Hours& h = *x.hours;
  r.table("hours", "Hour by hour (UTC)")
      .hidden()
      .column("start", h.start)
      .column("energy", h.energy)
      .column("grid_energy", h.grid_energy)
      .column("", h.intensity)
      .column("operational", h.carbon);
  r.chart({.key = "hours",
           .title = "Carbon and grid intensity, hour by hour",
           .kind = ChartKind::lines,
           .x = "hours.start",
           .y = {"hours.operational", "hours."},
           .labels = {"operational carbon of the hour", "grid intensity"},
           .x_label = "UTC",
           .y_label = "CO2e"});
}

void present_limits(Report& r, const StudyResult& x) {
  if (!x.base.fabric_known)
    r.not_included("power of the network fabric: no measured figure for this device");
  r.not_included("data preparation, experiments, evaluation and failed runs; storage; inference");
  r.not_included("building the datacentre, networks, end of life, water");
  r.not_included("imports and exports of the grid");
  const bool average = x.base.grid.signal == footprint::Signal::average;
  r.not_included(average
                     ? "what one more kWh would cause: an average signal attributes emissions, "
                       "it does not predict them"
                     : "the share of the grid's emissions that is this run's: a marginal signal "
                       "predicts what one more kWh causes, it does not attribute");
}

}  // namespace greenline::study
