// MLLOG files of a training result: the run's own log, and the power logs of its nodes and
// switches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mlperf/integral.hpp"

namespace greenline::mlperf {

// `result_*.txt`. The first run_start and the first run_stop count.
struct RunLog {
  std::string name;  // of the file
  std::int64_t start_ns = 0, stop_ns = 0;
  std::string status;     // of run_stop: "success", "aborted"
  std::string benchmark;  // submission_benchmark, "" when the log has none
  std::size_t num_malformed = 0;
  bool is_converged() const { return status == "success"; }
};

// DataError "missing-key" without run_start or run_stop, "bad-mllog" when a time is none or the run
// stops before it starts.
RunLog parse_run_log(std::string_view text, std::string name);

// `power/<result>/node_K.txt` and `sw_K.txt`.
struct PowerLog {
  std::string name;
  std::vector<PowerSample> readings;  // power_reading, by time; equal times in file order
  std::vector<std::uint32_t> lines;   // (num_readings) in the file
  std::optional<std::int64_t> start_ns, stop_ns;  // power_measurement_start, power_measurement_stop
  std::optional<double> conversion_eff;           // of power conversion; absent means 1
  std::optional<double> interconnect_watts;       // interconnect_power_est
  std::size_t num_invalid = 0;                    // readings that are NaN or negative, left out
  std::size_t num_malformed = 0;                  // lines that begin a record and do not end it
  double conversion() const { return conversion_eff.value_or(1.0); }
};

// Of each key but power_reading the first counts. DataError "bad-mllog" with the line for a value
// that is no number or a time that is none.
PowerLog parse_power_log(std::string_view text, std::string name);

// Energy of one log by the rule of the benchmark: mean power over the logging window, times the
// length of the run.
//
//   A = Σ v_i (t_i − t_(i−1)), from power_measurement_start to power_measurement_stop
//   E = conversion_eff · A · run / (stop − start)
//
// Where the stop does not lie behind the start the last reading stands for it
// (`is_degenerate`): this is what published results were computed with. A log without start and
// readings has its interconnect estimate: conversion_eff · estimate · run.
struct LogEnergy {
  base::Energy energy;
  bool is_degenerate = false;    // of its stop
  bool is_interconnect = false;  // an estimate of interconnect power
  std::size_t num_readings = 0;  // in the window
};
// DataError "no-readings" when there is nothing to integrate.
LogEnergy run_energy(const PowerLog& log, base::Time run);

}  // namespace greenline::mlperf
