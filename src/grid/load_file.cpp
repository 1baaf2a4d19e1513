#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "footprint/column_words.hpp"
#include "footprint/hour_axis.hpp"
#include "grid/load.hpp"
#include "io/csv.hpp"
#include "io/file.hpp"

namespace greenline::grid {
namespace {

using base::Power;
namespace units = base::units;

// A third of the electric power of the world: more is a wrong unit.
constexpr Power kMostLoad = 1000.0 * units::GW;

Power checked_load(const io::CsvTable& table, std::size_t row, std::size_t column, double number,
                   Power unit) {
  if (number < 0) {
    throw base::DataError(
        "negative-power",
        fmt::format("row {}: a load of {} is below 0", row + 1, base::shortest(number)),
        "correct the row; nothing is repaired", table.where(row, column));
  }
  const Power load = number * unit;
  if (load <= kMostLoad) return load;
  throw base::DataError("implausible-load",
                        fmt::format("row {}: a load of {:.4g} MW; expected at most {}", row + 1,
                                    number * unit.in(units::MW), base::format_quantity(kMostLoad)),
                        "check the unit of the column", table.where(row, column));
}

// Of the columns beside the time, the only one, or the only one that names a power.
std::size_t load_column(const io::CsvTable& table, std::size_t time_column) {
  std::vector<std::size_t> others, powers;
  for (std::size_t i = 0; i < table.header().size(); ++i) {
    if (i == time_column) continue;
    others.push_back(i);
    if (footprint::hourly_energy_unit(footprint::column_words(table.header()[i])))
      powers.push_back(i);
  }
  if (powers.size() == 1) return powers[0];
  if (powers.empty() && others.size() == 1) return others[0];
  throw base::DataError("unknown-layout",
                        fmt::format("expected a time column and one column of load, got: {}",
                                    fmt::join(table.header(), ", ")),
                        "keep the load column and name it load_mw", {table.name(), 1, 1});
}

Power unit_of(const io::CsvTable& table, std::size_t column) {
  const auto unit = footprint::hourly_energy_unit(footprint::column_words(table.header()[column]));
  if (unit) return *unit / (1.0 * units::h);
  throw base::DataError(
      "no-unit",
      fmt::format("column {} names no unit of power", base::quoted(table.header()[column])),
      "name it load_w, load_kw or load_mw", {table.name(), 1, 1});
}

}  // namespace

LoadSeries read_load(const std::string& path, base::Journal& journal) {
  const io::CsvTable table = io::parse_csv(io::read_file(path, &journal), path);
  const footprint::HourAxis axis =
      footprint::read_hour_axis(table, footprint::Stamp::automatic, journal);
  const std::size_t column = load_column(table, axis.time_column);
  const Power unit = unit_of(table, column);
  LoadSeries load{axis.start, 1.0 * units::h, {}};
  Power total{};
  const std::vector<double> numbers = table.numbers(table.header()[column]);
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    load.values.push_back(checked_load(table, row, column, numbers[row], unit));
    total += load.values.back();
  }
  if (!(total.base_value() > 0))
    throw base::DataError("no-load", "the load is 0 in every hour", "", {path, 2, 0});
  return load;
}

}  // namespace greenline::grid
