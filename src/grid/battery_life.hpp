// How long a battery lasts: until it is old or until its cycles are used up, whichever is sooner.
//
//   life = min(calendar years, cycle life / cycles a year)
//   cycle life = N · depth^-k    N full cycles; shallower ones wear less
//
// Cycles are counted by energy drawn, as full discharges of the depth that is used.
#pragma once

#include "base/quantity.hpp"
#include "catalog/catalog.hpp"

namespace greenline::grid {

struct BatteryWear {
  base::Time calendar_life;
  double full_cycles = 0;     // N
  double depth_exponent = 0;  // k
  double cycle_life(double depth_of_discharge) const;
};

// Facts battery.calendar_life, battery.cycle_life and battery.cycle_life_exponent.
BatteryWear battery_wear(const catalog::Catalog& facts);

// `cycles_per_year` at least 0. UserError "bad-battery" for a life, depth or number of cycles that
// cannot be.
base::Time battery_life(const BatteryWear& wear, double depth_of_discharge, double cycles_per_year);

}  // namespace greenline::grid
