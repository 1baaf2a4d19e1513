// What sizing needs to know of the world: hours of one or several years, embodied carbon and lives
// from the catalogue, prices and limits, as the linear program takes them.
#pragma once

#include "catalog/catalog.hpp"
#include "grid/size.hpp"

namespace greenline::grid {

struct SizeSite {
  SiteData first;  // grid and load of --grid
  SiteHours hours;
  std::vector<double> carbon_free_share;  // (num_hours) of the grid; empty when a file has none
};

// Hours of all files after one another; capacity is that of the file with the highest, so that a
// calm year stays calm. UserError as load_site().
SizeSite load_size_site(const SizeRequest& request, const catalog::Catalog& facts);

// Embodied carbon as estimates; `factors` has their nominal values.
struct EmbodiedCarbon {
  base::Estimate<base::CarbonIntensity> wind, solar, battery;  // battery: per kWh of capacity
  base::Estimate<double> server_kg_per_w;
  base::Estimate<base::Time> server_life;
  EmbodiedFactors factors;
  double idle_share = 0;
};

// UserError "unknown-server-class", "missing-input", "size-contradiction".
EmbodiedCarbon embodied_carbon(const SizeRules& rules, const catalog::Catalog& facts);

// Options of the linear program, but for what depends on the life of the battery
// (embodied_kg_per_year): set_costs() fills those in. UserError "bad-deadline",
// "size-contradiction", "missing-input".
SizeOptions size_options(const SizeRules& rules, const EmbodiedCarbon& embodied);
void set_costs(SizeOptions& options, const SizeRules& rules, EmbodiedFactors factors,
               const SiteHours& site, Compat compat, base::Time battery_life);

// "4h=10%" or "none=5%".
FlexibleWork parse_deadline(const std::string& text);

}  // namespace greenline::grid
