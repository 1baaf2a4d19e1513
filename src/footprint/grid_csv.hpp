// Grid files that are tables of columns.
#pragma once

#include "footprint/grid_layout.hpp"
#include "footprint/grid_table.hpp"
#include "io/csv.hpp"

namespace greenline::footprint {

// See read_grid_table.
GridTable read_grid_csv(io::CsvTable table, const GridInput& input, Tolerance tolerance,
                        const catalog::Catalog& facts, base::Journal& journal);

// The names in the column of regions, sorted; none without such a column.
std::vector<std::string> regions_of_csv(const io::CsvTable& table, const Layout& layout);

}  // namespace greenline::footprint
