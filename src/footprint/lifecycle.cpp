#include "footprint/lifecycle.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "footprint/functional_unit.hpp"

namespace greenline::footprint {
namespace {

using base::Carbon;
using base::Energy;
using base::Estimate;
namespace units = base::units;

struct Context {
  const catalog::Catalog& facts;
  const LifecycleRequest& request;
  const LifecycleResult& result;
};

std::optional<Energy> it_energy(const PhaseInput& input, const std::string& name) {
  std::optional<Energy> total = input.energy;
  if (input.device_hours.has_value() != input.device_power.has_value())
    throw base::UserError("missing-input",
                          fmt::format("{}: device_hours and device_power go together", name),
                          fmt::format("give {}.energy, or both", name));
  if (input.device_hours)
    total = total.value_or(Energy{}) + *input.device_hours * *input.device_power;
  if (input.served.empty() != input.energy_per.empty())
    throw base::UserError("missing-input",
                          fmt::format("{}: served and energy_per go together", name),
                          fmt::format("give {}.energy, or both", name));
  if (!input.served.empty()) {
    const Counted served = parse_counted(input.served, name + ".served");
    const EnergyPer per = parse_energy_per(input.energy_per, name + ".energy_per");
    require_same_noun(served.noun, name + ".served", per.noun, name + ".energy_per");
    total = total.value_or(Energy{}) + per.energy * served.count;
  }
  return total;
}

void set_embodied(PhaseResult& phase, const PhaseInput& input, const Context& c) {
  if (!input.embodied && !input.server_hours) {
    phase.embodied_why = "no server_hours and no embodied carbon were given";
    return;
  }
  GL_USER_CHECK(!(input.embodied && input.server_hours), "conflicting-inputs",
                fmt::format("{}: embodied is charged as it is and server_hours by their share; "
                            "expected one of them",
                            base::enum_name(phase.phase)));
  if (input.embodied) phase.embodied = Estimate<Carbon>(*input.embodied * input.growth);
  if (!input.server_hours) return;
  const Estimate<double> utilisation =
      c.request.amortize == Amortize::reserved
          ? Estimate<double>(1.0)
          : (input.utilisation ? Estimate<double>(*input.utilisation) : c.result.utilisation);
  phase.utilisation = utilisation;
  phase.embodied = phase.embodied + server_embodied(c.facts, input.server) *
                                        (Estimate<base::Time>(*input.server_hours) /
                                         (c.result.lifetime * utilisation)) *
                                        input.growth;
}

// Empty when the phase has nothing.
std::optional<PhaseResult> phase_of(Phase which, const PhaseInput& input, const Context& c) {
  const std::optional<Energy> energy = it_energy(input, base::enum_name(which));
  if (!energy && !input.server_hours && !input.embodied) return std::nullopt;
  PhaseResult phase;
  phase.phase = which;
  phase.has_energy = energy.has_value();
  phase.energy = Estimate<Energy>(energy.value_or(Energy{}) * input.growth) * c.result.pue;
  phase.operational = phase.energy * c.result.intensity;
  if (c.request.market_intensity) {
    const double share = c.request.market_share;
    phase.market =
        phase.energy * Estimate<base::CarbonIntensity>(*c.request.market_intensity) * share +
        phase.operational * (1 - share);
  }
  set_embodied(phase, input, c);
  phase.total = phase.operational + phase.embodied;
  return phase;
}

void add_totals(LifecycleResult& x) {
  std::vector<Estimate<Energy>> energy;
  std::vector<Estimate<Carbon>> operational, embodied, market;
  for (const PhaseResult& phase : x.phases) {
    x.has_energy |= phase.has_energy;
    x.has_embodied |= !phase.embodied_why;
    energy.push_back(phase.energy);
    operational.push_back(phase.operational);
    embodied.push_back(phase.embodied);
    if (phase.market) market.push_back(*phase.market);
  }
  x.energy = base::sum(energy);
  x.operational = base::sum(operational);
  x.embodied = base::sum(embodied);
  x.total = x.operational + x.embodied;
  for (const auto& more : {x.construction, x.end_of_life})
    if (more) x.total = x.total + Estimate<Carbon>(*more);
  if (market.empty()) return;
  x.market_operational = base::sum(market);
  x.market_total = *x.market_operational + (x.total - x.operational);
}

// What the phases would cost at another utilisation: idle servers draw power too, so the energy of
// the same work goes with (idle + (1 - idle) U) / U, and embodied carbon with 1 / U.
void sweep(LifecycleResult& x, const LifecycleRequest& request) {
  const double idle = request.idle_share;
  const auto per_work = [&](double u) { return (idle + (1 - idle) * u) / u; };
  const double now = x.utilisation.nominal();
  const bool is_busy = request.amortize == Amortize::busy;
  const Carbon rest = x.total.nominal() - x.operational.nominal() - x.embodied.nominal();
  for (int step = 1; step <= 10; ++step) {
    const double u = 0.1 * step;
    WhatIf& w = x.what_if;
    w.utilisation.push_back(u);
    w.operational.push_back(x.operational.nominal() * (per_work(u) / per_work(now)));
    Carbon embodied;
    for (const PhaseResult& phase : x.phases)
      embodied += phase.embodied.nominal() *
                  (is_busy && phase.utilisation ? phase.utilisation->nominal() / u : 1.0);
    w.embodied.push_back(embodied);
    w.total.push_back(w.operational.back() + w.embodied.back() + rest);
  }
  for (int years = 2; years <= 8; ++years) {
    const base::Time life = years * units::year;
    Carbon embodied;
    for (const PhaseResult& phase : x.phases)
      embodied +=
          phase.embodied.nominal() * (phase.utilisation ? x.lifetime.nominal() / life : 1.0);
    x.what_if.lifetime.push_back(life);
    x.what_if.lifetime_embodied.push_back(embodied);
    x.what_if.lifetime_total.push_back(x.operational.nominal() + embodied + rest);
  }
}

void say_not_included(LifecycleResult& x, const std::vector<std::string>& missing) {
  x.not_included = missing;
  for (const PhaseResult& phase : x.phases)
    if (phase.embodied_why)
      x.not_included.push_back(
          fmt::format("making of the servers of {}", base::enum_name(phase.phase)));
  for (const PhaseResult& phase : x.phases)
    if (!phase.has_energy)
      x.not_included.push_back(fmt::format("energy of {}", base::enum_name(phase.phase)));
  if (!x.construction) x.not_included.push_back("construction of the data centre");
  if (!x.end_of_life) x.not_included.push_back("end of life");
}

void set_rebound(LifecycleResult& x, const LifecycleRequest& request) {
  if (request.reduction.has_value() != request.net.has_value())
    throw base::UserError("missing-input", "reduction and net go together",
                          "give the reduction of a period and the net one, or neither");
  if (!request.reduction) return;
  x.rebound_input = {*request.reduction, request.periods, *request.net};
  x.rebound = rebound_factor(x.rebound_input);
}

}  // namespace

std::span<const base::EnumName> enum_names(Phase) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Phase::data), "data", "storage and ingestion"},
      {static_cast<int>(Phase::experimentation), "experimentation", "research and search"},
      {static_cast<int>(Phase::training), "training", "offline training"},
      {static_cast<int>(Phase::online_training), "online_training", "training while serving"},
      {static_cast<int>(Phase::inference), "inference", "serving"}};
  return kNames;
}

