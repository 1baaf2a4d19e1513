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
  // Use that a battery bears until it is old; what cycles more lasts so much shorter.
  double most_cycles_per_year(double depth_of_discharge) const;
};

// Facts battery.calendar_life, battery.cycle_life and battery.cycle_life_exponent. UserError
// "bad-battery" for one that cannot be.
BatteryWear battery_wear(const catalog::Catalog& facts);
void check(const BatteryWear& wear);

}  // namespace greenline::grid
