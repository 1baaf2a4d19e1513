#include "footprint/act.hpp"

#include <cmath>

#include <fmt/format.h>

namespace greenline::footprint {
namespace {

namespace units = base::units;

void require_yield(double yield) {
  GL_USER_CHECK(yield > 0 && yield <= 1, "out-of-bounds",
                fmt::format("the yield of a die is {}; expected more than 0 and at most 1", yield));
}

}  // namespace

FabNode fab_node(const catalog::Catalog& facts, std::string_view node, double abatement) {
  GL_USER_CHECK(abatement >= 0.95 && abatement <= 0.99, "out-of-bounds",
                fmt::format("the abatement of fab gases is {}; the factors are known from 0.95 to "
                            "0.99",
                            abatement));
  const auto gas_95 = facts.get<CarbonPerArea>(fmt::format("{}.fab_gas_95", node));
  const auto gas_99 = facts.get<CarbonPerArea>(fmt::format("{}.fab_gas_99", node));
  return {facts.get<EnergyPerArea>(fmt::format("{}.fab_energy", node)),
          gas_95 + (gas_99 - gas_95) * ((abatement - 0.95) / 0.04),
          facts.get<CarbonPerArea>(fmt::format("{}.fab_material", node))};
}

CarbonPerArea carbon_per_area(const FabNode& node, base::CarbonIntensity fab_power, double yield) {
  require_yield(yield);
  return (fab_power * node.energy + node.gas + node.material) / yield;
}

base::Carbon logic_carbon(base::Area area, const FabNode& node, base::CarbonIntensity fab_power,
                          double yield) {
  return area * carbon_per_area(node, fab_power, yield);
}

base::Carbon capacity_carbon(base::Data capacity, CarbonPerData per_capacity, double yield) {
  require_yield(yield);
  return capacity * per_capacity / yield;
}

double poisson_yield(base::Area area, DefectDensity defects) { return std::exp(-(area * defects)); }

double murphy_yield(base::Area area, DefectDensity defects) {
  const double expected = area * defects;
  if (expected == 0) return 1;
  return std::pow(-std::expm1(-expected) / expected, 2);
}

DesignMetrics design_metrics(base::Carbon embodied, base::Time delay, base::Energy energy) {
  const double c = embodied.in(units::gCO2e), d = delay.in(units::s), e = energy.in(units::J);
  return {c * d, c * e, c * c * e, c * e * e};
}

}  // namespace greenline::footprint
