// Hourly grid files: generation by fuel, or carbon intensity.
#pragma once

#include <string>

#include "base/journal.hpp"
#include "catalog/catalog.hpp"
#include "footprint/grid_hours.hpp"

namespace greenline::footprint {

// `text` is the file `name`, of any layout of footprint/grid_layout.hpp. The level and the name are
// left to the caller. DataError "negative-generation" (unless input.clip_negative),
// "no-generation", "missing-hour" and "gap-too-long" (see fill_gaps), "negative-intensity",
// "implausible-intensity", "implausible-generation", and those of read_grid_table. UserError
// "no-factor", "no-marginal-signal".
GridHours read_grid(std::string text, const std::string& name, const GridInput& input,
                    const catalog::Catalog& facts, base::Journal& journal);

// True when a year's source holds every calendar hour: its end reaches the same date of the next
// year.
bool holds_whole_year(base::Instant start, base::Instant end);

// Refuses a mean outside every known range with the likely cause: kg/kWh, or g/MWh, taken for
// g/kWh. `place` is that of the column; without a file the number is the user's own (UserError).
void check_plausible(CarbonIntensity mean, const catalog::Catalog& facts, const std::string& what,
                     base::Location place);

}  // namespace greenline::footprint
