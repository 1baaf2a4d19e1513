// Inputs and outputs of `footprint lifecycle` and `footprint sci`.
#include "footprint/lifecycle.hpp"
#include "footprint/sci.hpp"
#include "verb/fields.hpp"
#include "verb/report.hpp"

namespace greenline::footprint {
namespace {

namespace units = base::units;
using verb::DerivationInput;

constexpr double kMostPue = 5;

template <class Q>
DerivationInput input(const char* symbol, const char* key, const base::Estimate<Q>& x) {
  return {symbol, key, base::AnyQuantity(x.nominal()), x.source()};
}

// n/a where nothing was given, which is not 0.
template <class Q>
std::optional<base::Estimate<Q>> only_if(bool is_given, const base::Estimate<Q>& x) {
  return is_given ? std::optional(x) : std::nullopt;
}

void present_phases(verb::Report& r, const LifecycleResult& x) {
  std::vector<std::string> names;
  std::vector<std::optional<base::Estimate<base::Energy>>> energy;
  std::vector<base::Estimate<base::Carbon>> total;
  std::vector<std::optional<base::Estimate<base::Carbon>>> operational, embodied, market;
  std::vector<double> share;
  const double all = x.total.nominal().base_value();
  for (const PhaseResult& phase : x.phases) {
    names.emplace_back(base::enum_name(phase.phase));
    energy.push_back(only_if(phase.has_energy, phase.energy));
    operational.push_back(only_if(phase.has_energy, phase.operational));
    embodied.push_back(only_if(!phase.embodied_why, phase.embodied));
    total.push_back(phase.total);
    market.push_back(phase.market);
    share.push_back(all > 0 ? phase.total.nominal().base_value() / all : 0);
  }
  auto t = r.table("phases", "By phase");
  t.column("phase", names)
      .column("energy", energy)
      .column("operational", operational)
      .column("embodied", embodied)
      .column("total", total)
      .column("share", share, "of the total", true);
  if (x.market_total) t.column("market", market, "operational by contract");
  r.chart({.key = "phases",
           .title = "Carbon by phase",
           .kind = verb::ChartKind::stacked_bars,
           .x = "phases.phase",
           .y = {"phases.operational", "phases.embodied"},
           .labels = {"in use", "in making"}});
}

void present_what_if(verb::Report& r, const WhatIf& w) {
  r.table("by_utilisation", "At another utilisation, for the same work")
      .column("utilisation", w.utilisation, "", true)
      .column("operational", w.operational)
      .column("embodied", w.embodied)
      .column("total", w.total);
  r.chart({.key = "by_utilisation",
           .title = "Carbon of the same work by utilisation of the servers",
           .kind = verb::ChartKind::lines,
           .x = "by_utilisation.utilisation",
           .y = {"by_utilisation.operational", "by_utilisation.embodied", "by_utilisation.total"},
           .labels = {"in use", "in making", "total"}});
  std::vector<double> years;
  for (const base::Time life : w.lifetime) years.push_back(life.in(units::year));
  r.table("by_lifetime", "At another service life")
      .column("years", years)
      .column("embodied", w.lifetime_embodied)
      .column("total", w.lifetime_total);
}

void present_market(verb::Report& r, const LifecycleResult& x) {
  if (x.market_total) {
    r.value("market_operational", *x.market_operational, {.label = "in use, market-based"});
    r.value("market_total", *x.market_total, {.label = "total, market-based"});
    return;
  }
  const char* why = "no contractual instrument was given";
  r.absent("market_operational", base::kCarbon, why, {.label = "in use, market-based"});
  r.absent("market_total", base::kCarbon, why, {.label = "total, market-based"});
}

void present_rebound(verb::Report& r, const LifecycleResult& x) {
  if (!x.rebound) return;
  const Rebound& in = x.rebound_input;
  r.value("rebound", *x.rebound,
          {.label = "growth of demand that ate the savings",
           .headline = true,
           .derivation = verb::Derivation{
               .formula = "(1 - net) ÷ (1 - reduction) ^ periods",
               .inputs = {{"net", "net", base::AnyQuantity(in.net), "given"},
                          {"reduction", "reduction", base::AnyQuantity(in.reduction), "given"},
                          {"periods", "periods", base::AnyQuantity(in.periods), "given"}}}});
}

}  // namespace

void describe(verb::Fields& f, PhaseInput& r) {
  f(r.energy, "energy", "energy of IT equipment in the phase").bounds(0.0 * units::J);
  f(r.device_hours, "device_hours", "devices × hours").bounds(0.0 * units::s);
  f(r.device_power, "device_power", "mean power of a device and its share of the host")
      .bounds(0.0 * units::W);
  f(r.served, "served", "how many of what").placeholder("\"5e9 requests\"");
  f(r.energy_per, "energy_per", "energy of IT equipment for each")
      .placeholder("\"0.28 J/request\"");
  f(r.server_hours, "server_hours", "servers × busy hours").bounds(0.0 * units::s);
  f(r.server, "server", "server of the catalogue whose making is charged").placeholder("NAME");
  f(r.embodied, "embodied", "embodied carbon charged to the phase, instead of server hours")
      .bounds(0.0 * units::gCO2e);
  f(r.utilisation, "utilisation", "share of their life that these servers are busy")
      .bounds(0.01, 1.0);
  f(r.growth, "growth", "what if demand were this many times as large").bounds(0.0, 1e6);
}

void describe(verb::Fields& f, LifecycleRequest& r) {
  describe(f, r.grid);
  f(r.pue, "pue", "power usage effectiveness; facility.pue when left out").bounds(1.0, kMostPue);
  f(r.data, "data", "storage and ingestion");
  f(r.experimentation, "experimentation", "research and search");
  f(r.training, "training", "offline training");
  f(r.online_training, "online_training", "training while serving");
  f(r.inference, "inference", "serving");
  f(r.amortize, "amortize",
    "embodied carbon over busy hours, or over all hours of the service life");
  f(r.lifetime, "lifetime", "service life of the servers; server.lifetime when left out")
      .bounds(1.0 * units::day, 100.0 * units::year);
  f(r.utilisation, "utilisation",
    "share of their life that servers are busy; server.utilisation when left out")
      .bounds(0.01, 1.0);
  f(r.market_intensity, "market_intensity", "intensity of contracted power, for a second total")
      .bounds(0.0 * units::g_per_kWh, 2000.0 * units::g_per_kWh);
  f(r.market_share, "market_share", "share of the energy that contracts cover").bounds(0.0, 1.0);
  f(r.idle_share, "idle_share",
    "power of an idle server relative to its highest, for what-ifs of utilisation")
      .bounds(0.0, 1.0);
  f(r.reduction, "reduction", "saving of the same work in one period, for the rebound")
      .bounds(0.0, 0.999);
  f(r.periods, "periods", "number of periods").bounds(0.0, 1000.0);
  f(r.net, "net", "saving that was seen after all periods").bounds(-1e6, 0.999);
  f(r.construction, "construction", "carbon of building the data centre, charged as it is")
      .bounds(0.0 * units::gCO2e);
  f(r.end_of_life, "end_of_life", "carbon of disposal, charged as it is")
      .bounds(0.0 * units::gCO2e);
}

void present(verb::Report& r, const LifecycleResult& x) {
  r.title("Footprint over the life of a model");
  r.value("total", x.total, {.label = "total, location-based", .headline = true});
  if (x.has_energy)
    r.value("operational", x.operational,
            {.label = "in use, location-based",
             .headline = true,
             .derivation = verb::Derivation{
                 .formula = "energy × intensity",
                 .inputs = {input("energy", "energy_kwh", x.energy),
                            input("intensity", "intensity_g_per_kwh", x.intensity)}}});
  else
    r.absent("operational", base::kCarbon, "no energy was given",
             {.label = "in use, location-based", .headline = true});
  const double total = x.total.nominal().base_value();
  if (x.has_embodied) {
    r.value("embodied", x.embodied, {.label = "in making", .headline = true});
    if (total > 0)
      r.value("embodied_share", x.embodied.nominal().base_value() / total,
              {.label = "of the total in making", .as_percent = true});
  } else {
    r.absent("embodied", base::kCarbon, "neither server hours nor embodied carbon were given",
             {.label = "in making", .headline = true});
  }
  if (x.has_energy) r.value("energy", x.energy, {.label = "energy at the meter of the facility"});
  present_market(r, x);
  r.text("grid", x.grid);
  r.value("intensity", x.intensity, {.label = "mean intensity of the grid"});
  r.value("pue", x.pue, {.label = "power usage effectiveness"});
  r.text("amortize", base::enum_name(x.amortize));
  r.value("utilisation", x.utilisation, {.label = "servers busy", .as_percent = true});
  r.value("lifetime", x.lifetime, {.label = "service life"});
  present_rebound(r, x);
  present_phases(r, x);
  present_what_if(r, x.what_if);
  for (const std::string& what : x.not_included) r.not_included(what);
  r.not_included("offsets: they are never taken off");
}

void describe(verb::Fields& f, SciRequest& r) {
  describe(f, r.grid);
  f(r.functional_unit, "functional_unit", "how many of what the software did")
      .required()
      .placeholder("\"1000 tokens\"");
  f(r.energy, "energy", "energy of IT equipment").bounds(0.0 * units::J);
  f(r.energy_per, "energy_per", "energy for each, added to --energy")
      .placeholder("\"0.3 J/token\"");
  f(r.pue, "pue", "power usage effectiveness; facility.pue when left out").bounds(1.0, kMostPue);
  f(r.server, "server", "server of the catalogue that was reserved").placeholder("NAME");
  f(r.embodied, "embodied", "embodied carbon of the reserved machine, instead of --server")
      .bounds(0.0 * units::gCO2e);
  f(r.reserved, "reserved", "how long it was reserved").bounds(0.0 * units::s).required();
  f(r.lifetime, "lifetime", "its service life; server.lifetime when left out")
      .bounds(1.0 * units::h, 100.0 * units::year);
  f(r.resource_share, "resource_share", "reserved share of its resources").bounds(0.0, 1.0);
}

void present(verb::Report& r, const SciResult& x) {
  r.title("Software carbon intensity");
  r.value("sci", x.per_unit,
          {.label = "carbon of one " + x.noun,
           .headline = true,
           .derivation = verb::Derivation{
               .formula = "(operational + embodied) ÷ units",
               .inputs = {input("operational", "operational_kgco2e", x.operational),
                          input("embodied", "embodied_kgco2e", x.embodied),
                          {"units", "units", base::AnyQuantity(x.units), "given"}}}});
  r.text("unit", x.noun);
  r.value("units", x.units);
  r.value("operational", x.operational, {.label = "E · I"});
  r.value(
      "embodied", x.embodied,
      {.label = "M",
       .headline = true,
       .derivation = verb::Derivation{.formula = "machine × (reserved ÷ lifetime) × resource_share",
                                      .inputs = {input("machine", "machine_kgco2e", x.machine),
                                                 {"reserved", "reserved_s", x.reserved, "given"},
                                                 input("lifetime", "lifetime_s", x.lifetime),
                                                 {"resource_share", "resource_share",
                                                  base::AnyQuantity(x.resource_share), "given"}}}});
  r.value("total", x.total, {.label = "all units together"});
  r.value("machine", x.machine, {.label = "embodied carbon of the machine"});
  r.value("energy", x.energy, {.label = "energy at the meter of the facility"});
  r.text("grid", x.grid);
  r.value("intensity", x.intensity, {.label = "mean intensity of the grid"});
  r.value("pue", x.pue, {.label = "power usage effectiveness"});
  r.value("reserved", x.reserved);
  r.value("lifetime", x.lifetime, {.label = "service life"});
  r.value("resource_share", x.resource_share);
  r.not_included("offsets and contracts for power: the standard forbids both");
}

}  // namespace greenline::footprint
