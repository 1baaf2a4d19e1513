// When a plan does not fit: the smallest change after which it does.
#pragma once

#include <string>

#include "plan/configuration.hpp"
#include "plan/memory.hpp"

namespace greenline::plan {

// Tries single changes in the order in which they cost time (sequence parallelism, selective
// recomputation, both, ZeRO 1, smaller micro-batch, full recomputation, ZeRO 3, more tensor or
// pipeline parallelism), then all of them on top of each other, then everything (the fastest that
// fits, by a search; not under Compat::korthikanti, which a search does not know). The answer is in
// the words of the command line, "--recompute selective"; "" when nothing fits. Devices and global
// batch stay as they are.
std::string smallest_mend(const Problem& problem, const Configuration& configuration,
                          Compat compat);

}  // namespace greenline::plan
