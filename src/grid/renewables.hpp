// Hourly output of wind or solar of a given capacity, after the shape of the grid's own generation.
#pragma once

#include <string_view>

#include "base/quantity.hpp"
#include "base/time.hpp"
#include "footprint/grid_hours.hpp"
#include "grid/simulate.hpp"

namespace greenline::grid {

// (num_hours of the grid). `flag` and `fuel` name the two in messages: "--wind", "WND".
// UserError "no-hourly-shape" when the grid has no such series or it is 0 throughout;
// "no-single-hours" for p99_9 on a profile.
base::Series<base::Power> renewable_hours(const footprint::GridHours& grid,
                                          const base::Series<base::Power>& generation,
                                          base::Power capacity, CapacityBasis basis,
                                          std::string_view flag, std::string_view fuel);

}  // namespace greenline::grid
