#include "grid/balance.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace greenline::grid {

double Balance::coverage() const {
  return load_energy.base_value() > 0 ? (load_energy - grid_energy) / load_energy : 0.0;
}

void Balance::add(base::Power load, base::Power from_grid_power, base::Power curtailed_power) {
  constexpr base::Time kHour = 1.0 * base::units::h;
  const base::Power used_power = load - from_grid_power;
  used.push_back(used_power);
  curtailed.push_back(curtailed_power);
  from_grid.push_back(from_grid_power);
  load_energy += load * kHour;
  renewable_energy += (used_power + curtailed_power) * kHour;
  used_energy += used_power * kHour;
  curtailed_energy += curtailed_power * kHour;
  grid_energy += from_grid_power * kHour;
}

Balance balance(std::span<const base::Power> load, std::span<const base::Power> supply) {
  GL_CHECK_EQ(load.size(), supply.size());
  Balance out;
  for (std::size_t i = 0; i < load.size(); ++i)
    out.add(load[i], std::max(base::Power{}, load[i] - supply[i]),
            std::max(base::Power{}, supply[i] - load[i]));
  return out;
}

}  // namespace greenline::grid
