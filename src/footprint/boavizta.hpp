// Embodied carbon of a component from its bill of materials, with the published formulas and
// factors of Boavizta (facts `boavizta.*`). Terms of mass and transport of an accelerator are not
// in: they need its mass, and add at most 1.5 %.
#pragma once

#include <string_view>

#include "base/estimate.hpp"
#include "catalog/catalog.hpp"

namespace greenline::footprint {

struct AcceleratorParts {
  base::Carbon casing, heatsink, board, die, memory, total;
};
// True where the catalogue has the bill of materials of `device` (`<device>.bom_die_effective`).
bool has_bill_of_materials(const catalog::Catalog& facts, std::string_view device);
AcceleratorParts accelerator_parts(const catalog::Catalog& facts, std::string_view device);

// The part of a 300 mm wafer that one good die takes: edge losses and a yield that falls with the
// area.
base::Area effective_area(base::Area die);

base::Carbon processor_carbon(const catalog::Catalog& facts, base::Area die);
// Modules of memory and drives of flash: density is capacity by area of the dies.
using DataDensity = base::Quantity<base::kData - base::kArea>;
base::Carbon memory_module_carbon(const catalog::Catalog& facts, base::Data capacity,
                                  DataDensity density);
base::Carbon flash_drive_carbon(const catalog::Catalog& facts, base::Data capacity,
                                DataDensity density);

}  // namespace greenline::footprint
