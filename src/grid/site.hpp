// A site: its grid, its load, and both hour by hour beside the shape of wind and solar.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/quantity.hpp"
#include "catalog/catalog.hpp"
#include "footprint/grid_hours.hpp"
#include "grid/load.hpp"
#include "grid/simulate.hpp"
#include "grid/site_hours.hpp"

namespace greenline::grid {

// The inputs that every verb with a load has.
struct SiteInput {
  footprint::GridInput grid;
  std::optional<base::Power> load;  // mean; needed unless load_shape is a file, which it scales
  // flat, diurnal, carbon-explorer, a CSV file; "": flat, or the load of `compat`.
  std::string load_shape;
  CapacityBasis capacity_basis = CapacityBasis::window_max;
  Compat compat = Compat::none;
};

struct SiteData {
  footprint::GridHours grid;
  std::string load_shape;              // what was used
  LoadSeries load;                     // (num_hours)
  std::vector<std::size_t> grid_hour;  // (num_hours), the hour of the grid that serves each
  std::vector<base::CarbonIntensity> intensity;  // (num_hours), likewise
};

// UserError "missing-input" (no load), "load-shape", "compat-contradiction", and those of
// load_grid() and read_load().
SiteData load_site(const SiteInput& input, const catalog::Catalog& facts,
                   const base::Settings& settings);

// As arrays for the engines (grid/site_of_grid.hpp).
SiteHours site_hours(const SiteData& site, CapacityBasis basis);

}  // namespace greenline::grid
