// What may be wrong with the hours of a grid file, and the two repairs that a user can ask for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "footprint/grid_table.hpp"

namespace greenline::footprint {

// Hours in which one fuel generates exactly nothing: at rest, or missing from the source.
struct ZeroRun {
  std::string code;
  std::size_t begin = 0, num_hours = 0;
};
// A run is suspicious from 3 h on; of solar, which rests at night, from 24 h on. A fuel without any
// generation is one run.
std::vector<ZeroRun> suspicious_runs(const GridTable& table);

struct Negatives {
  std::string code;
  std::size_t num_hours = 0, first = 0;
  double lowest = 0;  // MWh
};
std::vector<Negatives> negatives_of(const GridTable& table);

// Hours in which the fuels sum to 0, or fall below it.
std::vector<std::size_t> empty_hours(const GridTable& table);

// Negative generation becomes 0, if `allowed`; the number of values, which the journal tells too.
// DataError "negative-generation" with the place of the first otherwise.
std::int64_t clip_negatives(GridTable& table, bool allowed, base::Journal& journal);

// Missing values, and hours without any generation, become what lies on the line between their
// neighbours; the number of hours, which the journal tells too. DataError "no-generation" and
// "missing-hour" without Fill::interpolate, "gap-too-long" for more than kLongestFill hours in a
// row, or at the begin or end of the file.
std::int64_t fill_gaps(GridTable& table, Fill fill, base::Journal& journal);

}  // namespace greenline::footprint
