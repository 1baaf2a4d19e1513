#include "mlperf/training_log.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"
#include "mlperf/log_text.hpp"
#include "mlperf/mllog.hpp"

namespace greenline::mlperf {
namespace {

[[noreturn]] void refuse(const std::string& name, std::uint32_t line, std::string_view key,
                         const char* expected, std::string_view got) {
  throw base::DataError("bad-mllog",
                        fmt::format("{}: expected {}, got {}", key, expected, base::quoted(got)),
                        "", {name, line, 0});
}

std::int64_t time_of(const MllogRecord& r, const std::string& name, std::uint32_t line) {
  const auto time = milliseconds_ns(r.time_ms);
  if (!time) refuse(name, line, r.key, "milliseconds since 1970 as time_ms", r.time_ms);
  return *time;
}

double number_of(const MllogRecord& r, const std::string& name, std::uint32_t line) {
  const auto number = decimal(value_text(r.value));
  if (!number) refuse(name, line, r.key, "a number", r.value);
  return *number;
}

// A factor or a power, which can't be below 0 or endless.
void set_once(std::optional<double>& member, const MllogRecord& r, const std::string& name,
              std::uint32_t line) {
  if (member) return;
  const double number = number_of(r, name, line);
  if (!std::isfinite(number) || number < 0)
    refuse(name, line, r.key, "a finite number from 0 on", r.value);
  member = number;
}

// Calls body(record, line number) for every record of a text; returns the number of broken ones.
template <class Body>
std::size_t for_each_record(std::string_view text, Body&& body) {
  std::size_t num_malformed = 0;
  MllogRecord record;
  MllogLines lines(text);
  while (lines.next()) {
    const MllogLine kind = read_mllog(lines.line(), record);
    if (kind == MllogLine::record) body(record, lines.number());
    if (kind == MllogLine::malformed) ++num_malformed;
  }
  return num_malformed;
}

void sort_by_time(PowerLog& log) {
  const auto by_time = [](const PowerSample& a, const PowerSample& b) {
    return a.time_ns < b.time_ns;
  };
  if (std::is_sorted(log.readings.begin(), log.readings.end(), by_time)) return;
  std::vector<std::size_t> order(log.readings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return by_time(log.readings[a], log.readings[b]);
  });
  PowerLog sorted;
  for (const std::size_t i : order) {
    sorted.readings.push_back(log.readings[i]);
    sorted.lines.push_back(log.lines[i]);
  }
  log.readings = std::move(sorted.readings);
  log.lines = std::move(sorted.lines);
}

}  // namespace

RunLog parse_run_log(std::string_view text, std::string name) {
  RunLog log;
  log.name = std::move(name);
  std::optional<std::int64_t> start, stop;
  bool has_benchmark = false;
  log.num_malformed = for_each_record(text, [&](const MllogRecord& r, std::uint32_t line) {
    if (r.key == "run_start" && !start) start = time_of(r, log.name, line);
    if (r.key == "run_stop" && !stop) {
      stop = time_of(r, log.name, line);
      log.status = value_text(object_member(r.metadata, "status").value_or(""));
    }
    if (r.key == "submission_benchmark" && !has_benchmark) {
      log.benchmark = value_text(r.value);
      has_benchmark = true;
    }
  });
  for (const auto& [time, key] : {std::pair{start, "run_start"}, std::pair{stop, "run_stop"}})
    if (!time)
      throw base::DataError("missing-key", fmt::format("the log has no {}", base::quoted(key)),
                            "was the run ended before its time?", {log.name, 0, 0});
  if (*stop <= *start)
    throw base::DataError("bad-mllog", "run_stop is not behind run_start", "", {log.name, 0, 0});
  log.start_ns = *start;
  log.stop_ns = *stop;
  return log;
}

PowerLog parse_power_log(std::string_view text, std::string name) {
  PowerLog log;
  log.name = std::move(name);
  log.num_malformed = for_each_record(text, [&](const MllogRecord& r, std::uint32_t line) {
    if (r.key == "power_reading") {
      const double watts = number_of(r, log.name, line);
      if (!(watts >= 0) || !std::isfinite(watts)) {
        ++log.num_invalid;
        return;
      }
      log.readings.push_back({time_of(r, log.name, line), watts});
      log.lines.push_back(line);
    } else if (r.key == "power_measurement_start") {
      if (!log.start_ns) log.start_ns = time_of(r, log.name, line);
    } else if (r.key == "power_measurement_stop") {
      if (!log.stop_ns) log.stop_ns = time_of(r, log.name, line);
    } else if (r.key == "conversion_eff") {
      set_once(log.conversion_eff, r, log.name, line);
    } else if (r.key == "interconnect_power_est") {
      set_once(log.interconnect_watts, r, log.name, line);
    }
  });
  sort_by_time(log);
  return log;
}

LogEnergy run_energy(const PowerLog& log, base::Time run) {
  constexpr double kSecondsPerNs = 1e-9;
  LogEnergy x;
  if (log.interconnect_watts) {
    x.is_interconnect = true;
    x.energy = log.conversion() * *log.interconnect_watts * base::units::W * run;
    return x;
  }
  const auto missing = [&](const std::string& what) {
    return base::DataError("no-readings", "the power log has no " + what, "", {log.name, 0, 0});
  };
  if (!log.start_ns) throw missing("power_measurement_start");
  if (log.readings.empty()) throw missing("power_reading");
  const std::int64_t start = *log.start_ns, last = log.readings.back().time_ns;
  x.is_degenerate = !log.stop_ns || *log.stop_ns <= start;
  const std::int64_t stop = x.is_degenerate ? last : *log.stop_ns;
  if (stop <= start) throw missing("power_reading after power_measurement_start");
  double joules = 0;
  std::int64_t previous = start;
  for (const PowerSample& s : log.readings) {
    if (s.time_ns < start) continue;
    if (s.time_ns > stop) break;
    joules += s.watts * (static_cast<double>(s.time_ns - previous) * kSecondsPerNs);
    previous = s.time_ns;
    ++x.num_readings;
  }
  if (x.num_readings == 0) throw missing("power_reading between its start and its stop");
  const double length = static_cast<double>(stop - start) * kSecondsPerNs;
  x.energy = log.conversion() * joules / length * base::units::W * run;
  return x;
}

}  // namespace greenline::mlperf
