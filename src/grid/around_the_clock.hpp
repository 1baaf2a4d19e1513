// The smallest battery that, charged at the start, covers every hour of a load ("24/7").
#pragma once

#include <span>

#include "base/quantity.hpp"
#include "grid/battery.hpp"

namespace greenline::grid {

// Without losses and limits: the largest sum of load - supply over any run of hours, in one pass.
// Both (num_hours), MW. Carbon Explorer's heuristic (a battery grown by each shortfall) reaches the
// same number.
base::Energy lossless_around_the_clock(std::span<const double> load_mw,
                                       std::span<const double> supply_mw);

// With the losses and limits of `battery`, whose capacity is ignored: starts full, and the smallest
// capacity for which no hour falls short by more than rounding (1e-9 of the highest load), to a
// part in 1e12. There always is one.
base::Energy around_the_clock(std::span<const double> load_mw, std::span<const double> supply_mw,
                              Battery battery, BatteryStep step = BatteryStep::hour);

// Energy that a full battery leaves to the grid.
base::Energy shortfall(std::span<const double> load_mw, std::span<const double> supply_mw,
                       const BatteryHour& battery);

}  // namespace greenline::grid
