// What stands beside the sizes that a linear program has found: its own schedule checked hour by
// hour, and what dispatches that know less of the future make of the same sizes.
#pragma once

#include "grid/replay.hpp"
#include "grid/size_lp.hpp"

namespace greenline::grid {

// The schedule of an answer through the recursion of the battery, all limits checked. Its grid
// energy includes extra servers without work.
Replay replay(const SiteHours& site, const SizeOptions& options, const SizeAnswer& answer);

// The same design with a battery that takes surplus only and knows no hour, from the same boundary.
Dispatch greedy(const SiteHours& site, const SizeOptions& options, const Design& design,
                base::Power battery_power);

// The same design, when each day is planned with the hours of that day and the next: a linear
// program a day, of which the first day is kept. What is left in the battery after the two days
// counts as saving the lowest intensity of the year, else nothing would be kept for later. The year
// is a circle: the last day sees the first, and the battery starts as it ends.
struct Rolling {
  bool done = false;  // false: stopped, or no state that the year comes back to
  double operational_kg = 0, grid_mwh = 0, discharged_mwh = 0;
};
Rolling rolling(const SiteHours& site, const SizeOptions& options, const SizeAnswer& answer,
                base::Progress& progress);

// Share of the load in hours matched with carbon-free energy, the grid's own share counted for what
// it gives. `carbon_free_share` (num_hours).
double carbon_free_score(const SiteHours& site, const std::vector<double>& carbon_free_share,
                         const std::vector<double>& grid_mw, double load_mwh);

}  // namespace greenline::grid
