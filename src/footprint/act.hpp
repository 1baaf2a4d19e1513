// Embodied carbon of circuits, memory and storage from how they are made (Gupta et al., ACT, ISCA
// 2022). Pure functions; the factors are facts of the catalogue, `act-*`.
//
//   logic    area · (I · EPA + GPA + MPA) / Y     EPA energy, GPA gases, MPA material of an area
//   memory   capacity · CPS / Y                   CPS carbon of a capacity; disks have no Y
//   total    packages · 150 g + the sum of the parts
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/estimate.hpp"
#include "catalog/catalog.hpp"

namespace greenline::footprint {

using EnergyPerArea = base::Quantity<base::kEnergy - base::kArea>;
using CarbonPerArea = base::Quantity<base::kCarbon - base::kArea>;
using CarbonPerData = base::Quantity<base::kCarbon - base::kData>;

// What making an area of one node takes.
struct FabNode {
  EnergyPerArea energy;
  CarbonPerArea gas, material;
};
// `node`: "act-7nm"; `abatement`: share of the gases that is abated, between 0.95 and 0.99, linear
// between the two rows of the source. UserError "unknown-fact", "out-of-bounds".
FabNode fab_node(const catalog::Catalog& facts, std::string_view node, double abatement = 0.97);

// UserError "out-of-bounds" unless 0 < yield <= 1.
CarbonPerArea carbon_per_area(const FabNode& node, base::CarbonIntensity fab_power, double yield);
base::Carbon logic_carbon(base::Area area, const FabNode& node, base::CarbonIntensity fab_power,
                          double yield);
// Memory and flash; a disk with yield 1.
base::Carbon capacity_carbon(base::Data capacity, CarbonPerData per_capacity, double yield);

// Yields that fall with the area of the die: defects per area D0, after Poisson, e^(-A D0), and
// Murphy, ((1 - e^(-A D0)) / (A D0))^2. Options; ACT itself takes a constant.
using DefectDensity = base::Quantity<-base::kArea>;
double poisson_yield(base::Area area, DefectDensity defects);
double murphy_yield(base::Area area, DefectDensity defects);

// The metrics of ACT for ranking designs: carbon by delay and energy.
struct DesignMetrics {
  double carbon_delay = 0;           // gCO2e · s
  double carbon_energy = 0;          // gCO2e · J
  double carbon_squared_energy = 0;  // gCO2e² · J
  double carbon_energy_squared = 0;  // gCO2e · J²
};
DesignMetrics design_metrics(base::Carbon embodied, base::Time delay, base::Energy energy);

}  // namespace greenline::footprint
