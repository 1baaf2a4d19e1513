// Parallel loops whose results do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace greenline::base {

// Limits all loops of the process; 0 means all cores. UserError "bad-threads" outside 0..1024.
// Called by the shells only.
void set_num_threads(int n);
int num_threads();

// body(i) for i in [0, n), in any order on any thread, at least `grain` of them in a row on one
// thread. When several throw, the exception of the lowest i is rethrown.
void parallel_for(std::size_t n, const std::function<void(std::size_t)>& body,
                  std::size_t grain = 1);

}  // namespace greenline::base
