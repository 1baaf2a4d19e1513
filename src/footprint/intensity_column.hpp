// Which column of a table is the carbon intensity, in which unit, of which kind.
#pragma once

#include <cstddef>

#include "base/journal.hpp"
#include "base/quantity.hpp"
#include "footprint/grid_hours.hpp"
#include "footprint/grid_layout.hpp"
#include "io/csv.hpp"

namespace greenline::footprint {

struct IntensityColumn {
  std::size_t column = 0;
  base::CarbonIntensity unit;  // of its numbers
  bool is_marginal = false;    // its name says so
};

// Of columns for direct and life-cycle emissions the one that `input` asks for, by default the
// latter, which is what the factor sets here mean. DataError "ambiguous-intensity", "unknown-unit",
// "no-unit"; UserError "no-such-intensity", "unit-contradiction", "signal-contradiction",
// "unknown-unit" for --unit.
IntensityColumn choose_intensity(const io::CsvTable& table, const Layout& layout,
                                 const GridInput& input, base::Journal& journal);

}  // namespace greenline::footprint
