// Hourly grid files: generation by fuel, or carbon intensity.
#pragma once

#include <string>

#include "base/journal.hpp"
#include "catalog/catalog.hpp"
#include "footprint/grid_hours.hpp"
#include "io/csv.hpp"

namespace greenline::footprint {

// `table` has a time column and either columns named by fuel code (WND SUN WAT OIL NG COL NUC OTH,
// energy of the hour) or one column whose name says intensity. The level and the name are left to
// the caller. DataError "unknown-layout", "ambiguous-intensity", "duplicate-fuel", "unknown-unit",
// "no-generation", "negative-intensity", "implausible-intensity", and those of the CSV reader and
// of read_hour_axis. UserError "no-factor".
GridHours read_grid(const io::CsvTable& table, const GridInput& input,
                    const catalog::Catalog& facts, base::Journal& journal);

// True when a year's source holds every calendar hour: its end reaches the same date of the next
// year.
bool holds_whole_year(base::Instant start, base::Instant end);

// Refuses a mean outside every known range with the likely cause: kg/kWh, or g/MWh, taken for
// g/kWh. `place` is that of the column; without a file the number is the user's own (UserError).
void check_plausible(CarbonIntensity mean, const catalog::Catalog& facts, const std::string& what,
                     base::Location place);

}  // namespace greenline::footprint
