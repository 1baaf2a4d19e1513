#include "plan/search_score.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;

double rounded(double x) {
  constexpr double kSteps = 1 << 20;  // of the upper and of the lower half: 40 bits, 12 digits
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::round(mantissa * kSteps * kSteps) / (kSteps * kSteps), exponent);
}

// Far above what rounding does to a score, far below what matters.
constexpr double kBelow = 1 - 1e-9;

}  // namespace

std::span<const base::EnumName> enum_names(Objective) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Objective::time), "time", "of one iteration"},
      {static_cast<int>(Objective::energy), "energy", "of one iteration, at the facility meter"},
      {static_cast<int>(Objective::carbon), "carbon", "of one iteration, at the grid's mean"},
      {static_cast<int>(Objective::cost), "cost", "of one iteration: devices x time x price"},
  };
  return kNames;
}

double value_of(const Score& score, Objective objective) {
  switch (objective) {
    case Objective::time:
      return score.time;
    case Objective::energy:
    case Objective::carbon:
      return score.energy;
    case Objective::cost:
      return score.device_seconds;
  }
  throw base::InternalError("a search for an unknown objective");
}

bool dominates(const Score& a, const Score& b) {
  return a.time <= b.time && a.energy <= b.energy && a.device_seconds <= b.device_seconds &&
         !(a == b);
}

Excess excess_of(const Score& s, const ScoreLimits& limits) {
  Excess most{s.time / limits.time, Limit::time};
  const auto consider = [&](double ratio, Limit limit) {
    if (ratio > most.ratio) most = {ratio, limit};
  };
  consider(s.energy / s.time / limits.power, Limit::power);
  consider(s.device_seconds / limits.device_seconds, Limit::cost);
  return most;
}

double least_excess(const Score& s, const ScoreLimits& limits) {
  return std::max(s.time / limits.time, s.device_seconds / limits.device_seconds);
}

Meter::Meter(const catalog::Catalog& facts, const catalog::System& system, double pue, double scale)
    : curve_(facts, system),
      devices_per_node_(static_cast<double>(system.devices_per_node)),
      pue_(pue),
      scale_(scale) {}

Score Meter::score(std::int64_t devices, base::Time iteration,
                   const model::BusyFractions& busy) const {
  const double time = scale_ * iteration.in(units::s);
  const double watts = nodes(devices) * curve_.watts(curve_.utilisation(busy)) * pue_;
  return {rounded(time), rounded(watts * time), rounded(static_cast<double>(devices) * time)};
}

Score Meter::least(std::int64_t devices, const IterationBound& bound) const {
  const double time = bound.total.in(units::s);
  const double t = kBelow * scale_ * time;
  double watts = 0;
  // The same work in a longer time takes more energy, and so does more work in the same time.
  if (curve_.waiting_costs()) {
    const model::BusyFractions busy{bound.compute.in(units::s) / time,
                                    bound.memory.in(units::s) / time,
                                    bound.network.in(units::s) / time, 0};
    watts = kBelow * nodes(devices) * curve_.watts(kBelow * curve_.utilisation(busy)) * pue_;
  }
  return {t, watts * t, static_cast<double>(devices) * t};
}

}  // namespace greenline::plan