double rebound_factor(const Rebound& r) {
  GL_USER_CHECK(r.reduction >= 0 && r.reduction < 1 && r.net < 1 && r.periods >= 0, "out-of-bounds",
                fmt::format("a rebound needs reductions below 1 and at least 0 periods; got {}, {} "
                            "and {} periods",
                            r.reduction, r.net, r.periods));
  return (1 - r.net) / std::pow(1 - r.reduction, r.periods);
}

Estimate<base::CarbonIntensity> mean_intensity(const GridHours& grid) {
  return Estimate<base::CarbonIntensity>(grid.mean(), base::Evidence::measured, grid.source) *
         grid.level;
}

Estimate<Carbon> server_embodied(const catalog::Catalog& facts, const std::string& server) {
  const std::string id = server + ".embodied";
  if (facts.peek(id)) return facts.estimate<Carbon>(id);
  std::vector<std::string> known;
  for (const catalog::Fact& fact : facts.facts())
    if (fact.property() == "embodied") known.push_back(fact.entry());
  const base::UserError nearest = base::unknown_name("server", server, known);
  throw base::UserError("no-embodied", "no embodied carbon: " + nearest.message(),
                        fmt::format("add a fact {} with --catalog", id));
}

LifecycleResult lifecycle(const LifecycleRequest& request, base::Progress&) {
  const catalog::Catalog facts(request.settings);
  const GridHours grid = load_grid(request.grid, facts, request.settings);
  LifecycleResult x;
  x.grid = grid.name;
  x.amortize = request.amortize;
  x.pue = given_or_fact(request.pue, facts, "facility.pue");
  x.utilisation = given_or_fact(request.utilisation, facts, "server.utilisation");
  x.lifetime = given_or_fact(request.lifetime, facts, "server.lifetime");
  x.intensity = mean_intensity(grid);
  x.construction = request.construction;
  x.end_of_life = request.end_of_life;
  const std::array<const PhaseInput*, kNumPhases> inputs = {
      &request.data, &request.experimentation, &request.training, &request.online_training,
      &request.inference};
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < kNumPhases; ++i) {
    const auto which = static_cast<Phase>(i);
    if (auto phase = phase_of(which, *inputs[i], {facts, request, x}))
      x.phases.push_back(std::move(*phase));
    else
      missing.push_back(fmt::format("{}: nothing was given", base::enum_name(which)));
  }
  GL_USER_CHECK(!x.phases.empty(), "missing-input",
                "no phase has an energy, server hours or embodied carbon; expected at least one, "
                "as in --training.energy");
  set_rebound(x, request);
  add_totals(x);
  sweep(x, request);
  say_not_included(x, missing);
  return x;
}

}  // namespace greenline::footprint
