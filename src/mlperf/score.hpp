// What a power measurement of MLPerf says: its metric, and beside it energy as an integral.
//
//   inference  W (Offline, Server, Interactive), J or mJ a query (SingleStream, MultiStream)
//   training   kJ to the target quality, mean of the runs without the fastest and the slowest
//   tiny       µJ an inference, median of the measured windows
//
// The metric is that of the rules (tschand2025, mlperf_training_policies); the native energy is the
// integral of the samples over the window with its edges split (integral.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/enum_name.hpp"
#include "base/quantity.hpp"
#include "base/time.hpp"
#include "mlperf/integral.hpp"
#include "mlperf/tiny_trace.hpp"

namespace greenline::mlperf {

enum class Kind { automatic, inference, training, tiny };
std::span<const base::EnumName> enum_names(Kind);

enum class Scenario { automatic, offline, server, interactive, single_stream, multi_stream };
std::span<const base::EnumName> enum_names(Scenario);
const char* scenario_name(Scenario scenario);  // "SingleStream", as LoadGen writes it
// Any case; nothing for what is no scenario.
std::optional<Scenario> scenario_named(std::string_view name);

// "v3.0": the round that a result was submitted to. 0.0 stands for unknown.
struct Round {
  int major = 0, minor = 0;
  bool is_known() const { return major != 0 || minor != 0; }
  std::string text() const;  // "" when unknown
  auto operator<=>(const Round&) const = default;
};
// "v3.0" or "3.0"; unknown for anything else.
Round round_of(std::string_view text);

struct ScoreOptions {
  Round round;                              // unknown: that of the folder's name
  Scenario scenario = Scenario::automatic;  // automatic: the directory's
  base::Time trace_shift;                   // added to the times of the power samples
};

struct TrainingRun {
  std::string name;  // "result_0"
  base::Time time;   // run_stop - run_start
  base::Energy node_energy, interconnect_energy;
  WindowEnergy native;  // of the nodes, and the interconnect over the whole run
  std::size_t num_nodes = 0, num_switches = 0, num_degenerate = 0;
  std::size_t num_readings = 0;  // in the windows of its logs
  base::Time sample_period;      // mean over its node logs
  base::Time native_length;      // of all node windows together
  std::int64_t start_ns = 0;
  bool is_converged = true;
  bool is_counted = false;  // neither of the fastest nor of the slowest
  base::Energy energy() const { return node_energy + interconnect_energy; }
};

struct Score {
  std::string path;  // of the session's folder
  Kind kind = Kind::inference;
  Round round;
  std::string submitter, system, benchmark, scenario;  // "" where path and logs do not say
  double metric = 0;
  std::string unit;
  std::string formula;           // of the metric, over the values of the result
  base::Power average_power;     // by the rule of the metric
  base::Time duration;           // of the window, the mean run or all windows
  base::Energy energy;           // average_power × duration
  std::size_t num_samples = 0;   // of power that the metric uses
  std::size_t num_recorded = 0;  // of power in the trace
  std::size_t num_invalid = 0;   // NaN, -1 or 0 W inside the window
  base::Time sample_period;      // mean, inside the window
  WindowEnergy native;
  double native_coverage = 0;     // share of the window that samples cover
  std::optional<double> queries;  // of streams
  std::optional<double> samples_per_query;
  std::optional<double> performance;  // samples/s
  std::optional<double> samples_per_joule, tokens_per_joule;
  std::string samples_per_joule_why;
  std::optional<base::Instant> begin;      // unknown for tiny
  double scaling_factor = 1;               // of training
  std::size_t num_dropped = 0;             // at each end, of training
  std::vector<TrainingRun> runs;           // of training, by time
  std::vector<TinyWindow> windows;         // of tiny, the measured ones
  std::optional<std::int64_t> inferences;  // of a window of tiny
  std::vector<std::string> notices;
  // Of the native energy against energy, relative; 0 when energy is 0.
  double native_difference() const;
};

// What the path says of a session: …/<submitter>/results/<system>/<benchmark>/….
struct PathNames {
  std::string submitter, system, benchmark;
  Round round;  // of a folder called "inference_v3.0"
};
PathNames names_of_path(const std::string& folder);

// The parts of the metric that all kinds say alike: notices about the native energy.
void compare_native(Score& score);

}  // namespace greenline::mlperf
