#include "mlperf/training.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::mlperf {
namespace {

namespace units = base::units;

std::vector<PowerSample> node_samples(const PowerLog& log, base::Time shift) {
  const auto shift_ns = static_cast<std::int64_t>(std::llround(shift.in(units::ns)));
  std::vector<PowerSample> samples;
  samples.reserve(log.readings.size() + 1);
  // The first reading is the mean since the measurement began.
  if (log.start_ns && !log.readings.empty() && *log.start_ns < log.readings.front().time_ns)
    samples.push_back({*log.start_ns + shift_ns, 0});
  for (const PowerSample& s : log.readings)
    samples.push_back({s.time_ns + shift_ns, s.watts * log.conversion()});
  return samples;
}

void add_native(TrainingRun& x, const RunLog& run, const PowerLog& log, base::Time shift) {
  const WindowEnergy e = integrate(node_samples(log, shift), run.start_ns, run.stop_ns);
  x.native.energy += e.energy;
  x.native.covered += e.covered;
  x.native.longest_gap = std::max(x.native.longest_gap, e.longest_gap);
  x.native_length += x.time;
}

void require_even(const std::vector<TrainingRun>& runs, const std::string& folder) {
  for (const TrainingRun& run : runs) {
    const TrainingRun& first = runs.front();
    if (run.num_nodes == first.num_nodes && run.num_switches == first.num_switches) continue;
    throw base::DataError(
        "uneven-nodes",
        fmt::format("{} has power logs of {} nodes and {} switches, {} of {} and {}", run.name,
                    run.num_nodes, run.num_switches, first.name, first.num_nodes,
                    first.num_switches),
        "every run needs the power of every node", {folder, 0, 0});
  }
}

void order_by_time(std::vector<TrainingRun>& runs) {
  std::sort(runs.begin(), runs.end(), [](const TrainingRun& a, const TrainingRun& b) {
    if (a.is_converged != b.is_converged) return a.is_converged;
    if (a.time != b.time) return a.time < b.time;
    return a.name < b.name;
  });
}

// Marks the runs that count; they are in order.
void drop_ends(std::vector<TrainingRun>& runs, std::size_t k, const std::string& folder) {
  const auto num_failed = static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const auto& r) { return !r.is_converged; }));
  if (runs.size() <= 2 * k || num_failed > k)
    throw base::DataError(
        "too-few-runs",
        fmt::format("{} runs, {} of them without convergence; the {} fastest and the {} slowest "
                    "do not count",
                    runs.size(), num_failed, k, k),
        "", {folder, 0, 0});
  for (std::size_t i = k; i + k < runs.size(); ++i) runs[i].is_counted = true;
}

void add_notices(Score& x, bool has_scaling) {
  std::size_t num_degenerate = 0;
  for (const TrainingRun& run : x.runs) num_degenerate += run.num_degenerate;
  if (num_degenerate > 0)
    x.notices.push_back(fmt::format(
        "{} power logs stop no later than they start: the last reading stands for the stop",
        num_degenerate));
  if (!has_scaling) x.notices.push_back("there is no scaling.json: the scaling factor counts as 1");
  constexpr base::Time kLongest = 1.0 * units::s;
  if (x.sample_period > 1.05 * kLongest)
    x.notices.push_back(fmt::format("power was sampled every {:.2f} s; the rules ask for 1 s",
                                    x.sample_period.in(units::s)));
}

}  // namespace

std::size_t num_dropped_runs(const std::string& benchmark) { return benchmark == "unet3d" ? 4 : 1; }

TrainingRun training_run(const RunLog& run, const std::vector<PowerLog>& nodes,
                         const std::vector<PowerLog>& switches, base::Time trace_shift) {
  TrainingRun x;
  x.time = static_cast<double>(run.stop_ns - run.start_ns) * units::ns;
  x.start_ns = run.start_ns;
  x.is_converged = run.is_converged();
  x.num_nodes = nodes.size();
  x.num_switches = switches.size();
  base::Time logged;
  std::size_t num_steps = 0;
  for (const auto* logs : {&nodes, &switches})
    for (const PowerLog& log : *logs) {
      const LogEnergy e = run_energy(log, x.time);
      (logs == &nodes ? x.node_energy : x.interconnect_energy) += e.energy;
      x.num_degenerate += e.is_degenerate ? 1 : 0;
      x.num_readings += e.num_readings;
      if (e.is_interconnect) {
        x.native.energy += e.energy;
        continue;
      }
      add_native(x, run, log, trace_shift);
      if (log.readings.size() < 2) continue;
      logged += static_cast<double>(log.readings.back().time_ns - log.readings.front().time_ns) *
                units::ns;
      num_steps += log.readings.size() - 1;
    }
  if (num_steps > 0) x.sample_period = logged / static_cast<double>(num_steps);
  return x;
}

Score training_score(std::vector<TrainingRun> runs, const std::string& benchmark,
                     std::optional<double> scaling_factor, const std::string& folder) {
  Score x;
  x.kind = Kind::training;
  x.path = folder;
  x.benchmark = benchmark;
  x.num_dropped = num_dropped_runs(benchmark);
  x.scaling_factor = scaling_factor.value_or(1.0);
  require_even(runs, folder);
  order_by_time(runs);
  drop_ends(runs, x.num_dropped, folder);
  double num_counted = 0;
  base::Time covered, length;
  for (const TrainingRun& run : runs) {
    x.num_recorded += run.num_readings;
    if (!run.is_counted) continue;
    ++num_counted;
    x.duration += run.time;
    x.energy += run.energy();
    x.native.energy += run.native.energy;
    x.native.longest_gap = std::max(x.native.longest_gap, run.native.longest_gap);
    x.num_samples += run.num_readings;
    x.sample_period += run.sample_period;
    covered += run.native.covered;
    length += run.native_length;
  }
  const double scale = x.scaling_factor / num_counted;
  x.duration *= scale;
  x.energy *= scale;
  x.native.energy *= scale;
  x.sample_period /= num_counted;
  x.native_coverage = length > base::Time{} ? covered / length : 0;
  x.native.covered = x.native_coverage * x.duration;
  x.average_power = x.energy / x.duration;
  x.metric = x.energy.in(units::kJ);
  x.unit = "kJ";
  x.formula = "average × duration / 1 kJ";
  x.samples_per_joule_why = "a training result is time and energy to a quality, not to samples";
  x.begin = base::Instant{runs.front().start_ns};
  x.runs = std::move(runs);
  add_notices(x, scaling_factor.has_value());
  compare_native(x);
  return x;
}

}  // namespace greenline::mlperf
