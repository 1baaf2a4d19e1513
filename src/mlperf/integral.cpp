#include "mlperf/integral.hpp"

#include <algorithm>

namespace greenline::mlperf {

WindowEnergy integrate(std::span<const PowerSample> samples, std::int64_t begin_ns,
                       std::int64_t end_ns) {
  constexpr double kSecondsPerNs = 1e-9;
  auto sample =
      std::upper_bound(samples.begin(), samples.end(), begin_ns,
                       [](std::int64_t t, const PowerSample& s) { return t < s.time_ns; });
  // The first sample has no sample before it that says since when it holds.
  if (sample == samples.begin() && sample != samples.end()) ++sample;
  double joules = 0, lost = 0;  // Kahan: a day at 1 kHz has 1e8 terms
  std::int64_t covered = 0, longest = 0;
  for (; sample != samples.end(); ++sample) {
    const std::int64_t since = (sample - 1)->time_ns;
    const std::int64_t from = std::max(since, begin_ns), to = std::min(sample->time_ns, end_ns);
    if (from >= end_ns) break;
    if (to <= from) continue;
    covered += to - from;
    longest = std::max(longest, sample->time_ns - since);
    const double term = sample->watts * (static_cast<double>(to - from) * kSecondsPerNs) - lost;
    const double sum = joules + term;
    lost = (sum - joules) - term;
    joules = sum;
  }
  const auto time = [](std::int64_t ns) {
    return base::Time::from_base(static_cast<double>(ns) * kSecondsPerNs);
  };
  return {base::Energy::from_base(joules), time(covered), time(longest)};
}

}  // namespace greenline::mlperf
