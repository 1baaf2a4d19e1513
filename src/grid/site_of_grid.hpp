// A site's hours from a grid and a load.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "footprint/grid_hours.hpp"
#include "grid/load.hpp"
#include "grid/simulate.hpp"
#include "grid/site_hours.hpp"

namespace greenline::grid {

// A load on a grid. Shares are 0 throughout where the grid has no such generation; days are local
// where the grid names its time zone, else UTC. UserError "no-single-hours" for a profile, whose
// mean days hide what a battery is for; "grid-too-short" when the load leaves the grid's hours.
SiteHours site_hours(const footprint::GridHours& grid, const LoadSeries& load, CapacityBasis basis);

// Bounds of the days (num_days + 1) of hours that begin at `start`; "" means UTC.
std::vector<std::size_t> day_bounds(base::Instant start, std::size_t num_hours,
                                    const std::string& timezone);

// The first hours of a site, with shares as they are.
SiteHours first_hours(const SiteHours& site, std::size_t num_hours);

}  // namespace greenline::grid
