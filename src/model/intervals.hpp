// Sets of real numbers as sorted intervals: the algebra behind "exposed" and "overlapped".
#pragma once

#include <utility>
#include <vector>

namespace greenline::model {

using Interval = std::pair<double, double>;  // from, to; from <= to

// The union of any intervals: sorted, and none touches the next.
std::vector<Interval> united(std::vector<Interval> intervals);

// Of united intervals.
double length(const std::vector<Interval>& intervals);
double common_length(const std::vector<Interval>& a, const std::vector<Interval>& b);

}  // namespace greenline::model
