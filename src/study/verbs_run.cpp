#include <algorithm>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "study/run_tables.hpp"
#include "study/study.hpp"
#include "verb/fields.hpp"
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

namespace {

// Beyond what anybody runs, pays or emits; a slip of a prefix stops here.
constexpr Power kMostPower = 1e6 * units::MW;
constexpr double kMostTokens = 1e18;
constexpr base::MoneyRate kMostPrice = 1e6 * units::USD_per_h;
constexpr base::CarbonIntensity kMostIntensity = 2000.0 * units::g_per_kWh;

}  // namespace

void describe(verb::Fields& f, SitePower& p) {
  f(p.wind, "wind", "wind capacity that serves the site hour by hour")
      .bounds(0.0 * units::W, kMostPower);
  f(p.solar, "solar", "solar capacity that serves the site hour by hour")
      .bounds(0.0 * units::W, kMostPower);
  f(p.plan, "plan", "choose wind, solar and a battery for the load of the study (grid size)");
  f(p.size, "size", "how they are chosen");
  // They matter with a plan only, and the plan says which were used; the rare ones stay out of
  // help.
  constexpr std::string_view kShown[] = {
      "charge",   "battery_c_rate", "battery_years", "server_class", "flexible",
      "coverage", "most_wind",      "most_solar",    "most_battery", "most_embodied"};
  for (const auto& field : f.all()) {
    const std::string& name = field->name();
    const std::size_t at = name.rfind("size.");
    if (at == std::string::npos || (at > 0 && name[at - 1] != '.')) continue;
    field->chosen();
    if (std::find(std::begin(kShown), std::end(kShown), name.substr(at + 5)) == std::end(kShown))
      field->hidden();
  }
}

void describe(verb::Fields& f, Site& s) { f(s.power, "power", "the site's own supply"); }

void describe(verb::Fields& f, Option& o) {
  f(o.name, "name", "what the option is called").required();
  f(o.grid, "grid", "another grid");
  f(o.start, "start", "another start");
  f(o.wind, "wind", "another wind capacity").bounds(0.0 * units::W, kMostPower);
  f(o.solar, "solar", "another solar capacity").bounds(0.0 * units::W, kMostPower);
  f(o.devices, "devices", "another number of devices; the strategy is searched again").bounds(1.0);
  f(o.strategy, "strategy", "another strategy");
  f(o.pue, "pue", "another power usage effectiveness").bounds(1.0);
  f(o.goodput, "goodput", "another goodput").positive();
  f(o.tokens, "tokens", "another number of tokens").bounds(1.0, kMostTokens);
}

void describe(verb::Fields& f, StudyRequest& r) {
  plan::describe_workload(f, r.plan);  // the model is the positional, or a study file
  f(r.tokens, "tokens", "tokens to train on").bounds(1.0, kMostTokens).placeholder("15T");
  f(r.steps, "steps", "iterations to train for, instead of --tokens").bounds(1.0);
  f(r.goodput, "goodput", "share of the wall time that trains; lost time draws full power")
      .bounds(0.01, 1.0)
      .source("facility.goodput");
  f(r.pue, "pue", "power usage effectiveness").bounds(1.0, 5.0).source("facility.pue");
  describe(f, r.grid);
  f(r.start, "start", "when the run starts (UTC)");
  f(r.price, "price", "price of one device, like 2.5USD/h")
      .bounds(0.0 * units::USD_per_h, kMostPrice);
  f(r.market_intensity, "market_intensity", "intensity of the site's contractual instruments")
      .bounds(0.0 * units::g_per_kWh, kMostIntensity);
  f(r.amortize, "amortize",
    "embodied carbon over busy hours, or over all hours of the service life");
  f(r.site, "site", "the site");
  f(r.options, "options", "what to compare with");
  f(r.standard_options, "standard_options", "without options of your own, ask the standard ones")
      .chosen();
}

