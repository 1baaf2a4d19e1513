// What a load still takes from the grid beside a capacity of wind and solar, and at what carbon,
// hour by hour.
//
// A file of single hours has one supply and one intensity in each hour. A region's profile has a
// mean day for each month with the spread of its days: there the hour is an expectation over 16 ×
// 16 quantiles of wind and solar, because the mean of what is missing is not what is missing from
// the mean. Quantiles are those of a two-piece normal through the 5th percentile, the mean and the
// 95th percentile, scaled to keep the mean and never negative; wind and solar are independent; the
// grid is dirtiest when its wind is lowest (docs/methods/grid.md has the size of what remains).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"
#include "footprint/grid_hours.hpp"
#include "grid/simulate.hpp"

namespace greenline::grid {

struct Residual {
  base::Power from_grid, curtailed;
  base::CarbonRate carbon;  // of what comes from the grid
};

class ResidualModel {
 public:
  // Errors are those of renewable_hours(); `wind_flag` and `solar_flag` name the inputs in
  // messages.
  ResidualModel(const footprint::GridHours& grid, base::Power wind, base::Power solar,
                CapacityBasis basis, std::string_view wind_flag, std::string_view solar_flag);

  // Mean supply of each hour of the grid's data.
  const base::Series<base::Power>& wind() const { return wind_; }
  const base::Series<base::Power>& solar() const { return solar_; }

  // Hours that are alike share a slot: those of one month and hour of a profile, else each its own.
  std::size_t num_slots() const { return slots_.size(); }
  std::size_t slot_of(std::size_t hour) const { return slot_of_hour_[hour]; }
  Residual in_slot(std::size_t slot, base::Power load) const;
  Residual at(std::size_t hour, base::Power load) const { return in_slot(slot_of(hour), load); }

 private:
  struct Slot {
    std::vector<base::Power> wind, solar;          // equally likely, ascending
    std::vector<base::CarbonIntensity> intensity;  // (wind.size()), of the same quantile of wind
  };
  Slot profile_slot(const footprint::GridHours& grid, std::size_t hour) const;

  base::Series<base::Power> wind_, solar_;  // (num_hours)
  std::vector<std::size_t> slot_of_hour_;   // (num_hours)
  std::vector<Slot> slots_;
};

// How far wind and solar on a profile may be from single hours; "" when the grid has single hours.
std::string profile_supply_notice(const footprint::GridHours& grid);

}  // namespace greenline::grid
