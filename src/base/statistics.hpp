// Order statistics.
#pragma once

#include <span>

namespace greenline::base {

// The value below which `share` of the values lie, 0..1, by linear interpolation between order
// statistics. `sorted` ascends and is not empty.
double percentile_of_sorted(std::span<const double> sorted, double share);

// Rank correlation of two equally long lists, ties with their mean rank. NaN for fewer than two
// values, or when all values of one list are equal.
double spearman(std::span<const double> a, std::span<const double> b);

}  // namespace greenline::base
