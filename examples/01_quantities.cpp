// Quantities know their dimension, estimates know how far to trust themselves.
//   Build: part of the tree (target example_01_quantities), or against an installed library.
#include <cstdio>

#include "base/estimate.hpp"
#include "base/journal.hpp"
#include "base/quantity.hpp"
#include "base/quantity_text.hpp"

using namespace greenline::base;

int main() {
  const Power node = 6.5 * units::kW;
  const Time day = 1.0 * units::day;
  const Energy energy = node * day;
  std::printf("one node, one day: %s\n", format_quantity(energy).c_str());
  // `node + day` does not compile; `energy.in(units::W)` neither.

  // A node that draws 5.7 to 7.0 kW, on a grid of 300 to 420 g/kWh. Inputs with the same id move
  // together.
  const std::uint64_t seed = Settings{}.seed;
  const auto power =
      from_driver<Power>({"node_w", 6500, 5700, 7000, DriverScale::automatic, "measured"},
                         Evidence::measured, "measured", seed);
  const double g = units::g_per_kWh.factor;
  const auto grid = from_driver<CarbonIntensity>(
      {"grid", 360 * g, 300 * g, 420 * g, DriverScale::automatic, "assumed"}, Evidence::assumed,
      "assumed", seed);
  const Estimate<Carbon> carbon = power * Estimate<Time>(day) * grid;
  std::printf("carbon: %s (%s to %s)\n", format_quantity(carbon.nominal()).c_str(),
              format_quantity(carbon.low()).c_str(), format_quantity(carbon.high()).c_str());

  // What two results have in common cancels in their difference.
  const Estimate<Carbon> tenth = Estimate<double>(0.9) * carbon - carbon;
  std::printf("a tenth less: %s (%s to %s)\n", format_quantity(tenth.nominal()).c_str(),
              format_quantity(tenth.low()).c_str(), format_quantity(tenth.high()).c_str());
}
