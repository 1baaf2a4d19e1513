#include "mlperf/tiny.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/statistics.hpp"

namespace greenline::mlperf {

namespace units = base::units;

Score tiny_score(const EnergyTrace& trace, const std::vector<double>& timestamps,
                 const TinyLog& log) {
  constexpr base::Time kShortest = 10.0 * units::s;  // of a window, by the rules
  if (!log.inferences || *log.inferences <= 0)
    throw base::DataError("missing-key", "the log states no iterInfer above 0",
                          "it says how many inferences a window holds", {trace.name, 0, 0});
  Score x;
  x.kind = Kind::tiny;
  x.inferences = log.inferences;
  x.benchmark = log.model;
  x.num_recorded = trace.microjoules.size();
  const double inferences = static_cast<double>(*log.inferences);
  double microjoules = 0;
  std::size_t num_short = 0;
  std::vector<double> per_inference;
  for (const TinyWindow& w : window_energies(trace, timestamps)) {
    if (w.number % 2 != 0) continue;
    if (w.num_samples == 0)
      throw base::DataError("no-samples",
                            fmt::format("the trace ends before window {} at {} s: it is cut off",
                                        w.number, w.begin_s),
                            "", {trace.name, 0, 0});
    per_inference.push_back(w.microjoules / inferences);
    microjoules += w.microjoules;
    x.duration += w.length();
    x.num_samples += w.num_samples;
    num_short += w.length() < kShortest ? 1 : 0;
    x.windows.push_back(w);
  }
  std::sort(per_inference.begin(), per_inference.end());
  x.metric = base::percentile_of_sorted(per_inference, 0.5);
  x.unit = "µJ/inference";
  x.energy = microjoules * 1e-6 * units::J;
  x.average_power = x.energy / x.duration;
  x.sample_period = 1 / trace.sample_rate_hz * units::s;
  // Samples are energies already: the sum is the integral.
  x.native = {x.energy, static_cast<double>(x.num_samples) * x.sample_period, x.sample_period};
  x.native_coverage = std::min(1.0, x.native.covered / x.duration);
  x.performance = inferences * static_cast<double>(x.windows.size()) / x.duration.in(units::s);
  if (x.metric > 0)
    x.samples_per_joule = 1e6 / x.metric;
  else
    x.samples_per_joule_why = "the trace has no energy";
  if (num_short > 0)
    x.notices.push_back(
        fmt::format("{} of {} windows are shorter than 10 s", num_short, x.windows.size()));
  compare_native(x);
  return x;
}

}  // namespace greenline::mlperf
