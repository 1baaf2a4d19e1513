#include "mlperf/inference.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::mlperf {
namespace {

namespace units = base::units;

constexpr double kMultiStreamSamples = 8;  // of a query
constexpr double kSecondsPerNs = 1e-9;

struct Window {
  std::int64_t begin, end;
  double seconds() const { return static_cast<double>(end - begin) * kSecondsPerNs; }
};

bool is_stream(Scenario s) { return s == Scenario::single_stream || s == Scenario::multi_stream; }

// Clocks that are hours apart are time zones or summer time, in steps of 15 minutes. The smallest
// shift of the trace which lets it cover the window, in hours.
std::optional<double> fitting_shift(const std::vector<PowerSample>& samples, Window window) {
  constexpr std::int64_t kStep = 900'000'000'000;
  constexpr int kMostSteps = 14 * 4;
  constexpr std::int64_t kSlack = 2'000'000'000;  // an edge may lie between two samples
  if (samples.empty()) return std::nullopt;
  for (int n = 1; n <= kMostSteps; ++n)
    for (const int steps : {n, -n}) {
      const std::int64_t shift = steps * kStep;
      if (samples.front().time_ns + shift <= window.begin + kSlack &&
          samples.back().time_ns + shift >= window.end - kSlack)
        return steps / 4.0;
    }
  return std::nullopt;
}

std::string clock(std::int64_t ns) { return base::format_instant(base::Instant{ns}); }

[[noreturn]] void no_samples(const LoadgenLog& log, const SplTrace& trace,
                             const std::vector<PowerSample>& samples, Window window) {
  const std::string covers =
      samples.empty() ? "the trace has no valid sample"
                      : fmt::format("the trace covers {} to {}", clock(samples.front().time_ns),
                                    clock(samples.back().time_ns));
  const auto shift = fitting_shift(samples, window);
  throw base::DataError(
      "no-samples",
      fmt::format("no valid power sample between power_begin {} and power_end {}; {}",
                  log.text("power_begin"), log.text("power_end"), covers),
      shift
          ? fmt::format("time zones? A shift of {:+.2f} h fits: --trace-shift {}h", *shift, *shift)
          : "",
      {trace.name, 0, 0});
}

// Valid samples by time, their clock shifted.
std::vector<PowerSample> valid_samples(const SplTrace& trace, base::Time shift) {
  const auto shift_ns = static_cast<std::int64_t>(std::llround(shift.in(units::ns)));
  std::vector<PowerSample> samples;
  samples.reserve(trace.samples.size());
  for (const SplSample& s : trace.samples)
    if (s.is_valid() && std::isfinite(s.watts)) samples.push_back({s.time_ns + shift_ns, s.watts});
  const auto by_time = [](const PowerSample& a, const PowerSample& b) {
    return a.time_ns < b.time_ns;
  };
  if (!std::is_sorted(samples.begin(), samples.end(), by_time))
    std::stable_sort(samples.begin(), samples.end(), by_time);
  return samples;
}

void set_power(Score& x, const LoadgenLog& log, const SplTrace& trace, base::Time shift) {
  const Window window{log.time_ns("power_begin"), log.time_ns("power_end")};
  if (window.end <= window.begin)
    throw base::DataError("bad-mllog", "power_end is not behind power_begin", "",
                          {log.name, log.find("power_end")->line, 0});
  const std::vector<PowerSample> samples = valid_samples(trace, shift);
  double sum = 0;
  for (const PowerSample& s : samples)
    if (window.begin < s.time_ns && s.time_ns < window.end) {
      sum += s.watts;
      ++x.num_samples;
    }
  if (x.num_samples == 0) no_samples(log, trace, samples, window);
  const auto shift_ns = static_cast<std::int64_t>(std::llround(shift.in(units::ns)));
  for (const SplSample& s : trace.samples)
    x.num_invalid += !(s.is_valid() && std::isfinite(s.watts)) &&
                     window.begin < s.time_ns + shift_ns && s.time_ns + shift_ns < window.end;
  x.num_recorded = trace.samples.size();
  x.begin = base::Instant{window.begin};
  x.duration = window.seconds() * units::s;
  x.average_power = sum / static_cast<double>(x.num_samples) * units::W;
  x.energy = x.average_power * x.duration;
  x.sample_period = x.duration / static_cast<double>(x.num_samples);
  x.native = integrate(samples, window.begin, window.end);
  x.native_coverage = x.native.covered / x.duration;
  if (x.native_coverage < 1)
    if (const auto fits = fitting_shift(samples, window); fits && x.native_coverage < 0.99)
      x.notices.push_back(fmt::format(
          "the power samples do not cover the window; with a shift of {:+.2f} h they would: "
          "--trace-shift {}h",
          *fits, *fits));
}

// Queries of the run, or nothing.
std::optional<double> queries(const LoadgenLog& log, base::Time duration) {
  if (const auto n = log.number("result_query_count")) return n;
  if (const auto rate = log.number("result_qps_with_loadgen_overhead"))
    return *rate * duration.in(units::s);
  return std::nullopt;
}

void set_stream_metric(Score& x, const LoadgenLog& log, bool is_inferred) {
  x.queries = queries(log, x.duration);
  if (!x.queries || !(*x.queries > 0))
    throw base::DataError(
        "missing-key",
        "the log has neither result_query_count nor result_qps_with_loadgen_overhead above 0",
        "energy of a stream needs the number of its queries", {log.name, 0, 0});
  const double scale = is_inferred ? kMultiStreamSamples : 1;
  const bool is_joules =
      x.round.is_known() ? x.round.major < 3 : log.find("result_query_count") == nullptr;
  const double joules = x.energy.in(units::J)*scale / *x.queries;
  x.metric = is_joules ? joules : joules * 1000;
  x.unit = is_joules ? "J/stream" : "mJ/query";
  x.formula = fmt::format("average × duration{} / queries / {}", is_inferred ? " × 8" : "",
                          is_joules ? "1 J" : "0.001 J");
}

void set_efficiency(Score& x, const LoadgenLog& log, Scenario scenario, Scenario effective) {
  const double watts = x.average_power.in(units::W);
  if (is_stream(effective)) {
    const auto stated = effective == Scenario::multi_stream
                            ? log.number("effective_samples_per_query")
                            : std::optional<double>();
    x.samples_per_query =
        stated.value_or(effective == Scenario::multi_stream ? kMultiStreamSamples : 1.0);
    if (!x.queries) x.queries = queries(log, x.duration);
    if (x.queries) x.performance = *x.queries * *x.samples_per_query / x.duration.in(units::s);
  } else {
    for (const char* key : {"result_samples_per_second", "result_scheduled_samples_per_sec",
                            "result_completed_samples_per_sec"})
      if (!x.performance) x.performance = log.number(key);
  }
  for (const char* key : {"result_tokens_per_second", "result_completed_tokens_per_second"})
    if (const auto tokens = log.number(key); tokens && !x.tokens_per_joule)
      x.tokens_per_joule = *tokens / watts;
  if (x.performance)
    x.samples_per_joule = *x.performance / watts;
  else
    x.samples_per_joule_why =
        x.tokens_per_joule
            ? "the log counts tokens, not samples"
            : fmt::format("the log states no rate of {} samples", scenario_name(scenario));
  if (x.tokens_per_joule)
    x.notices.push_back(
        "tokens per joule and samples per joule are different quantities: compare like with like");
}

}  // namespace

