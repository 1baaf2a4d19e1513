// Order statistics.
#pragma once

#include <span>

namespace greenline::base {

// The value below which `share` of the values lie, 0..1, by linear interpolation between order
// statistics. `sorted` ascends and is not empty.
double percentile_of_sorted(std::span<const double> sorted, double share);

}  // namespace greenline::base
