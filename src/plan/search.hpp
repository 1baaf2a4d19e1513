// Which strategy is fastest: plain enumeration.
#pragma once

#include <cstdint>
#include <optional>

#include "base/progress.hpp"
#include "plan/configuration.hpp"

namespace greenline::plan {

// What the caller has fixed already.
struct SearchLimits {
  std::optional<std::int64_t> micro_batch;
  std::optional<Recompute> recompute;
  std::int64_t interleave = 1;
};

struct SearchOutcome {
  Configuration best;
  bool fits = false;       // false: nothing fits, `best` is the one that is short by least
  std::int64_t tried = 0;  // configurations that could run
  bool interrupted = false;
};

// Every tp x pp x dp = devices (tp divides heads and a node, pp at most the layers)
// with ZeRO 0..3, recomputation none, selective and full, and micro-batches in powers of two;
// sequence parallelism whenever tp > 1. The shortest iteration that fits wins; equal times go to
// the earlier one in that order. UserError "no-strategy" when nothing can run at all.
SearchOutcome search(const Problem& problem, const SearchLimits& limits, base::Progress& progress);

}  // namespace greenline::plan
