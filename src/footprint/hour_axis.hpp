// Time stamps to hours: in order, in UTC, at the start of their steps, checked, and with the steps
// that make up each hour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/time.hpp"
#include "footprint/grid_hours.hpp"
#include "footprint/stamps.hpp"
#include "io/csv.hpp"

namespace greenline::footprint {

struct HourAxis {
  base::Instant start;
  std::size_t num_hours = 0;
  base::Time step;  // of the rows: 1 h, or a part of it that divides it
  std::size_t steps_per_hour = 1;
  std::vector<std::uint32_t> rows;  // (num_hours × steps_per_hour) row of each step, or kNoRow
  Stamp stamp = Stamp::start;       // what the stamps were taken for
  std::size_t time_column = 0;      // of read_hour_axis
};
inline constexpr std::uint32_t kNoRow = 0xFFFFFFFF;

struct AxisInput {
  Stamp stamp = Stamp::automatic;
  std::string timezone = {};    // of times that name none; "": UTC, which is then assumed
  std::size_t longest_gap = 0;  // hours that may be missing in a row
};

// Rows may run from the newest to the oldest. A header that says "end of hour" or "hour ending"
// shifts all stamps by minus one step; without a hint a stamp starts its step, and both are said in
// the journal. DataError: "no-rows", "missing-hour", "duplicate-hour", "unsorted-hours",
// "not-hourly", "mixed-steps", "implausible-time" (before 1882 or after 2200), "no-time-zone"
// (local times without a zone), and those of resolve_local. UserError "stamp-contradiction":
// `stamp` says what the header denies.
HourAxis make_hour_axis(Stamps stamps, const AxisInput& input, base::Journal& journal);

// The same for a table with one row an hour and no gap, such as a load.
HourAxis read_hour_axis(const io::CsvTable& table, Stamp stamp, base::Journal& journal);

}  // namespace greenline::footprint
