// The time column of a file with one row an hour: found, checked and turned into interval starts.
#pragma once

#include <cstddef>

#include "base/journal.hpp"
#include "base/time.hpp"
#include "footprint/grid_hours.hpp"
#include "io/csv.hpp"

namespace greenline::footprint {

struct HourAxis {
  base::Instant start;
  std::size_t num_hours = 0;  // rows of the table
  std::size_t time_column = 0;
};

// Row i of the table is the hour [start + i h, start + (i+1) h). A header that says "end of hour"
// or "hour ending" shifts all stamps by -1 h; without a hint a stamp starts its hour, and both are
// said in the journal. DataError: "unknown-layout" (no time column), "no-rows", "bad-time",
// "missing-hour", "duplicate-hour", "unsorted-hours", "not-hourly", "mixed-zones" (some times name
// one), "implausible-time" (before 1882 or after 2200). UserError "stamp-contradiction": `stamp`
// says what the header denies.
HourAxis read_hour_axis(const io::CsvTable& table, Stamp stamp, base::Journal& journal);

}  // namespace greenline::footprint
