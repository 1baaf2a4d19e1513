// Generation by fuel to carbon intensity: Σ e_f G_f / Σ G_f of each hour (Carbon Explorer, section
// 3).
#pragma once

#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/quantity.hpp"
#include "catalog/catalog.hpp"
#include "footprint/grid_hours.hpp"
#include "io/csv.hpp"

namespace greenline::footprint {

struct FuelColumn {
  std::string code;  // "WND"
  std::size_t column = 0;
  base::Energy unit;  // of one hour; MWh unless the header says otherwise, as in Form EIA-930
};

// Every fuel code of the factor sets in the catalogue, sorted.
std::vector<std::string> fuel_codes(const catalog::Catalog& facts);

// The columns whose name is a fuel code, alone or with a unit ("WND", "wnd_mwh"). DataError
// "duplicate-fuel".
std::vector<FuelColumn> find_fuels(const io::CsvTable& table, const catalog::Catalog& facts);

// Fills intensity, generation, wind and solar; the hours are set already. Negative generation
// counts as 0, as in the references, and is counted in the journal; so are fuels that read 0 where
// they usually run. UserError "unknown-factors", "no-factor"; DataError "no-generation" where an
// hour sums to 0, "implausible-generation".
void read_generation(const io::CsvTable& table, const std::vector<FuelColumn>& fuels,
                     const std::string& factors, const catalog::Catalog& facts, GridHours& grid,
                     base::Journal& journal);

}  // namespace greenline::footprint
