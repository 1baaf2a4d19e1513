// The few constants of a device generation, fitted to measured runs.
//
// Error: the mean of |ours / measured - 1|, plus a small pull towards the catalogue that decides
// between values which the runs can't tell apart. It has many shallow minima: seeded points all
// over the bounds, then a simplex (nelder1965) from the best of them, in logarithms. The same for
// any number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "plan/validation.hpp"

namespace greenline::plan {

// A constant that is fitted; latencies and the share of overlap stay as the catalogue has them, for
// whole iterations bind them too weakly.
struct Constant {
  const char* property;  // "matmul_efficiency": of the generation, in data/efficiency.csv
  const char* unit;      // "1" or "us", of the figures here
  double low, high;      // bounds of the fit
  double width;          // pull: the logarithm over this that costs `kPull` in mean error
};
inline constexpr std::size_t kNumConstants = 7;
std::span<const Constant, kNumConstants> constants();

using ConstantValues = std::array<double, kNumConstants>;  // in the units of constants()

ConstantValues values_of(const model::Machine& machine, const catalog::System& system);
void set_values(Problem& problem, const ConstantValues& values);

struct Fit {
  ConstantValues values{};
  double error = 0;  // mean of |ours / measured - 1|
  std::int64_t evaluations = 0;
  bool interrupted = false;
};

// `runs` are of one generation. Interrupted: the best so far.
Fit fit(const std::vector<MeasuredRun>& runs, const ConstantValues& base, std::uint64_t seed,
        base::Progress& progress);

// Ours, for each run.
std::vector<base::Time> predicted(const std::vector<MeasuredRun>& runs,
                                  const ConstantValues& values);

// Steps of progress that one fit takes.
std::uint64_t fit_steps();

}  // namespace greenline::plan
