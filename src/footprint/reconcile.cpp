#include "footprint/reconcile.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "footprint/lifecycle.hpp"
#include "footprint/operational.hpp"

namespace greenline::footprint {
namespace {

using base::Carbon;
using base::CarbonIntensity;
using base::Estimate;
namespace units = base::units;

constexpr double kDevicesOfFact = 8;  // `node_w` is of a node of eight

void check(const ReconcileRequest& r) {
  GL_USER_CHECK(r.intensity || !r.grid.empty(), "missing-input",
                "expected the intensity that the card used, or the grid where it ran");
  GL_USER_CHECK(r.start.has_value() == r.duration.has_value(), "missing-input",
                "start and duration go together");
  GL_USER_CHECK(r.device_hours > base::Time{} && r.published > Carbon{}, "out-of-bounds",
                "device_hours and published: expected more than 0");
}

void add(ReconcileResult& x, std::string name, std::string what, Estimate<Carbon> cumulative) {
  const Estimate<Carbon> change =
      x.steps.empty() ? cumulative : cumulative - x.steps.back().cumulative;
  x.steps.push_back({std::move(name), std::move(what), std::move(cumulative), change});
}

void add_grid(ReconcileResult& x, const ReconcileRequest& r, const std::optional<GridHours>& grid,
              const Estimate<base::Power>& power, const Estimate<base::Energy>& energy) {
  if (!grid) {
    x.grid_step_why = "the grid where it ran was not given";
    return;
  }
  if (r.start) {
    const Estimate<base::Power> facility =
        power * (r.device_hours / *r.duration);  // devices at work, on average
    add(x, "grid", fmt::format("hour by hour on {}", grid->name),
        operational(*grid, *r.start, Estimate<base::Time>(*r.duration), facility));
  } else {
    add(x, "grid", fmt::format("mean of {}; the card says no dates", grid->name),
        energy * mean_intensity(*grid));
  }
}

void find_nearest(ReconcileResult& x) {
  double best = INFINITY;
  for (std::size_t i = 0; i < x.steps.size(); ++i) {
    const double ratio = x.published / x.steps[i].cumulative.nominal();
    if (std::abs(std::log(ratio)) < best) {
      best = std::abs(std::log(ratio));
      x.nearest = i;
      x.nearest_difference = ratio - 1;
    }
  }
}

}  // namespace

ReconcileResult reconcile(const ReconcileRequest& r, base::Progress&) {
  check(r);
  const catalog::Catalog facts(r.settings);
  ReconcileResult x{.model = r.model,
                    .source = r.source,
                    .device = r.device,
                    .published = r.published,
                    .published_total = r.published_total};
  std::optional<GridHours> grid;
  if (!r.grid.empty()) grid = load_grid({.grid = r.grid}, facts, r.settings);
  if (grid) x.grid = grid->name;
  x.intensity = r.intensity ? Estimate<CarbonIntensity>(*r.intensity) : mean_intensity(*grid);
  x.is_intensity_assumed = !r.intensity;
  const base::Power rated =
      r.device_power ? *r.device_power : facts.get<base::Power>(r.device + ".tdp");
  const base::Energy device_energy = r.device_hours * rated;
  add(x, "devices", fmt::format("accelerators at {} W", rated.in(units::W)),
      Estimate<base::Energy>(device_energy) * x.intensity);
  const auto node = facts.estimate<base::Power>(r.device + ".node_w") / kDevicesOfFact;
  const auto node_energy = node * Estimate<base::Time>(r.device_hours);
  add(x, "node", "with their hosts, as nodes are measured", node_energy * x.intensity);
  const Estimate<double> pue = given_or_fact(r.pue, facts, "facility.pue");
  const auto energy = node_energy * pue;
  add(x, "facility", "with cooling and power distribution", energy * x.intensity);
  add_grid(x, r, grid, node * pue, energy);
  const EmbodiedParts made = embodied(facts, r.device, 1, r.devices_per_node,
                                      Estimate<base::Time>(r.device_hours), r.amortize);
  add(x, "embodied", "with making of devices and hosts", x.steps.back().cumulative + made.total);
  x.total = x.steps.back().cumulative;
  x.implied_intensity = r.published / device_energy;
  if (r.published_energy) x.published_energy_ratio = *r.published_energy / device_energy;
  find_nearest(x);
  return x;
}

}  // namespace greenline::footprint
