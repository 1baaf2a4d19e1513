#include "study/scenario.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "footprint/operational.hpp"
#include "study/supply.hpp"

namespace greenline::study {

using base::Carbon;
using base::Energy;
using base::Estimate;
using base::Evidence;
using base::Power;
using base::Time;
using catalog::Catalog;
using footprint::HourPart;
namespace units = base::units;

namespace {

// A value the user gave is taken at their word; the catalogue's default brings its interval, and is
// listed with the other assumed facts.
Estimate<double> given_or_fact(const std::optional<double>& given, const Catalog& facts,
                               const char* id) {
  if (given) return Estimate<double>(*given, Evidence::assumed, "given");
  return facts.estimate<double>(id);
}

void check_request(const StudyRequest& r) {
  GL_USER_CHECK(r.tokens.has_value() != r.steps.has_value(), "tokens-or-steps",
                r.tokens ? std::string("--tokens and --steps are both given; give one")
                         : std::string("how long is the run? give --tokens (15T) or --steps"));
  GL_USER_CHECK(
      !r.grid.grid.empty(), "missing-input",
      "--grid is missing: a file, a region (ERCO), a country (USA) or a number (380 g/kWh)");
}

plan::EstimateResult plan_of(const StudyRequest& request, const footprint::GridHours& grid,
                             const Estimate<double>& pue, base::Progress& progress) {
  plan::EstimateRequest p = request.plan;
  p.settings = request.settings;
  p.intensity = grid.mean();
  p.pue = pue.nominal();
  return plan::estimate(p, progress);
}

// The calendar of the grid data and of Instant ends long before a run that takes centuries.
void check_duration(const Scenario& s) {
  const Time longest = std::max(s.duration.nominal(), s.duration.high());
  GL_USER_CHECK(longest.in(units::year) < 100, "run-too-long",
                fmt::format("the run would take {}; {} devices are too few for {} tokens",
                            base::format_quantity(s.duration.nominal()), s.plan.devices,
                            base::format_quantity(s.tokens)));
}

void set_duration(Scenario& s, const StudyRequest& request) {
  if (request.tokens) {
    s.iterations = std::ceil(*request.tokens / s.plan.tokens);
    s.tokens = *request.tokens;
  } else {
    s.iterations = static_cast<double>(*request.steps);
    s.tokens = s.iterations * s.plan.tokens;
  }
  s.duration = Estimate<double>(s.iterations) * s.plan.iteration / s.goodput;
  s.device_hours = Estimate<double>(static_cast<double>(s.plan.devices)) * s.duration /
                   Estimate<Time>(1.0 * units::h);
  check_duration(s);
}

// Lost time draws the same power as training: devices wait at full clocks, or repeat lost steps.
void set_power(Scenario& s, const Catalog& facts, const std::string& device) {
  s.node_power = s.plan.power.node;
  const std::string fabric = device + ".interconnect_w";
  s.fabric_known = facts.peek(fabric) != nullptr;
  s.fabric_power = s.fabric_known ? facts.estimate<Power>(fabric)
                                  : Estimate<Power>(Power{}, Evidence::assumed, "unknown");
  const Estimate<double> nodes(s.plan.nodes);
  s.it_power = nodes * (s.node_power + s.fabric_power);
  s.mean_power = s.it_power * s.pue;
  s.peak_power = nodes * (s.plan.power.node_full + s.fabric_power) * s.pue;
  s.it_energy = s.it_power * s.duration;
  s.energy = s.mean_power * s.duration;
}

}  // namespace

Scenario evaluate(const StudyRequest& request, const Catalog& facts, base::Progress& progress) {
  check_request(request);
  Scenario s;
  s.grid = footprint::load_grid(request.grid, facts, request.settings);
  s.start = request.start.value_or(s.grid.intensity.start);
  s.supply = request.site.power;
  s.goodput = given_or_fact(request.goodput, facts, "facility.goodput");
  s.pue = given_or_fact(request.pue, facts, "facility.pue");
  s.plan = plan_of(request, s.grid, s.pue, progress);
  const catalog::System system = catalog::system(facts, s.plan.system);
  set_duration(s, request);
  set_power(s, facts, system.device.id);

  const bool planned = s.supply.plan;
  if (planned) plan_supply(request, s.grid, s.mean_power.nominal(), s.supply, progress);
  const bool supplied = s.supply.wind > Power{} || s.supply.solar > Power{};
  s.location = planned    ? carbon_with_plan(s.grid, s.supply, s.start, s.duration, s.mean_power)
               : supplied ? carbon_with_supply(s.grid, s.supply, s.start, s.duration, s.mean_power)
                          : footprint::operational(s.grid, s.start, s.duration, s.mean_power);
  if (request.market_intensity)
    s.market = s.energy * Estimate<base::CarbonIntensity>(*request.market_intensity,
                                                          Evidence::assumed, "given");
  s.embodied = footprint::embodied(facts, system.device.id, s.plan.devices, s.plan.devices_per_node,
                                   s.duration, request.amortize);
  s.total = s.location + s.embodied.total;
  if (planned) {
    s.supply_embodied = plan_embodied(s.supply, s.duration, s.mean_power);
    s.total = s.total + s.supply_embodied;
  }
  if (request.price)
    s.cost = Estimate<double>(static_cast<double>(s.plan.devices)) * s.duration *
             Estimate<base::MoneyRate>(*request.price, Evidence::assumed, "given");
  return s;
}

Hours hours_of(const Scenario& s) {
  Hours hours;
  const Power power = s.mean_power.nominal();
  std::optional<grid::ResidualModel> model;  // none of a plan, whose battery has a past
  if (!s.supply.plan) model = residual_model(s.grid, s.supply);
  for_each_hour(s.grid, s.start, s.duration.nominal(), [&](const HourPart& hour) {
    grid::Residual residual;
    if (model) {
      residual = model->at(hour.index, power);
    } else {
      residual.from_grid = planned_grid_power(s.supply, hour.index, power);
      residual.carbon = residual.from_grid * s.grid.intensity.values[hour.index];
    }
    hours.start.push_back(hour.start);
    hours.energy.push_back(power * hour.length);
    hours.grid_energy.push_back(residual.from_grid * hour.length);
    hours.intensity.push_back(s.grid.intensity.values[hour.index]);
    hours.carbon.push_back(residual.carbon * hour.length);
  });
  return hours;
}

}  // namespace greenline::study
