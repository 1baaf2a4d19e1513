// Load against wind and solar, hour by hour (Carbon Explorer, section 3): what is used, what is
// left over, what the grid gives.
#pragma once

#include <span>
#include <vector>

#include "base/quantity.hpp"

namespace greenline::grid {

struct Balance {
  // (num_hours); load = used + from_grid, supply = used + curtailed.
  std::vector<base::Power> used, curtailed, from_grid;
  base::Energy load_energy, renewable_energy, used_energy, curtailed_energy, grid_energy;
  // 1 - Σ max(0, load - supply) / Σ load; 0 when there is no load.
  double coverage() const;

  // One more hour. load - from_grid is used; supply is what was used and curtailed.
  void add(base::Power load, base::Power from_grid_power, base::Power curtailed_power);
};

// Both (num_hours), mean power of each hour, at least 0.
Balance balance(std::span<const base::Power> load, std::span<const base::Power> supply);

}  // namespace greenline::grid
