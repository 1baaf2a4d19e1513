// The layouts of grid files that are known, as a table: how to recognise one, where its numbers are
// and what they mean. A new one is a row here, as long as it is a table of columns.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "footprint/grid_hours.hpp"
#include "footprint/stamps.hpp"
#include "io/csv.hpp"

namespace greenline::footprint {

// What the columns of a layout are.
enum class Content {
  fuels,          // named by fuel code, alone or with a unit
  balance_fuels,  // named as in the BALANCE files of Form EIA-930
  intensity,      // one whose name says intensity
  value           // one named value
};

struct Layout {
  std::string_view name;   // as in a result: "eia930-balance"
  std::string_view title;  // for people
  // Columns that a file of this layout has, as words; "" for none. Without any, the content
  // decides.
  std::string_view needs[2];
  Content content;
  std::string_view time;    // its time column, as words; "": the one that looks most like UTC
  std::string_view region;  // the column that tells regions apart, if there; "": none
  std::string_view unit;    // of values whose column names none; "": not known
  std::optional<Signal> signal;
  Clock clock = Clock::iso;
};

// Of a table of columns. The JSON lines of the EIA are kBulkLayout.
std::span<const Layout> table_layouts();
inline constexpr std::string_view kBulkLayout = "eia930-bulk";

// The first layout that fits. `with_unit`: the user gave the unit of the only column of numbers.
// DataError "unknown-layout" with the columns.
const Layout& recognise(const io::CsvTable& table, const catalog::Catalog& facts, bool with_unit);

// A column by its words ("zone id" is "Zone Id" too).
std::optional<std::size_t> find_column(const io::CsvTable& table, std::string_view words);

// The fuel of a column of a BALANCE file, "Net Generation (MW) from Coal (Adjusted)" -> COL, or "".
// What storage gives back was generated before: it has no fuel.
std::string balance_fuel(const std::vector<std::string>& words);

// The fuel of a series of Form EIA-930 by its code ("UNK" -> OTH), or "".
std::string series_fuel(std::string_view code, const std::vector<std::string>& known);

// Whether the words of a header name an intensity, or its unit.
bool names_intensity(const std::vector<std::string>& words);

}  // namespace greenline::footprint
