// Energy of a window of a power trace.
#pragma once

#include <cstdint>
#include <span>

#include "base/quantity.hpp"

namespace greenline::mlperf {

struct PowerSample {
  std::int64_t time_ns = 0;
  double watts = 0;
};

struct WindowEnergy {
  base::Energy energy;
  base::Time covered;      // of the window, by samples
  base::Time longest_gap;  // between two samples, one of which covers a part of the window
};

// A sample is the mean since the one before it (backward rectangles), so a sample that straddles an
// edge counts with the part inside. What no sample covers counts nothing and is missing from
// `covered`: the time before the first sample and after the last one. `samples` ascend in time;
// samples of equal time have no width. Windows that meet add up. O(log n + samples of the window).
WindowEnergy integrate(std::span<const PowerSample> samples, std::int64_t begin_ns,
                       std::int64_t end_ns);

}  // namespace greenline::mlperf
