// Measured runs that contradict each other, or what their devices can do.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/error.hpp"
#include "plan/naive.hpp"
#include "plan/validation.hpp"

namespace greenline::plan {
namespace {

using base::DataError;
using Key = std::vector<std::int64_t>;

void check_plausible(const MeasuredRun& run) {
  const double share = naive_time(run, 1) / run.iteration;
  if (share <= 1 && share >= 1e-4) return;
  throw DataError(
      "implausible-run",
      fmt::format("{} would take {:.3g} of the {} peak of {} devices of {}: {}", run.name, share,
                  catalog::precision_name(run.problem.machine.precision), run.problem.devices,
                  run.problem.system.device.id,
                  share > 1 ? "no run is faster than the peak" : "less than 1/10000"),
      "times are in milliseconds, of one iteration; --system says where they ran", run.where);
}

Key shape_of(const MeasuredRun& run) {
  const catalog::ModelShape& m = run.problem.shape;
  return {m.hidden, m.heads, m.layers};
}

Key key_of(const MeasuredRun& run) {
  const Problem& p = run.problem;
  const Strategy& s = run.configuration.strategy;
  Key key = shape_of(run);
  key.insert(key.end(), {p.sequence_length, p.devices, p.global_batch, s.tensor_parallel,
                         s.data_parallel, s.pipeline_parallel, run.configuration.micro_batch});
  return key;
}

// Two measurements of one configuration may differ by noise, not by more; and do differ.
void check_repeats(std::span<const MeasuredRun> runs) {
  constexpr double kNoise = 0.05;
  std::map<Key, const MeasuredRun*> first;
  for (const MeasuredRun& run : runs) {
    const auto [at, is_new] = first.emplace(key_of(run), &run);
    if (is_new) continue;
    const MeasuredRun& other = *at->second;
    if (run.iteration == other.iteration)
      throw DataError("duplicate-run",
                      fmt::format("{} stands twice, with the same time: here and at {}", run.name,
                                  other.where.text()),
                      "remove one of them: it would count twice", run.where);
    const double ratio = run.iteration / other.iteration;
    if (std::fabs(ratio - 1) <= kNoise) continue;
    throw DataError(
        "runs-disagree",
        fmt::format("{} is measured twice, with times {:.1f} % apart: {} ms here, {} "
                    "ms at {}",
                    run.name, 100 * std::fabs(ratio - 1), run.iteration.in(base::units::ms),
                    other.iteration.in(base::units::ms), other.where.text()),
        "remove the one that went wrong", run.where);
  }
}

// Tables and fits that leave a size out go by the name of the size.
void check_sizes(std::span<const MeasuredRun> runs) {
  std::map<std::string, const MeasuredRun*> by_name;
  std::map<Key, const MeasuredRun*> by_shape;
  for (const MeasuredRun& run : runs) {
    const std::string& name = run.problem.shape.id;
    const MeasuredRun& alike = *by_name.emplace(name, &run).first->second;
    const MeasuredRun& same = *by_shape.emplace(shape_of(run), &run).first->second;
    if (shape_of(alike) != shape_of(run))
      throw DataError(
          "sizes-disagree",
          fmt::format("{} is one shape here and another at {}", name, alike.where.text()),
          "a model has one hidden size, number of heads and number of layers", run.where);
    if (same.problem.shape.id != name)
      throw DataError("sizes-disagree",
                      fmt::format("one shape is {} here and {} at {}", name, same.problem.shape.id,
                                  same.where.text()),
                      "give it one number of parameters", run.where);
  }
}

}  // namespace

void check_runs(std::span<const MeasuredRun> runs) {
  for (const MeasuredRun& run : runs) check_plausible(run);
  check_repeats(runs);
  check_sizes(runs);
}

}  // namespace greenline::plan
