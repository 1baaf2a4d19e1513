#include "footprint/act.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "footprint/boavizta.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::footprint {
namespace {

namespace units = base::units;
constexpr double kRounding = 1e-12;  // a handful of products in double

TEST(Act, AbatementIsBetweenItsTwoRows) {
  const catalog::Catalog facts(base::Settings{});
  const auto gas = [&](double abatement) {
    return fab_node(facts, "act-7nm", abatement).gas.in(units::gCO2e / units::cm2);
  };
  EXPECT_NEAR(gas(0.95), 350, 350 * kRounding);
  EXPECT_NEAR(gas(0.97), 275, 275 * kRounding);
  EXPECT_NEAR(gas(0.99), 200, 200 * kRounding);
  testing::error_of<base::UserError>("out-of-bounds", [&] { gas(0.9); });
  testing::error_of<base::UserError>("unknown-fact", [&] { fab_node(facts, "act-6nm", 0.97); });
}

TEST(Act, RefusesAYieldThatIsNone) {
  for (const double yield : {0.0, -0.5, 1.1})
    testing::error_of<base::UserError>("out-of-bounds", [&] {
      capacity_carbon(1.0 * units::GB, 1.0 * units::gCO2e / (1.0 * units::GB), yield);
    });
}

TEST(Act, YieldsOfADie) {
  const base::Area die = 4.0 * units::cm2;
  const DefectDensity defects = 0.1 / (1.0 * units::cm2);
  EXPECT_NEAR(poisson_yield(die, defects), std::exp(-0.4), kRounding);
  EXPECT_NEAR(murphy_yield(die, defects), std::pow((1 - std::exp(-0.4)) / 0.4, 2), kRounding);
  EXPECT_EQ(murphy_yield(die, DefectDensity{}), 1);
}

TEST(Act, MetricsOfADesign) {
  const DesignMetrics m = design_metrics(2.0 * units::gCO2e, 3.0 * units::s, 5.0 * units::J);
  EXPECT_EQ(m.carbon_delay, 6);
  EXPECT_EQ(m.carbon_energy, 10);
  EXPECT_EQ(m.carbon_squared_energy, 20);
  EXPECT_EQ(m.carbon_energy_squared, 50);
}

TEST(Boavizta, Components) {
  const catalog::Catalog facts(base::Settings{});
  // 9.14 + 0.0197 · 694; 5.22 + 2.20 · 32 / 1.75; 6.34 + 2.20 · 960 / 49.6
  EXPECT_NEAR(processor_carbon(facts, 694.0 * units::mm2).in(units::kgCO2e), 22.8118, 1e-9);
  EXPECT_NEAR(memory_module_carbon(facts, 32.0 * units::GB, 1.75 * units::GB / (1.0 * units::cm2))
                  .in(units::kgCO2e),
              5.22 + 2.20 * 32 / 1.75, 1e-9);
  EXPECT_NEAR(flash_drive_carbon(facts, 960.0 * units::GB, 49.6 * units::GB / (1.0 * units::cm2))
                  .in(units::kgCO2e),
              6.34 + 2.20 * 960 / 49.6, 1e-9);
}

}  // namespace
}  // namespace greenline::footprint
