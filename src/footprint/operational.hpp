// Energy in use to carbon (GHG Protocol scope 2, location-based), hour by hour.
#pragma once

#include <functional>
#include <vector>

#include "base/estimate.hpp"
#include "footprint/grid_hours.hpp"

namespace greenline::footprint {

// One hour of UTC, or the part of it that a run covers.
struct HourPart {
  base::Instant start;
  base::Time length;
  std::size_t index = 0;  // hour of the grid's series
};
// The hours of [start, start + duration), in order.
void for_each_hour(const GridHours& grid, base::Instant start, base::Time duration,
                   const std::function<void(const HourPart&)>& body);

// A load that is constant in each hour, at the facility meter.
struct OperationalHours {
  base::Series<base::Energy> energy;       // (num_hours); first and last may be part of an hour
  std::vector<CarbonIntensity> intensity;  // (num_hours)
  std::vector<base::Carbon> carbon;        // (num_hours), energy × intensity
  base::Energy total_energy;
  base::Carbon total_carbon;
};

// Constant facility power from `start` for `duration`, cut at the hours of UTC.
OperationalHours operational_hours(const GridHours& grid, base::Instant start, base::Time duration,
                                   base::Power facility_power);

// The same with uncertainty: power and duration draw by draw (a longer run meets other hours),
// times the grid's level. The nominal equals operational_hours().total_carbon. UserError
// "grid-too-short" when the longest draw outlasts a source that is shorter than a year.
base::Estimate<base::Carbon> operational(const GridHours& grid, base::Instant start,
                                         const base::Estimate<base::Time>& duration,
                                         const base::Estimate<base::Power>& facility_power);

}  // namespace greenline::footprint
