// The baseline that every measured table is held against: a fixed share of the peak.
#pragma once

#include <optional>
#include <span>

#include "base/quantity.hpp"
#include "plan/validation.hpp"

namespace greenline::plan {

// FLOP that the run executes / (devices x peak x share).
base::Time naive_time(const MeasuredRun& run, double share);

// The one share with the least mean relative error over these runs: the best that the baseline can
// be, chosen with the measured times in hand. None for fewer than two runs: it would repeat the
// one.
std::optional<double> naive_share(std::span<const MeasuredRun> runs);

}  // namespace greenline::plan
