// The slow, obvious carbon of a constant load: minute by minute, one look-up each.
#pragma once

#include "footprint/grid_hours.hpp"

namespace greenline::reference {

// `minutes` whole minutes from `start`, which lies on a whole minute: no hour is cut inside a
// minute.
inline base::Carbon operational(const footprint::GridHours& grid, base::Instant start, int minutes,
                                base::Power power) {
  base::Carbon total{};
  for (int m = 0; m < minutes; ++m) {
    const base::Instant minute =
        base::advance(start, 1.0 * base::units::min, static_cast<std::size_t>(m));
    total += power * (1.0 * base::units::min) * grid.intensity_at(minute);
  }
  return total;
}

}  // namespace greenline::reference
