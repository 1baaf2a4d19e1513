// Generation by fuel to carbon intensity: Σ e_f G_f / Σ G_f of each hour (Carbon Explorer, section
// 3).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/quantity.hpp"
#include "catalog/catalog.hpp"
#include "footprint/grid_hours.hpp"
#include "footprint/grid_table.hpp"
#include "io/csv.hpp"

namespace greenline::footprint {

struct FuelColumn {
  std::string code;  // "WND"
  std::size_t column = 0;
  base::Energy unit;      // of one hour; MWh unless the header says otherwise, as in Form EIA-930
  bool is_power = false;  // a mean power: of steps within an hour the mean counts, not the sum
};

// Every fuel code of the factor sets in the catalogue, sorted.
std::vector<std::string> fuel_codes(const catalog::Catalog& facts);

// The columns whose name is a fuel code, alone or with a unit ("WND", "wnd_mwh"). DataError
// "duplicate-fuel".
std::vector<FuelColumn> find_fuels(const io::CsvTable& table, const catalog::Catalog& facts);

// Fills intensity, generation, wind and solar from hours without gaps and negative numbers. Fuels
// that read 0 where they usually run are counted in the journal. UserError "unknown-factors",
// "no-factor"; DataError "implausible-generation".
void read_generation(const GridTable& table, const std::string& factors,
                     const catalog::Catalog& facts, GridHours& grid, base::Journal& journal);

// Mean intensity of the hours of a table under a factor set, over those with generation; negative
// numbers count as 0, missing ones leave their hour out.
std::optional<base::CarbonIntensity> mean_intensity(const GridTable& table,
                                                    const std::string& factors,
                                                    const catalog::Catalog& facts);

}  // namespace greenline::footprint
