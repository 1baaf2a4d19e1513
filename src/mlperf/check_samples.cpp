// Rules on clocks, windows and samples.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "mlperf/check_rules.hpp"
#include "mlperf/log_text.hpp"

namespace greenline::mlperf {
namespace {

using base::quoted;

// Of corresponding phases of client and server (mlcommons_power_dev). Wall clocks are doubles of
// 1.6e9 s, good to 0.24 µs: what lies within a microsecond of the limit is at it.
constexpr double kTolerance = 0.8, kClockResolution = 1e-6;  // s
constexpr double kNsPerSecond = 1e9;

struct Window {
  std::int64_t begin = 0, end = 0;  // ns
  double length() const { return static_cast<double>(end - begin) / kNsPerSecond; }
  bool holds(std::int64_t t) const { return begin < t && t < end; }
};

Window load_window(const LoadgenLog& log) {
  return {log.time_ns("power_begin"), log.time_ns("power_end")};
}

// For rules that do not answer for the log: phases_check does.
Window load_window(const Part<LoadgenLog>& log) {
  try {
    return load_window(log.need());
  } catch (const base::DataError& e) {
    throw NotChecked{log.file + ": " + e.message()};
  }
}

std::uint32_t line_of(const LoadgenLog& log, std::string_view key) {
  const LoadgenEntry* entry = log.find(key);
  return entry ? entry->line : 0;
}

std::vector<SplSample> inside(const SplTrace& trace, const Window& window) {
  std::vector<SplSample> samples;
  for (const SplSample& s : trace.samples)
    if (window.holds(s.time_ns)) samples.push_back(s);
  return samples;
}

const std::vector<PhaseTime>& phase(const Part<SessionFile>& part, const char* mode) {
  const auto& phases = part.need().phases;
  const auto found = phases.find(mode);
  if (found == phases.end())
    throw NotChecked{fmt::format("{} has no phases of {}", part.file, mode)};
  return found->second;
}

void compare_clocks(const InferenceEvidence& x, const char* mode, Findings& f) {
  const auto &client = phase(x.client, mode), &server = phase(x.server, mode);
  const Place at{x.client.file, x.client.value->line(fmt::format("phases.{}", mode))};
  if (client.size() != server.size()) {
    f.fail(at, fmt::format("{} phases of {} as in {}", server.size(), mode, x.server.file),
           fmt::format("{}", client.size()), "take both files from the same session");
    return;
  }
  for (std::size_t i = 0; i < client.size(); ++i) {
    const double apart = std::abs(client[i].wall_s - server[i].wall_s);
    if (!(apart <= kTolerance + kClockResolution))
      f.fail(at, fmt::format("clocks at most 800 ms apart at phase {} of {}", i + 1, mode),
             fmt::format("{:.1f} ms", apart * 1000), "synchronise both clocks and measure again");
    if (!x.is_compat() && i > 0 && !(client[i - 1].wall_s <= client[i].wall_s))
      f.fail(at, fmt::format("phase {} of {} no earlier than phase {}", i + 1, mode, i),
             fmt::format("{:.3f} s before it", client[i - 1].wall_s - client[i].wall_s),
             "let no clock step while measuring, and measure again");
  }
}

// LoadGen ran between the second and the third phase.
void check_boundaries(const InferenceEvidence& x, const char* mode, const Part<LoadgenLog>& part,
                      Findings& f) {
  const LoadgenLog& log = part.own();
  const auto& phases = phase(x.client, mode);
  if (phases.size() < 3)
    throw base::DataError("missing-key",
                          fmt::format("{} phases of {}, expected 4", phases.size(), mode),
                          "measure again", {x.client.file, 0, 0});
  for (const char* key : {"power_begin", "power_end"}) {
    const double t = static_cast<double>(log.time_ns(key)) / kNsPerSecond;
    const auto is_within = [&](double time) {
      return phases[1].wall_s < time && time < phases[2].wall_s;
    };
    // Upstream also takes logs that are an hour ahead, against summer time.
    if (is_within(t) || (x.is_compat() && is_within(t - 3600))) continue;
    const bool is_late = t >= phases[2].wall_s;
    const double off = is_late ? t - phases[2].wall_s : phases[1].wall_s - t;
    f.fail({part.file, line_of(log, key)},
           fmt::format("{} between phases 2 and 3 of {} in {}", key, mode, x.client.file),
           fmt::format("{:.3f} s {}", off, is_late ? "after" : "before"),
           std::abs(std::round(off / 3600) - off / 3600) < 0.4 && off > 1800
               ? "the clock or zone of the log is off by hours: set it to UTC and measure again"
               : "synchronise the clocks and measure again");
  }
  const Window window = load_window(log);
  if (window.end <= window.begin)
    f.fail({part.file, line_of(log, "power_end")}, "power_end after power_begin",
           fmt::format("{:.3f} s before it", -window.length()), "measure again");
}

double mean_watts(const Part<SplTrace>& trace, const Part<LoadgenLog>& log) {
  double sum = 0;
  std::size_t num = 0;
  for (const SplSample& s : inside(trace.need(), load_window(log)))
    if (s.is_valid()) sum += s.watts, ++num;
  if (num == 0) throw NotChecked{trace.file + " has no valid sample in its window"};
  return sum / static_cast<double>(num);
}

// The last number of the nth "SR,V,…".
std::optional<double> set_range(const SessionFile& server, std::string_view command,
                                std::size_t nth, std::uint32_t& line) {
  for (const SessionMessage& m : server.ptd_messages)
    if (m.command.starts_with(command) && nth-- == 0) {
      line = static_cast<std::uint32_t>(m.line);
      return decimal(std::string_view(m.command).substr(command.size()));
    }
  throw NotChecked{fmt::format("{} has no second message {}", server.name, command)};
}

}  // namespace

void check_phases(const InferenceEvidence& x, Findings& f) {
  compare_clocks(x, "ranging", f);
  compare_clocks(x, "testing", f);
  check_boundaries(x, "ranging", x.ranging_log, f);
  check_boundaries(x, "testing", x.testing_log, f);
}

void check_duration(const InferenceEvidence& x, Findings& f) {
  const double ranging = load_window(x.ranging_log).length();
  const double testing = load_window(x.testing_log).length();
  // Upstream says 5 % and tests 50 %.
  const double limit = x.is_compat() ? 0.5 : 0.05;
  if (!(ranging > 0) || (ranging - testing) / ranging < limit) return;
  f.warn(
      {x.testing_log.file, line_of(*x.testing_log.value, "power_end")},
      fmt::format("a test at most {:.0f} % shorter than ranging, {:.3f} s", limit * 100, ranging),
      fmt::format("{:.3f} s", testing), "run both with the same settings");
}

void check_mean_power(const InferenceEvidence& x, Findings& f) {
  const double ranging = mean_watts(x.ranging_spl, x.ranging_log);
  const double testing = mean_watts(x.testing_spl, x.testing_log);
  if ((ranging - testing) / ranging > 0.05)
    f.fail({x.testing_spl.file, 0},
           fmt::format("a mean at most 5 % below that of ranging, {:.3f} W", ranging),
           fmt::format("{:.3f} W, {:.1f} % below", testing, (1 - testing / ranging) * 100),
           "run both with the same settings on a warm system");
}

// The ranging run tells the ranges of the test: the greatest volts and amps, or 1.1 × the amps.
void check_ranges(const InferenceEvidence& x, Findings& f) {
  constexpr double kRounding = 0.005;  // of ranges to a few decimals
  double volts = 0, amps = 0;
  for (const SplSample& s : x.ranging_spl.need().samples) {
    if (s.num_channels > 0) throw NotChecked{"several channels, each with ranges of its own"};
    if (s.volts > volts) volts = s.volts;
    if (s.amps > amps) amps = s.amps;
  }
  if (!(volts > 0) || !(amps > 0)) throw NotChecked{"no volts and amps in " + x.ranging_spl.file};
  const auto judge = [&](const char* command, double greatest, bool may_have_margin) {
    std::uint32_t line = 0;
    const auto range = set_range(x.server.need(), command, 1, line);
    const double ratio = range.value_or(0) / greatest;
    if (std::abs(ratio - 1) <= kRounding ||
        (may_have_margin && std::abs(ratio - 1.1) <= 1.1 * kRounding))
      return;
    f.fail({x.server.file, line},
           fmt::format("{}{:.6f}{}, the greatest value of ranging", command, greatest,
                       may_have_margin ? " or 1.1 times that" : ""),
           range ? fmt::format("{:.6f}", *range) : "no number",
           "let the server set the ranges from the ranging run");
  };
  judge("SR,V,", volts, false);
  judge("SR,A,", amps, true);
}

void check_sample_values(const InferenceEvidence& x, Findings& f) {
  if (x.ranging_spl.failure) x.ranging_spl.own();
  const SplTrace& trace = x.testing_spl.own();
  for (const auto* part : {&x.ranging_spl, &x.testing_spl})
    if (part->value && part->value->is_truncated)
      f.fail({part->file, 0}, "whole lines", "a file that ends inside a sample",
             "restore the file as it was measured");
  std::size_t num_invalid = 0, num_foreign = 0;
  const SplSample *invalid = nullptr, *foreign = nullptr;
  const std::string mark =
      x.server.value ? x.server.value->session_name + "_testing" : std::string();
  const std::vector<SplSample> samples = inside(trace, load_window(x.testing_log));
  for (const SplSample& s : samples)
    if (!s.is_valid() && num_invalid++ == 0) invalid = &s;
  // Of the whole trace: a file cut inside the mark of its last row ends in a mark of its own.
  for (const SplSample& s : trace.samples) {
    const std::string& own = trace.marks[s.mark];
    if (!mark.empty() && own != mark && own != "notset" && num_foreign++ == 0) foreign = &s;
  }
  if (invalid)
    f.fail({x.testing_spl.file, invalid->line}, "watts above 0 while testing",
           fmt::format("{} W; {} such sample{}", invalid->watts, num_invalid,
                       num_invalid == 1 ? "" : "s"),
           "look at the connection of the analyzer and measure again");
  if (foreign)
    f.fail({x.testing_spl.file, foreign->line}, fmt::format("mark {}", quoted(mark)),
           fmt::format("{}; {} such sample{}", quoted(trace.marks[foreign->mark]), num_foreign,
                       num_foreign == 1 ? "" : "s"),
           "take the trace from the same session");
}

void check_sampling_rate(const InferenceEvidence& x, Findings& f) {
  const Window window = load_window(x.testing_log);
  const std::vector<SplSample> samples = inside(x.testing_spl.need(), window);
  if (samples.empty()) throw NotChecked{"no sample in the window: see num_samples_check"};
  std::int64_t before = window.begin, longest_ns = 0;
  std::uint32_t line = 0;
  const auto gap = [&](std::int64_t t, std::uint32_t at) {
    if (t - before > longest_ns) longest_ns = t - before, line = at;
    before = t;
  };
  for (const SplSample& s : samples) {
    if (s.time_ns <= before) {
      f.fail({x.testing_spl.file, s.line}, "times that ascend",
             fmt::format("{:.3f} s after the sample before",
                         static_cast<double>(s.time_ns - before) / kNsPerSecond),
             "let no clock step while measuring, and measure again");
      return;
    }
    gap(s.time_ns, s.line);
  }
  gap(window.end, samples.back().line);
  const double mean = window.length() / static_cast<double>(samples.size());
  const double longest = static_cast<double>(longest_ns) / kNsPerSecond;
  if (mean > kLongestMeanPeriod)
    f.fail({x.testing_spl.file, 0}, "a sample each second", fmt::format("one every {:.3f} s", mean),
           "measure again with a sample each second");
  else if (longest > kLongestGap)
    f.fail({x.testing_spl.file, line}, "a sample each second",
           fmt::format("none for {:.3f} s", longest), "measure again without gaps");
}

void check_num_samples(const InferenceEvidence& x, Findings& f) {
  const std::vector<SplSample> samples = inside(x.testing_spl.need(), load_window(x.testing_log));
  const auto num = static_cast<std::size_t>(std::count_if(
      samples.begin(), samples.end(), [](const SplSample& s) { return s.is_valid(); }));
  if (num < kFewestSamples)
    f.fail({x.testing_spl.file, 0},
           fmt::format("at least {} valid samples while testing", kFewestSamples),
           fmt::format("{}", num), "repeat the work for at least a minute");
}

}  // namespace greenline::mlperf
