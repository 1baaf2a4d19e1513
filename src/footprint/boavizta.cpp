#include "footprint/boavizta.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace greenline::footprint {
namespace {

namespace units = base::units;
using CarbonPerArea = base::Quantity<base::kCarbon - base::kArea>;
using AreaPerData = base::Quantity<base::kArea - base::kData>;

}  // namespace

base::Area effective_area(base::Area die) {
  constexpr double kWaferRadius = 150;       // mm
  constexpr double kSawLane = 0.2;           // mm
  constexpr double kDefectsPerArea = 0.001;  // 1/mm²
  const double side = std::sqrt(die.in(units::mm2)) + kSawLane;
  const double area = side * side;
  const double wafer = std::numbers::pi * kWaferRadius * kWaferRadius;
  const double dies = wafer / area - std::numbers::pi * 2 * kWaferRadius / std::sqrt(2 * area);
  // The exponent is the root of the expected defects, as the source has it.
  return wafer / dies / std::exp(-std::sqrt(area * kDefectsPerArea)) * units::mm2;
}

bool has_bill_of_materials(const catalog::Catalog& facts, std::string_view device) {
  return facts.peek(fmt::format("{}.bom_die_effective", device)) != nullptr;
}

AcceleratorParts accelerator_parts(const catalog::Catalog& facts, std::string_view device) {
  const auto bill = [&](const char* part) { return fmt::format("{}.bom_{}", device, part); };
  AcceleratorParts p;
  p.casing = facts.get<base::Carbon>("boavizta.gpu_casing") * facts.get<double>(bill("casing"));
  p.heatsink =
      facts.get<base::Carbon>("boavizta.gpu_heatsink") * facts.get<double>(bill("heatsink"));
  p.board = facts.get<CarbonPerArea>("boavizta.gpu_board_per_area") *
            facts.get<base::Area>(bill("board"));
  p.die = facts.get<CarbonPerArea>("boavizta.gpu_die_per_area") *
          facts.get<base::Area>(bill("die_effective"));
  const double packages = facts.get<double>(bill("memory_dies"));
  const base::Area memory_die = facts.get<base::Data>(bill("memory")) *
                                facts.get<AreaPerData>("boavizta.gpu_memory_density") / packages;
  p.memory = facts.get<CarbonPerArea>("boavizta.gpu_memory_per_area") *
             (effective_area(memory_die) * packages);
  p.total = p.casing + p.heatsink + p.board + p.die + p.memory;
  return p;
}

base::Carbon processor_carbon(const catalog::Catalog& facts, base::Area die) {
  return facts.get<base::Carbon>("boavizta.cpu_base") +
         facts.get<CarbonPerArea>("boavizta.cpu_per_area") * die;
}

base::Carbon memory_module_carbon(const catalog::Catalog& facts, base::Data capacity,
                                  DataDensity density) {
  return facts.get<base::Carbon>("boavizta.ram_base") +
         facts.get<CarbonPerArea>("boavizta.memory_per_area") * (capacity / density);
}

base::Carbon flash_drive_carbon(const catalog::Catalog& facts, base::Data capacity,
                                DataDensity density) {
  return facts.get<base::Carbon>("boavizta.ssd_base") +
         facts.get<CarbonPerArea>("boavizta.memory_per_area") * (capacity / density);
}

}  // namespace greenline::footprint