std::optional<Scenario> directory_scenario(const std::string& run_folder) {
  std::filesystem::path folder(run_folder);
  std::optional<Scenario> found;
  for (int up = 0; up < 3 && !folder.empty(); ++up, folder = folder.parent_path())
    if (const auto scenario = scenario_named(folder.filename().string())) found = scenario;
  return found;
}

Score inference_score(const LoadgenLog& log, const SplTrace& trace, Scenario scenario,
                      const ScoreOptions& options) {
  Score x;
  x.kind = Kind::inference;
  x.round = options.round;
  x.scenario = scenario_name(scenario);
  set_power(x, log, trace, options.trace_shift);
  const Scenario effective = scenario_named(log.text("effective_scenario")).value_or(scenario);
  if (is_stream(scenario)) {
    set_stream_metric(x, log,
                      scenario == Scenario::multi_stream && effective == Scenario::single_stream);
  } else {
    x.metric = x.average_power.in(units::W);
    x.unit = "W";
    x.formula = "average / 1 W";
  }
  set_efficiency(x, log, scenario, effective);
  if (effective != scenario)
    x.notices.push_back(fmt::format("the {} result is inferred from a {} run", x.scenario,
                                    scenario_name(effective)));
  if (const std::string validity = log.text("result_validity"); validity == "INVALID")
    x.notices.push_back("LoadGen calls this run INVALID");
  if (trace.is_truncated) x.notices.push_back("the power trace is cut off inside a sample");
  if (x.num_invalid > 0)
    x.notices.push_back(fmt::format(
        "{} samples of the window are NaN, -1 or 0 W and count in nothing", x.num_invalid));
  compare_native(x);
  return x;
}

}  // namespace greenline::mlperf
