// Time stamps as a file writes them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/journal.hpp"
#include "base/time.hpp"
#include "footprint/grid_hours.hpp"
#include "io/csv.hpp"

namespace greenline::footprint {

// How a layout writes a time: ISO 8601, or "7/1/2023 5:00:00 AM" (ISO 8601 too).
enum class Clock { iso, american };

struct Stamps {
  std::string file, header;          // header: of the time column, quoted in messages
  std::vector<base::Instant> times;  // (num_rows); without a zone: the clock's reading as if in UTC
  bool zoned = false;                // the file says UTC, or each time names its offset
  bool local = false;                // the file says that the times are local ones
  Stamp said = Stamp::automatic;     // what the header, or the documentation of the layout, says
  std::function<base::Location(std::size_t row)> where;
};

// The column whose header looks most like UTC times; one of local times only when there is no
// other. DataError "unknown-layout".
std::size_t time_column(const io::CsvTable& table);

// The times of some rows of a column. DataError "no-rows", "bad-time", "mixed-zones". The table
// must outlive the stamps.
Stamps read_stamps(const io::CsvTable& table, std::size_t column,
                   const std::vector<std::size_t>& rows, Clock clock);

// True when a time says its own zone: a trailing Z or UTC, or an offset after the clock.
bool names_zone(std::string_view text);

// Local wall clocks to UTC by the rules of `timezone`, in place. A time that the clock shows twice
// is settled by the order of the rows. A time that it skips is a DataError "skipped-local-time",
// except where it ends a step that ends with the jump. `stamp` and `step` say which those are.
// UserError "unknown-time-zone".
void resolve_local(Stamps& stamps, const std::string& timezone, Stamp stamp, base::Time step);

}  // namespace greenline::footprint
