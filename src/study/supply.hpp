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

// Sizes a supply with `plan` for the mean power of a study: fills in `found` unless it is there for
// this grid, and the sizes. UserError "size-contradiction" (wind or solar given too),
// "no-site-plan" when no sizes keep the limits, "grid-too-short", and those of grid::size().
void plan_supply(const StudyRequest& request, const footprint::GridHours& grid, base::Power mean,
                 SitePower& supply, base::Progress& progress);

// What the planned supply leaves to the grid in an hour of the grid, at its size for `load`.
base::Power planned_grid_power(const SitePower& supply, std::size_t grid_hour, base::Power load);

// Location-based carbon beside a planned supply; its sizes follow the power, draw by draw.
base::Estimate<base::Carbon> carbon_with_plan(const footprint::GridHours& grid,
                                              const SitePower& supply, base::Instant start,
                                              const base::Estimate<base::Time>& duration,
                                              const base::Estimate<base::Power>& power);
// And the making of it, for the time of the run.
base::Estimate<base::Carbon> plan_embodied(const SitePower& supply,
                                           const base::Estimate<base::Time>& duration,
                                           const base::Estimate<base::Power>& power);

}  // namespace greenline::study
