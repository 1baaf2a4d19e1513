// What a configuration costs, in plain numbers of SI units, and what it costs at least.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "base/enum_name.hpp"
#include "catalog/catalog.hpp"
#include "model/power.hpp"
#include "plan/iteration.hpp"

namespace greenline::plan {

// What a search makes as small as it can, of one iteration.
enum class Objective : std::uint8_t { time, energy, carbon, cost };
std::span<const base::EnumName> enum_names(Objective);

// One iteration. Carbon is energy times one intensity, cost is device-seconds times one price: they
// put configurations in the same order.
struct Score {
  double time = 0;            // s
  double energy = 0;          // J at the facility meter
  double device_seconds = 0;  // s
  bool operator==(const Score&) const = default;
};
double value_of(const Score& score, Objective objective);

// a is at least as good everywhere, and better somewhere.
bool dominates(const Score& a, const Score& b);

// Upper ends that a plan may not pass.
struct ScoreLimits {
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  double time = kNone;            // s
  double power = kNone;           // W at the facility meter, mean over the iteration
  double device_seconds = kNone;  // s

  bool any() const { return time < kNone || power < kNone || device_seconds < kNone; }
};
enum class Limit : std::uint8_t { time, power, cost };
inline constexpr int kNumLimits = 3;

// By how much the limit that is passed most is passed: value / limit; at most 1 when all hold.
struct Excess {
  double ratio = 0;
  Limit limit = Limit::time;
};
Excess excess_of(const Score& score, const ScoreLimits& limits);
// The same of the least score: a longer time may need less power, so that this says nothing of it.
double least_excess(const Score& least, const ScoreLimits& limits);

// From times and busy fractions to scores. All numbers are rounded to 12 digits, so that sums of
// the same parts in another order tie.
class Meter {
 public:
  Meter() = default;  // of time alone: energy is 0
  // `scale`: of modelled times, the nominal of the driver of their error.
  Meter(const catalog::Catalog& facts, const catalog::System& system, double pue, double scale);

  Score score(std::int64_t devices, base::Time iteration, const model::BusyFractions& busy) const;
  Score score(std::int64_t devices, const Iteration& iteration) const {
    return score(devices, iteration.total(), iteration.busy);
  }
  // No number is above that of score().
  Score least(std::int64_t devices, const IterationBound& bound) const;

 private:
  double nodes(std::int64_t devices) const {
    return static_cast<double>(devices) / devices_per_node_;
  }
  model::NodeCurve curve_;
  double devices_per_node_ = 1, pue_ = 1, scale_ = 1;
};

}  // namespace greenline::plan
