#include "footprint/sci.hpp"

#include "footprint/functional_unit.hpp"
#include "footprint/lifecycle.hpp"

namespace greenline::footprint {

base::Estimate<base::Carbon> sci_embodied(const base::Estimate<base::Carbon>& machine,
                                          base::Time reserved,
                                          const base::Estimate<base::Time>& lifetime,
                                          double resource_share) {
  return machine * (base::Estimate<base::Time>(reserved) / lifetime) * resource_share;
}

SciResult sci(const SciRequest& request, base::Progress&) {
  const catalog::Catalog facts(request.settings);
  const Counted unit = parse_counted(request.functional_unit, "functional_unit");
  base::Energy it_energy = request.energy;
  if (!request.energy_per.empty()) {
    const EnergyPer per = parse_energy_per(request.energy_per, "energy_per");
    require_same_noun(unit.noun, "functional_unit", per.noun, "energy_per");
    it_energy += per.energy * unit.count;
  }
  const GridHours grid = load_grid(request.grid, facts, request.settings);
  SciResult x;
  x.noun = unit.noun;
  x.units = unit.count;
  x.grid = grid.name;
  x.reserved = request.reserved;
  x.resource_share = request.resource_share;
  x.pue = given_or_fact(request.pue, facts, "facility.pue");
  x.lifetime = given_or_fact(request.lifetime, facts, "server.lifetime");
  x.intensity = mean_intensity(grid);
  x.energy = base::Estimate<base::Energy>(it_energy) * x.pue;
  x.operational = x.energy * x.intensity;
  x.machine = request.embodied ? base::Estimate<base::Carbon>(*request.embodied)
                               : server_embodied(facts, request.server);
  x.embodied = sci_embodied(x.machine, x.reserved, x.lifetime, x.resource_share);
  x.total = x.operational + x.embodied;
  x.per_unit = x.total / x.units;
  return x;
}

}  // namespace greenline::footprint
