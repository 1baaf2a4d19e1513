// What a report shows of sizes beside their totals, from hours and estimates that are there
// already.
#pragma once

#include "grid/size.hpp"

namespace greenline::grid {

// Carbon of the load without wind, solar and battery.
void add_grid_only(SizeResult& result);
// One constant at a time at its low and high, widest first; the sizes stay.
void add_tornado(SizeResult& result);
// What each kWh of the load emits, hour by hour, the highest first; 201 points.
void add_duration(SizeResult& result);
// The week whose coverage is nearest to that of all hours.
void choose_week(SizeResult& result);

}  // namespace greenline::grid
