#include "model/power.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "base/quantity_text.hpp"

namespace greenline::model {
namespace {

namespace units = base::units;
using base::Estimate;
using base::Power;
using catalog::Catalog;

// Loads at which the profiles of data/nodes.csv and data/efficiency.csv were taken.
constexpr std::array<double, 4> kLoads = {0, 0.1, 0.5, 1};
constexpr std::array<const char*, 4> kLoadNames = {"u0", "u10", "u50", "u100"};

// Watts by load, as shares of the watts at full load; linear between the loads of a profile.
class LoadCurve {
 public:
  // Facts `<prefix>_u0`, `_u10`, `_u50`, `_u100`.
  LoadCurve(const Catalog& facts, const std::string& prefix) {
    for (std::size_t i = 0; i < kLoads.size(); ++i)
      watts_[i] = facts.get<Power>(prefix + "_" + kLoadNames[i]).in(units::W);
  }

  double share(double load) const {
    const double u = std::clamp(load, 0.0, 1.0);
    std::size_t i = 1;
    while (i + 1 < kLoads.size() && u > kLoads[i]) ++i;
    const double between = (u - kLoads[i - 1]) / (kLoads[i] - kLoads[i - 1]);
    return (watts_[i - 1] + between * (watts_[i] - watts_[i - 1])) / watts_.back();
  }

 private:
  std::array<double, 4> watts_{};
};

// The node whose power is known for a generation: mean power at about `load` with its devices.
struct Reference {
  Estimate<Power> node;
  double load = 1;
  double devices = 8;
  Power tdp;
};

Reference reference_of(const Catalog& facts, const catalog::System& system) {
  const std::string& generation = system.device.generation;
  const std::string id = generation + ".power_fact";
  if (facts.peek(id) == nullptr) {
    throw base::UserError("no-power",
                          fmt::format("no node power is known for device generation {} of {}",
                                      base::quoted(generation), system.device.id),
                          fmt::format("give {0}.power_fact, {0}.power_load, {0}.power_devices and "
                                      "{0}.power_tdp as an overlay (--catalog DIR)",
                                      generation));
  }
  return {facts.estimate<Power>(facts.text(id)), facts.get<double>(generation + ".power_load"),
          facts.get<double>(generation + ".power_devices"),
          facts.get<Power>(generation + ".power_tdp")};
}

void check_plausible(const catalog::System& system, Power node) {
  if (!system.max_power || node <= *system.max_power) return;
  throw base::UserError(
      "implausible-power",
      fmt::format("a node of {} would draw {}, above its maximum of {}", system.id,
                  base::format_quantity(node), base::format_quantity(*system.max_power)),
      fmt::format("likely cause: {0}.tdp ({1}) or a node power given by --set or an overlay does "
                  "not belong to this node; "
                  "see {2}.power_fact and {3}.max_power",
                  system.device.id, base::format_quantity(system.device.tdp),
                  system.device.generation, system.id));
}

}  // namespace

PowerDraw power_draw(const Catalog& facts, const catalog::System& system,
                     const BusyFractions& busy) {
  const LoadCurve device_curve(facts, "power-curve.device");
  const LoadCurve node_curve(facts, "power-curve.node");
  const Reference reference = reference_of(facts, system);

  PowerDraw draw;
  draw.utilisation = busy.compute + facts.get<double>("power-curve.weight_memory") * busy.memory +
                     facts.get<double>("power-curve.weight_network") * busy.network;
  const auto devices = static_cast<double>(system.devices_per_node);
  const Estimate<double> scale(devices / (reference.devices * node_curve.share(reference.load)),
                               base::Evidence::modelled);
  draw.node_full =
      reference.node * scale + Estimate<Power>(devices * (system.device.tdp - reference.tdp));
  draw.node = draw.node_full *
              Estimate<double>(node_curve.share(draw.utilisation), base::Evidence::modelled);
  // Device and node share one source of doubt, so that a node never has colder devices than it pays
  // for.
  const Estimate<double> level = draw.node / Estimate<Power>(draw.node.nominal());
  draw.device = level * Estimate<Power>(system.device.tdp * device_curve.share(draw.utilisation),
                                        base::Evidence::modelled);
  check_plausible(system, draw.node_full.nominal());
  return draw;
}

NodeCurve::NodeCurve(const Catalog& facts, const catalog::System& system)
    : weight_memory_(facts.get<double>("power-curve.weight_memory")),
      weight_network_(facts.get<double>("power-curve.weight_network")) {
  const double full = power_draw(facts, system, {.compute = 1}).node_full.nominal().in(units::W);
  const LoadCurve curve(facts, "power-curve.node");
  for (std::size_t i = 0; i < kLoads.size(); ++i) watts_[i] = full * curve.share(kLoads[i]);
}

double NodeCurve::watts(double utilisation) const {
  const double u = std::clamp(utilisation, 0.0, 1.0);
  std::size_t i = 1;
  while (i + 1 < kLoads.size() && u > kLoads[i]) ++i;
  const double between = (u - kLoads[i - 1]) / (kLoads[i] - kLoads[i - 1]);
  return watts_[i - 1] + between * (watts_[i] - watts_[i - 1]);
}

bool NodeCurve::waiting_costs() const {
  for (std::size_t i = 1; i < kLoads.size(); ++i) {
    const double slope = (watts_[i] - watts_[i - 1]) / (kLoads[i] - kLoads[i - 1]);
    if (slope < 0 || watts_[i] - slope * kLoads[i] < 0) return false;
  }
  return true;
}

}  // namespace greenline::model