namespace {

template <class Q>
DerivationInput input(std::string symbol, std::string key, const Estimate<Q>& x) {
  return {std::move(symbol), std::move(key), base::AnyQuantity(x.nominal()), x.source()};
}
DerivationInput number(std::string symbol, std::string key, double x, std::string source) {
  return {std::move(symbol), std::move(key), x, std::move(source)};
}

DerivationInput duration_input(const Scenario& s) {
  return input("duration", "duration_s", s.duration);
}
DerivationInput devices_input(const Scenario& s) {
  return number("devices", "devices", static_cast<double>(s.plan.devices), "given");
}
DerivationInput nodes_input(const Scenario& s) {
  return number("nodes", "nodes", s.plan.nodes, "given");
}

// "the fullest device holds 52 GB of the 76 GB that are usable".
std::string memory_sentence(const plan::EstimateResult& p) {
  return fmt::format("the fullest device {} {} of the {} that are usable",
                     p.status == plan::FitStatus::ok ? "holds" : "would need",
                     base::format_quantity(p.memory.total()),
                     base::format_quantity(p.memory.usable()));
}

void present_machine(Report& r, const Scenario& s) {
  r.value("devices", s.plan.devices);
  r.value("nodes", s.plan.nodes);
  r.value("tokens", s.tokens);
  r.value("iterations", s.iterations);
  r.text("model", s.plan.model);
  r.text("system", s.plan.system);
  r.text("strategy", s.plan.strategy_text);
  r.text("grid", s.grid.name);
  r.text("signal", base::enum_name(s.grid.signal));
  r.value("start", s.start);
  r.text("status", plan::status_name(s.plan.status),
         {.label = "memory", .why = memory_sentence(s.plan)});
  if (s.plan.status != plan::FitStatus::ok) {
    r.text("why", s.plan.why, {.label = "what is short"});
    if (s.plan.mend.empty())
      r.absent("mend", {}, "no single change makes it fit", {.label = "smallest mend"});
    else
      r.text("mend", s.plan.mend, {.label = "smallest mend"});
  }
}

void present_headline(Report& r, const Scenario& s) {
  r.value(
      "duration", s.duration,
      {.label = "duration",
       .headline = true,
       .derivation = Derivation{.formula = "iterations × iteration / goodput",
                                .inputs = {number("iterations", "iterations", s.iterations,
                                                  "tokens over the batch, rounded up"),
                                           input("iteration", "iteration.time_s", s.plan.iteration),
                                           input("goodput", "facility.goodput", s.goodput)}}});
  r.value("device_hours", s.device_hours,
          {.label = "device-hours",
           .headline = true,
           .derivation = Derivation{.formula = "devices × duration / 1 h",
                                    .inputs = {devices_input(s), duration_input(s)}}});
  r.value("energy", s.energy,
          {.label = "energy at the meter",
           .headline = true,
           .derivation = Derivation{.formula = "it_energy × pue",
                                    .inputs = {input("it_energy", "it_energy_kwh", s.it_energy),
                                               input("pue", "facility.pue", s.pue)}}});
  r.value("it_energy", s.it_energy,
          {.label = "energy of the machines",
           .derivation = Derivation{
               .formula = "nodes × (node_power + fabric_power) × duration",
               .inputs = {nodes_input(s), input("node_power", "node_power_w", s.node_power),
                          input("fabric_power", "fabric_power_w", s.fabric_power),
                          duration_input(s)}}});
  r.value("mean", s.mean_power,
          {.label = "mean power",
           .headline = true,
           .derivation =
               Derivation{.formula = "energy / duration",
                          .inputs = {input("energy", "energy_kwh", s.energy), duration_input(s)}}});
  r.value("peak", s.peak_power,
          {.label = "peak power",
           .derivation = Derivation{
               .formula = "nodes × (full_node_power + fabric_power) × pue",
               .inputs = {nodes_input(s),
                          input("full_node_power", "node_full_w", s.plan.power.node_full),
                          input("fabric_power", "fabric_power_w", s.fabric_power),
                          input("pue", "facility.pue", s.pue)}}});
}

Derivation total_derivation(const Scenario& s) {
  Derivation d{.formula = "operational + embodied",
               .inputs = {input("operational", "operational.location_kgco2e", s.location),
                          input("embodied", "embodied_kgco2e", s.embodied.total)}};
  if (s.supply.plan) {
    d.formula += " + supply";
    d.inputs.push_back(input("supply", "supply_embodied_kgco2e", s.supply_embodied));
  }
  return d;
}

// Wind, solar and battery that were chosen for the study.
void present_supply(Report& r, const Scenario& s) {
  if (!s.supply.plan) return;
  r.group("site_plan", "The site's own supply, chosen for this load over the hours of the grid",
          [&] { grid::present_plan(r, *s.supply.found); });
}

void present_carbon(Report& r, const Scenario& s, bool has_hours) {
  const bool supplied = s.supply.wind > Power{} || s.supply.solar > Power{};
  r.group("operational", "Operational carbon", [&] {
    // With a supply on a profile the hour is an expectation, not a product.
    const Derivation by_hour{.formula = supplied ? "sum(hours.operational_kgco2e)"
                                                 : "sum(hours.grid_energy_kwh × hours.g_per_kwh)"};
    r.value("location", s.location,
            {.label = "operational carbon, location-based",
             .headline = true,
             .derivation = has_hours ? std::optional<Derivation>(by_hour) : std::nullopt});
    if (s.market)
      r.value("market", *s.market, {.label = "market-based"});
    else
      r.absent("market", base::kCarbon,
               "no contractual instrument is given; --market-intensity states one",
               {.label = "market-based"});
    r.value("mean", s.location / s.energy,
            {.label = "mean intensity of the energy used",
             .derivation =
                 Derivation{.formula = "location / energy",
                            .inputs = {input("location", "operational.location_kgco2e", s.location),
                                       input("energy", "energy_kwh", s.energy)}}});
  });
  r.value(
      "embodied", s.embodied.total,
      {.label = "embodied carbon",
       .headline = true,
       .derivation = Derivation{
           .formula = "(devices × device_embodied + nodes × host_embodied) × duration / (lifetime "
                      "× utilisation)",
           .inputs = {devices_input(s), nodes_input(s),
                      input("device_embodied", "device_embodied_kgco2e", s.embodied.per_device),
                      input("host_embodied", "host_embodied_kgco2e", s.embodied.per_host),
                      duration_input(s), input("lifetime", "server.lifetime", s.embodied.lifetime),
                      input("utilisation", "server.utilisation", s.embodied.utilisation)}}});
  if (s.supply.plan)
    r.value("supply_embodied", s.supply_embodied,
            {.label = "embodied in wind, solar and battery, for the time of the run"});
  r.value("total", s.total,
          {.label = "total carbon", .headline = true, .derivation = total_derivation(s)});
}

void present_cost(Report& r, const Scenario& s, const std::optional<base::MoneyRate>& price) {
  if (!s.cost || !price) {
    r.absent("cost", base::kMoney, "no --price is given", {.label = "cost"});
    return;
  }
  r.value("cost", *s.cost,
          {.label = "cost",
           .headline = true,
           .derivation = Derivation{.formula = "devices × duration × price",
                                    .inputs = {devices_input(s),
                                               duration_input(s),
                                               {"price", "study.price", *price, "given"}}}});
}

void present_per_token(Report& r, const Scenario& s) {
  r.group("per_million_tokens", "Per million tokens", [&] {
    const Estimate<double> millions(s.tokens / 1e6);
    const auto per_million = [&](DerivationInput total) {
      const std::string formula = total.symbol + " / tokens × 1000000";
      return Derivation{
          .formula = formula,
          .inputs = {std::move(total), number("tokens", "tokens", s.tokens, "given")}};
    };
    r.value("energy", s.energy / millions,
            {.derivation = per_million(input("energy", "energy_kwh", s.energy))});
    r.value("carbon", s.total / millions,
            {.label = "carbon, operational and embodied",
             .derivation = per_million(input("total", "total_kgco2e", s.total))});
    if (s.cost)
      r.value("cost", *s.cost / millions,
              {.derivation = per_million(input("cost", "cost_usd", *s.cost))});
    else
      r.absent("cost", base::kMoney, "no --price is given");
  });
}

void present_iteration(Report& r, const plan::EstimateResult& p) {
  r.group("iteration", "Why this long: one iteration", [&] {
    r.value("time", p.iteration,
            {.label = "time", .derivation = Derivation{.formula = "sum(iteration.parts.time_s)"}});
    r.value("tokens", p.tokens, {.label = "tokens in it"});
    r.value("tokens_per_s_per_device", p.tokens_per_s_per_device.nominal().in(units::per_s),
            {.label = "tokens/s of one device"});
    r.value("mfu", p.mfu, {.label = "MFU", .as_percent = true});
    r.value("hfu", p.hfu, {.label = "HFU", .as_percent = true});
    r.text("flop_convention", p.flop_convention, {.label = "FLOP convention"});
    std::vector<std::string> parts;
    std::vector<Time> times;
    std::vector<double> shares;
    for (const plan::TimePart& part : p.parts) {
      parts.push_back(part.name);
      times.push_back(part.time);
      shares.push_back(part.time / p.iteration.nominal());
    }
    r.table("parts", "Where an iteration goes (communication: what computation does not hide)")
        .column("part", parts)
        .column("time", times)
        .column("share", shares, "share", true);
    r.chart({.key = "iteration",
             .title = "Where an iteration goes",
             .kind = ChartKind::bars,
             .x = "iteration.parts.part",
             .y = {"iteration.parts.time"},
             .labels = {"time"},
             .x_label = "",
             .y_label = "time"});
  });
  r.group("memory", "Memory of the fullest device", [&] {
    r.value("weights", p.memory.weights);
    r.value("gradients", p.memory.gradients);
    r.value("optimizer", p.memory.optimizer, {.label = "optimizer state"});
    r.value("activations", p.memory.activations);
    r.value("buffers", p.memory.buffers, {.label = "working buffers"});
    r.value("total", p.memory.total());
    r.value("usable", p.memory.usable());
  });
}

// What a kilogram of the total is made of.

}  // namespace

void present(Report& r, const StudyResult& x) {
  const Scenario& s = x.base;
  r.title(fmt::format("{} tokens of {} on {} × {}", base::format_quantity(s.tokens), s.plan.model,
                      base::shortest(s.plan.nodes), s.plan.system));
  present_headline(r, s);
  present_cost(r, s, x.price);
  present_machine(r, s);
  present_carbon(r, s, x.hours.has_value());
  present_supply(r, s);
  present_composition(r, s);
  present_per_token(r, s);
  present_iteration(r, s.plan);
  present_anchors(r, x);
  present_power_anchors(r, x);
  present_options(r, x);
  present_hours(r, x);
  present_limits(r, x);
  if (x.interrupted) r.notice("interrupted: not every option was evaluated");
}

}  // namespace greenline::study
