// A load that is met by the site's own wind and solar first and by the grid for the rest, hour by
// hour.
#pragma once

#include "footprint/grid_hours.hpp"
#include "grid/residual.hpp"
#include "study/study.hpp"

namespace greenline::study {

// Its own wind and solar, against the grid's hours. UserError "no-hourly-shape" when the grid has
// no such shape.
grid::ResidualModel residual_model(const footprint::GridHours& grid, const SitePower& capacity);

// Location-based carbon of a constant facility power, with uncertainty, draw by draw.
base::Estimate<base::Carbon> carbon_with_supply(const footprint::GridHours& grid,
                                                const SitePower& capacity, base::Instant start,
                                                const base::Estimate<base::Time>& duration,
                                                const base::Estimate<base::Power>& power);

}  // namespace greenline::study
