// Laws of the native energy and of the scores.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "mlperf/integral.hpp"
#include "mlperf/training.hpp"

namespace greenline::mlperf {
namespace {

namespace units = base::units;

std::vector<PowerSample> any_samples(bool is_constant) {
  const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 3'000'000));
  const double level = *rc::gen::inRange(1, 10000);
  std::vector<PowerSample> samples = {{0, level}};
  for (const int step : steps) {
    const double watts = is_constant ? level : *rc::gen::inRange(0, 10000);
    samples.push_back({samples.back().time_ns + std::int64_t{step} * 1000, watts});
  }
  return samples;
}

std::int64_t any_time(const std::vector<PowerSample>& samples) {
  return *rc::gen::inRange<std::int64_t>(-1'000'000'000, samples.back().time_ns + 1'000'000'000);
}

// Rounding of sums: a share of the whole.
void require_close(double a, double b, double scale) {
  RC_ASSERT(std::fabs(a - b) <= 1e-12 * std::fabs(scale) + 1e-12);
}

RC_GTEST_PROP(MlperfIntegral, WindowsThatMeetAddUp, ()) {
  const auto samples = any_samples(false);
  std::vector<std::int64_t> cuts = {any_time(samples), any_time(samples), any_time(samples)};
  std::sort(cuts.begin(), cuts.end());
  const WindowEnergy whole = integrate(samples, cuts[0], cuts[2]),
                     left = integrate(samples, cuts[0], cuts[1]),
                     right = integrate(samples, cuts[1], cuts[2]);
  require_close((left.energy + right.energy).base_value(), whole.energy.base_value(),
                whole.energy.base_value());
  require_close((left.covered + right.covered).base_value(), whole.covered.base_value(),
                whole.covered.base_value());
}

RC_GTEST_PROP(MlperfIntegral, ConstantPowerIsPowerTimesCoveredTime, ()) {
  const auto samples = any_samples(true);
  std::vector<std::int64_t> cuts = {any_time(samples), any_time(samples)};
  std::sort(cuts.begin(), cuts.end());
  const WindowEnergy e = integrate(samples, cuts[0], cuts[1]);
  const double expected = samples.front().watts * e.covered.in(units::s);
  require_close(e.energy.in(units::J), expected, expected);
  const double length =
      static_cast<double>(std::max<std::int64_t>(
          0, std::min(cuts[1], samples.back().time_ns) - std::max<std::int64_t>(cuts[0], 0))) *
      1e-9;
  require_close(e.covered.in(units::s), length, length);
}

RC_GTEST_PROP(MlperfIntegral, SplittingASampleChangesNothing, ()) {
  auto samples = any_samples(false);
  RC_PRE(samples.size() > 1);
  const std::int64_t begin = any_time(samples), end = begin + *rc::gen::inRange(1, 2'000'000'000);
  const double before = integrate(samples, begin, end).energy.base_value();
  const auto at = *rc::gen::inRange<std::size_t>(1, samples.size());
  const std::int64_t middle = std::midpoint(samples[at - 1].time_ns, samples[at].time_ns);
  samples.insert(samples.begin() + static_cast<std::ptrdiff_t>(at), {middle, samples[at].watts});
  require_close(integrate(samples, begin, end).energy.base_value(), before, before);
}

RC_GTEST_PROP(MlperfIntegral, MovingEveryClockChangesNothing, ()) {
  auto samples = any_samples(false);
  const std::int64_t begin = any_time(samples), end = begin + *rc::gen::inRange(1, 2'000'000'000);
  const double before = integrate(samples, begin, end).energy.base_value();
  const std::int64_t shift = 1'700'000'000'000'000'000;
  for (PowerSample& s : samples) s.time_ns += shift;
  RC_ASSERT(integrate(samples, begin + shift, end + shift).energy.base_value() == before);
}

RC_GTEST_PROP(MlperfTraining, OrderOfFilesDoesNotMatterAndTheMeanLiesBetween, ()) {
  const auto times =
      *rc::gen::suchThat(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 100)),
                         [](const auto& v) { return v.size() >= 3 && v.size() < 20; });
  std::vector<TrainingRun> runs;
  for (std::size_t i = 0; i < times.size(); ++i) {
    TrainingRun run;
    run.name = std::to_string(i);
    run.time = times[i] * units::s;
    run.node_energy = *rc::gen::inRange(1, 1000) * units::kJ;
    run.num_nodes = 1;
    runs.push_back(run);
  }
  const auto [low, high] =
      std::minmax_element(runs.begin(), runs.end(),
                          [](const auto& a, const auto& b) { return a.energy() < b.energy(); });
  const double least = low->energy().in(units::kJ), most = high->energy().in(units::kJ);
  const Score a = training_score(runs, "bert", 1.0, "");
  std::vector<TrainingRun> shuffled = runs;
  for (std::size_t i = shuffled.size(); i > 1; --i)
    std::swap(shuffled[i - 1], shuffled[*rc::gen::inRange<std::size_t>(0, i)]);
  const Score b = training_score(shuffled, "bert", 1.0, "");
  RC_ASSERT(a.metric == b.metric);
  RC_ASSERT(a.metric >= least * (1 - 1e-12));
  RC_ASSERT(a.metric <= most * (1 + 1e-12));
}

}  // namespace
}  // namespace greenline::mlperf
