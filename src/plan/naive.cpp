#include "plan/naive.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "plan/utilisation.hpp"

namespace greenline::plan {

base::Time naive_time(const MeasuredRun& run, double share) {
  const Problem& p = run.problem;
  return executed_flops(p, run.configuration, Compat::none) /
         (static_cast<double>(p.devices) * share * p.machine.matmul_peak);
}

// sum |a_i / share - 1| with a_i = time at the full peak / measured is least where 1 / share is the
// median of 1 / a_i, each weighted by a_i.
std::optional<double> naive_share(std::span<const MeasuredRun> runs) {
  if (runs.size() < 2) return std::nullopt;
  std::vector<double> a;
  double total = 0;
  for (const MeasuredRun& run : runs) total += a.emplace_back(naive_time(run, 1) / run.iteration);
  std::sort(a.begin(), a.end(), std::greater<>());
  double below = 0;
  for (const double value : a) {
    below += value;
    if (2 * below >= total) return value;
  }
  return a.back();
}

}  // namespace greenline::plan
