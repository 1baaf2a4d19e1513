// A grid file as hours and columns of numbers, whatever its layout: what is missing is NaN, nothing
// is repaired yet.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/journal.hpp"
#include "catalog/catalog.hpp"
#include "footprint/grid_hours.hpp"
#include "footprint/hour_axis.hpp"

namespace greenline::footprint {

// A column of rows, before they become hours.
struct GridColumn {
  std::string code;             // fuel; "" for an intensity
  std::string header;           // of the first column of the file that is in it
  std::size_t column = 0;       // and where it stands
  bool adds_up = false;         // energies of a step add up to the hour; the rest is averaged
  std::vector<double> numbers;  // (num_rows) MWh of the step or MW; g/kWh. NaN: missing
};

struct HourColumn {
  std::string code, header;
  std::size_t column = 0;
  std::vector<double> values;  // (num_hours) MWh of the hour; g/kWh. NaN: missing
};

struct GridTable {
  std::string name;    // of the file
  std::string layout;  // "eia930-balance"
  std::string region;  // of a file that holds several; "" otherwise
  Signal signal = Signal::average;
  HourAxis axis;
  std::vector<HourColumn> columns;  // fuels in the order of the file, or one intensity
  std::function<base::Location(std::size_t row, std::size_t column)> where_row;

  bool is_generation() const { return !columns.front().code.empty(); }
  base::Instant time(std::size_t hour) const;
  // The place of the first row of an hour; where the hour has none, of the next that has one.
  base::Location where(std::size_t hour, std::size_t column) const;
};

// What a reader of one layout hands over.
struct GridRows {
  GridTable table;  // without axis and columns
  Stamps stamps;
  std::vector<GridColumn> columns;
};

// How many hours may be missing in a row, as rows or as empty cells. Without any, the first is an
// error at its place.
struct Tolerance {
  std::size_t longest_gap = 0;
  bool missing_cells() const { return longest_gap > 0; }
};

// From the bytes of a file (CSV, or JSON lines of the EIA): the layout is recognised by content and
// said in the journal. DataError "unknown-layout", "several-regions", "ambiguous-intensity",
// "duplicate-fuel", "duplicate-series", "bad-series", "unknown-unit", "no-unit" and those of the
// CSV reader and of make_hour_axis. UserError "unknown-region", "no-regions", "unit-contradiction",
// "signal-contradiction", "no-such-intensity".
GridTable read_grid_table(std::string text, const std::string& name, const GridInput& input,
                          Tolerance tolerance, const catalog::Catalog& facts,
                          base::Journal& journal);

// The regions that a file tells apart, sorted; none when it does not.
std::vector<std::string> regions_of(const std::string& text, const std::string& name,
                                    const GridInput& input, const catalog::Catalog& facts);

// The readers behind it.
GridTable table_of(GridRows rows, const GridInput& input, Tolerance tolerance,
                   base::Journal& journal);
bool is_eia_bulk(std::string_view text);
std::vector<std::string> regions_of_bulk(const std::string& text, const std::string& name);
GridRows read_eia_bulk(const std::string& text, const std::string& name, const GridInput& input,
                       Tolerance tolerance, const catalog::Catalog& facts, base::Journal& journal);

// The region of a file: the one asked for, or the only one. `known` is sorted.
std::string choose_region(const std::vector<std::string>& known, const std::string& asked,
                          const std::string& file);

}  // namespace greenline::footprint
