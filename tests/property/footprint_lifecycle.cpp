// The footprint of a life: what must hold whatever the phases.
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "footprint/act.hpp"
#include "footprint/functional_unit.hpp"
#include "footprint/lifecycle.hpp"

namespace greenline::footprint {
namespace {

namespace units = base::units;

constexpr double kRounding = 1e-12;  // a handful of products and sums in double

double between(double low, double high) {
  return low + (high - low) * *rc::gen::inRange(0, 1 << 20) / static_cast<double>(1 << 20);
}

// An empty range: these inputs are drawn, and only nominals are looked at.
LifecycleRequest any_life() {
  LifecycleRequest r;
  r.grid.grid = "380 g/kWh";
  r.pue = between(1, 2);
  r.utilisation = between(0.1, 0.9);
  r.lifetime = between(2, 7) * units::year;
  for (PhaseInput* phase :
       {&r.data, &r.experimentation, &r.training, &r.online_training, &r.inference}) {
    if (!*rc::gen::arbitrary<bool>()) continue;
    phase->energy = between(0, 1000) * units::MWh;
    phase->server_hours = between(0, 1e5) * units::h;
    phase->growth = between(0.5, 3);
  }
  r.training.energy = between(1, 1000) * units::MWh;
  r.training.server_hours = between(1, 1e5) * units::h;
  return r;
}

LifecycleResult run(const LifecycleRequest& r) { return lifecycle(r, base::no_progress()); }

void near(base::Carbon a, base::Carbon b) {
  RC_ASSERT(std::abs((a - b).base_value()) <= kRounding * std::max(a, b).base_value());
}

RC_GTEST_PROP(Lifecycle, PhasesSumToTheTotal, ()) {
  LifecycleRequest r = any_life();
  r.market_intensity = between(0, 500) * units::g_per_kWh;
  r.market_share = between(0, 1);
  const LifecycleResult x = run(r);
  base::Carbon total, market;
  for (const PhaseResult& phase : x.phases) {
    near(phase.total.nominal(), phase.operational.nominal() + phase.embodied.nominal());
    total += phase.total.nominal();
    market += phase.market->nominal() + phase.embodied.nominal();
  }
  near(total, x.total.nominal());
  near(market, x.market_total->nominal());
}

RC_GTEST_PROP(Lifecycle, IsLinearInPueAndIntensity, ()) {
  const LifecycleRequest r = any_life();
  const LifecycleResult x = run(r);
  LifecycleRequest other = r;
  other.pue = *r.pue * 1.5;
  near(run(other).operational.nominal(), x.operational.nominal() * 1.5);
  near(run(other).embodied.nominal(), x.embodied.nominal());
  other = r;
  other.grid.grid = "760 g/kWh";
  near(run(other).operational.nominal(), x.operational.nominal() * 2);
  near(run(other).embodied.nominal(), x.embodied.nominal());
}

RC_GTEST_PROP(Lifecycle, FallsInUtilisationAndLifetime, ()) {
  const LifecycleRequest r = any_life();
  const LifecycleResult x = run(r);
  LifecycleRequest other = r;
  other.utilisation = *r.utilisation * 1.1;
  RC_ASSERT(run(other).embodied.nominal() < x.embodied.nominal());
  other = r;
  other.lifetime = *r.lifetime * 1.1;
  RC_ASSERT(run(other).embodied.nominal() < x.embodied.nominal());
  for (std::size_t i = 1; i < x.what_if.utilisation.size(); ++i)
    RC_ASSERT(x.what_if.total[i] < x.what_if.total[i - 1]);
  for (std::size_t i = 1; i < x.what_if.lifetime.size(); ++i)
    RC_ASSERT(x.what_if.lifetime_total[i] < x.what_if.lifetime_total[i - 1]);
}

// Busy hours carry the idle ones.
RC_GTEST_PROP(Lifecycle, ReservedIsBusyTimesUtilisation, ()) {
  LifecycleRequest r = any_life();
  const LifecycleResult busy = run(r);
  r.amortize = Amortize::reserved;
  near(run(r).embodied.nominal(), busy.embodied.nominal() * *r.utilisation);
}

// What is left of the demand that grew by the rebound is the net saving.
RC_GTEST_PROP(Lifecycle, ReboundUndoesTheSavings, ()) {
  const Rebound r{between(0, 0.9), between(0, 10), between(-1, 0.9)};
  const double left = rebound_factor(r) * std::pow(1 - r.reduction, r.periods);
  RC_ASSERT(std::abs(left - (1 - r.net)) <= 1e-9);
}

RC_GTEST_PROP(Act, CarbonOfAnAreaFallsWithYieldAndRisesWithTheIntensity, ()) {
  const catalog::Catalog facts(base::Settings{});
  const FabNode node = fab_node(facts, "act-7nm", between(0.95, 0.99));
  const auto intensity = between(1, 900) * units::g_per_kWh;
  const double yield = between(0.2, 0.9);
  RC_ASSERT(carbon_per_area(node, intensity, yield) >
            carbon_per_area(node, intensity, yield * 1.1));
  RC_ASSERT(carbon_per_area(node, intensity, yield) <
            carbon_per_area(node, intensity * 1.1, yield));
  // Clustered defects spare more dies than scattered ones.
  const base::Area die = between(0.1, 9) * units::cm2;
  const DefectDensity defects = between(0.01, 0.5) / (1.0 * units::cm2);
  RC_ASSERT(murphy_yield(die, defects) > poisson_yield(die, defects));
  RC_ASSERT(murphy_yield(die, defects) < 1);
}

}  // namespace
}  // namespace greenline::footprint
