// Inputs and outputs of `footprint device` and `footprint reconcile`.
#include <fmt/format.h>

#include "footprint/device.hpp"
#include "footprint/reconcile.hpp"
#include "verb/fields.hpp"
#include "verb/report.hpp"

namespace greenline::footprint {
namespace {

namespace units = base::units;

void present_models(verb::Report& r, const DeviceResult& x) {
  std::vector<std::string> methods, names, boundaries, excludes, sources, evidence, proxies;
  std::vector<base::Carbon> carbon, low, high;
  for (const DeviceModel& model : x.models) {
    methods.emplace_back(base::enum_name(model.method));
    names.push_back(model.name);
    carbon.push_back(model.carbon);
    low.push_back(model.low);
    high.push_back(model.high);
    boundaries.push_back(model.boundary);
    excludes.push_back(model.excludes);
    sources.push_back(model.source);
    evidence.emplace_back(base::evidence_name(model.evidence));
    proxies.push_back(model.proxy_of);
  }
  r.table("models", "Published models of one device")
      .column("name", names, "model")
      .column("embodied", carbon)
      .column("low", low)
      .column("high", high)
      .column("boundary", boundaries)
      .column("excludes", excludes)
      .column("method", methods)
      .column("evidence", evidence)
      .column("proxy_of", proxies, "figure of")
      .column("source", sources)
      .whole();
  if (x.models.empty()) return;
  r.chart({.key = "models",
           .title = "Embodied carbon of one device by model",
           .kind = verb::ChartKind::bars,
           .x = "models.name",
           .y = {"models.embodied"},
           .labels = {"cradle to gate"}});
}

void value_or_why(verb::Report& r, const char* key, const char* label, bool headline,
                  const std::optional<base::Estimate<base::Carbon>>& x, const std::string& why) {
  const verb::ValueOptions options{.label = label, .headline = headline};
  if (x)
    r.value(key, *x, options);
  else
    r.absent(key, base::kCarbon, why, options);
}

}  // namespace

void describe(verb::Fields& f, DeviceRequest& r) {
  f(r.id, "id", "accelerator of the catalogue").positional().required().placeholder("NAME");
  f(r.devices, "devices", "how many of them, with their share of hosts").bounds(1.0, 1e9);
  f(r.fab, "fab", "whose power made the die, for the fab model: taiwan, usa, korea, solar, …")
      .source("act2022");
  f(r.abatement, "abatement", "share of the gases of the fab that is abated")
      .bounds(0.95, 0.99)
      .source("act2022");
}

void present(verb::Report& r, const DeviceResult& x) {
  r.title("Embodied carbon of " + x.id);
  r.text("id", x.id);
  value_or_why(r, "embodied", "one device", true, x.device, x.why_unknown);
  r.value("devices", x.devices);
  value_or_why(r, "all_devices", "all devices", false, x.all, x.why_unknown);
  r.value("host", x.host, {.label = "their share of hosts, without devices"});
  value_or_why(r, "total", "devices and hosts", true, x.total, x.why_unknown);
  if (x.spread)
    r.value("spread", *x.spread,
            {.label = "largest model by smallest",
             .why = "they draw the boundary in different places"});
  else
    r.absent("spread", {}, "fewer than two models of the device itself",
             {.label = "largest model by smallest"});
  present_models(r, x);
  for (const std::string& what : x.excludes) r.not_included(what);
}

void describe(verb::Fields& f, ReconcileRequest& r) {
  f(r.model, "model", "what the card is of").positional().required().placeholder("CARD.toml");
  f(r.source, "source", "where its figures stand: a citation key or an address").required();
  f(r.device, "device", "accelerator of the catalogue").required().placeholder("NAME");
  f(r.device_hours, "device_hours", "devices × hours").positive().required();
  f(r.devices_per_node, "devices_per_node", "accelerators in one node").bounds(1.0, 1024.0);
  f(r.published, "published", "carbon that the card states").positive().required();
  f(r.published_energy, "published_energy", "energy that the card states").positive();
  f(r.published_total, "published_total", "whole footprint, where the source has one").positive();
  f(r.intensity, "intensity", "carbon intensity that the card used")
      .bounds(0.0 * units::g_per_kWh, 2000.0 * units::g_per_kWh);
  f(r.pue, "pue", "power usage effectiveness; facility.pue when left out").bounds(1.0, 5.0);
  f(r.device_power, "device_power", "power of a device that the card used, instead of its TDP")
      .bounds(0.0 * units::W);
  f(r.grid, "grid", "where it ran: region, country, hourly file").placeholder("REGION|FILE");
  f(r.start, "start", "when it began (UTC); with --duration, hour by hour");
  f(r.duration, "duration", "how long it took").positive();
  f(r.amortize, "amortize",
    "embodied carbon over busy hours, or over all hours of the service life");
}

void present(verb::Report& r, const ReconcileResult& x) {
  r.title("Published footprint of " + x.model);
  r.value("published", x.published, {.label = "published", .headline = true});
  r.value("total", x.total, {.label = "with all steps", .headline = true});
  const WaterfallStep& nearest = x.steps[x.nearest];
  r.text("nearest", nearest.name,
         {.label = "the published figure is nearest to", .why = nearest.what, .headline = true});
  r.value("nearest_difference", x.nearest_difference,
          {.label = "published against that", .as_percent = true});
  if (x.published_total)
    r.value("published_total", *x.published_total, {.label = "published for the whole"});
  r.text("source", x.source);
  r.text("device", x.device);
  r.value("intensity", x.intensity, {.label = "intensity of the first steps"});
  r.value("implied_intensity", *x.implied_intensity,
          {.label = "intensity that the figure implies with devices at rated power"});
  if (x.published_energy_ratio)
    r.value("published_energy_ratio", *x.published_energy_ratio,
            {.label = "published energy by devices at rated power"});
  std::vector<std::string> names, what;
  std::vector<base::Estimate<base::Carbon>> cumulative, change;
  std::vector<double> against;
  for (const WaterfallStep& step : x.steps) {
    names.push_back(step.name);
    what.push_back(step.what);
    cumulative.push_back(step.cumulative);
    change.push_back(step.change);
    against.push_back(x.published / step.cumulative.nominal());
  }
  r.table("steps", "From devices to the whole")
      .column("step", names)
      .column("change", change)
      .column("cumulative", cumulative)
      .column("published_ratio", against, "published by cumulative")
      .column("what", what)
      .whole();
  r.chart({.key = "steps",
           .title = "From devices to the whole",
           .kind = verb::ChartKind::bars,
           .x = "steps.step",
           .y = {"steps.cumulative"},
           .labels = {"up to this step"}});
  if (x.is_intensity_assumed)
    r.notice(
        "the card names no intensity: which step is nearest hangs on the grid that was taken; "
        "implied_intensity_g_per_kwh is what devices at rated power alone would need");
  if (x.grid_step_why) r.not_included("difference of the grid: " + *x.grid_step_why);
  r.not_included("idle nodes, network, storage, failed and earlier runs, building, end of life");
}

}  // namespace greenline::footprint
