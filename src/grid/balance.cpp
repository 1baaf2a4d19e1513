#include "grid/balance.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace greenline::grid {

double Balance::coverage() const {
  return load_energy.base_value() > 0 ? (load_energy - grid_energy) / load_energy : 0.0;
}

Balance balance(std::span<const base::Power> load, std::span<const base::Power> supply) {
  GL_CHECK_EQ(load.size(), supply.size());
  constexpr base::Time kHour = 1.0 * base::units::h;
  Balance out;
  for (std::vector<base::Power>* hours : {&out.used, &out.curtailed, &out.from_grid})
    hours->reserve(load.size());
  for (std::size_t i = 0; i < load.size(); ++i) {
    const base::Power used = std::min(load[i], supply[i]);
    out.used.push_back(used);
    out.curtailed.push_back(supply[i] - used);
    out.from_grid.push_back(load[i] - used);
    out.load_energy += load[i] * kHour;
    out.renewable_energy += supply[i] * kHour;
    out.used_energy += used * kHour;
    out.curtailed_energy += out.curtailed.back() * kHour;
    out.grid_energy += out.from_grid.back() * kHour;
  }
  return out;
}

}  // namespace greenline::grid
