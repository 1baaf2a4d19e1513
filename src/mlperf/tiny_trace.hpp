// The energy trace of an EnergyRunner session (MLPerf Tiny):
//
//   trace1-energy.bin       byte F1, float32 sample rate in Hz, then float32 µJ of each sample
//                           period; little-endian
//   trace1-timestamps.json  array of seconds: window k lies between numbers k-1 and k (k from 1)
//   log.txt                 …-key[iterInfer]-val[N]: inferences of a window
//   results.txt             what the runner printed
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"

namespace greenline::mlperf {

struct EnergyTrace {
  std::string name;  // of the file
  double sample_rate_hz = 0;
  std::vector<float> microjoules;  // (num_samples), of each sample period
};

// DataError "bad-trace": another first byte, a size that is no whole number of samples, a rate that
// is not positive, an energy that is not finite.
EnergyTrace parse_energy_trace(std::string_view bytes, std::string name);

// Seconds, ascending. DataError "bad-timestamps" for anything but an array of at least three
// numbers from 0 on that ascend.
std::vector<double> parse_timestamps(std::string_view json, const std::string& name);

struct TinyLog {
  std::optional<std::int64_t> inferences;  // iterInfer, the first
  std::string model;                       // "kws01", "" when the log has none
};
TinyLog parse_tiny_log(std::string_view text);

// What the runner printed: energy of each window in µJ, and the median per inference.
struct TinyResults {
  std::map<std::int64_t, double> window_microjoules;
  std::optional<double> median_microjoules_per_inference;
};
TinyResults parse_tiny_results(std::string_view text);

struct TinyWindow {
  std::int64_t number = 0;  // from 1
  double begin_s = 0, end_s = 0;
  std::size_t num_samples = 0;
  double microjoules = 0;
  base::Time length() const { return (end_s - begin_s) * base::units::s; }
};

// Energy of windows 1 to timestamps.size() - 1. Sample i stands at t_i, accumulated in doubles as
// the runner does (t_0 = 0, t_(i+1) = t_i + 1 / rate), and counts in window k where
// timestamps[k-1] <= t_i < timestamps[k].
std::vector<TinyWindow> window_energies(const EnergyTrace& trace,
                                        const std::vector<double>& timestamps);

}  // namespace greenline::mlperf
