// Rows to hours, and the way to the reader of a file.
#include "footprint/grid_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "footprint/grid_csv.hpp"
#include "footprint/grid_layout.hpp"

namespace greenline::footprint {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// One value an hour. An hour that lacks one of its steps is missing.
std::vector<double> hours_of(const GridColumn& column, const HourAxis& axis) {
  std::vector<double> values;
  values.reserve(axis.num_hours);
  for (std::size_t step = 0; step < axis.rows.size(); step += axis.steps_per_hour) {
    double sum = 0;
    for (std::size_t k = 0; k < axis.steps_per_hour; ++k) {
      const std::uint32_t row = axis.rows[step + k];
      sum += row == kNoRow ? kMissing : column.numbers[row];
    }
    values.push_back(column.adds_up ? sum : sum / static_cast<double>(axis.steps_per_hour));
  }
  return values;
}

void say_resampled(const GridRows& rows, const HourAxis& axis, base::Journal& journal) {
  if (axis.steps_per_hour == 1) return;
  const bool adds_up = rows.columns.front().adds_up;
  journal.notice(fmt::format("{}: steps of {} became hours: {} of {} each", rows.table.name,
                             base::format_quantity(axis.step), adds_up ? "the sum" : "the mean",
                             axis.steps_per_hour));
}

}  // namespace

base::Instant GridTable::time(std::size_t hour) const {
  return base::advance(axis.start, 1.0 * base::units::h, hour);
}

base::Location GridTable::where(std::size_t hour, std::size_t column) const {
  std::size_t step = hour * axis.steps_per_hour;
  while (axis.rows[step] == kNoRow) ++step;  // the last step has a row
  return where_row(axis.rows[step], column);
}

GridTable table_of(GridRows rows, const GridInput& input, Tolerance tolerance,
                   base::Journal& journal) {
  GridTable table = std::move(rows.table);
  table.axis = make_hour_axis(
      rows.stamps,
      {.stamp = input.stamp, .timezone = input.timezone, .longest_gap = tolerance.longest_gap},
      journal);
  for (GridColumn& column : rows.columns)
    table.columns.push_back(
        {column.code, column.header, column.column, hours_of(column, table.axis)});
  rows.table.name = table.name;
  say_resampled(rows, table.axis, journal);
  return table;
}

std::string choose_region(const std::vector<std::string>& known, const std::string& asked,
                          const std::string& file) {
  if (!asked.empty()) {
    if (std::find(known.begin(), known.end(), asked) != known.end()) return asked;
    throw base::unknown_name("region", asked, known,
                             fmt::format("{} holds: {}", file, fmt::join(known, ", ")));
  }
  if (known.size() == 1) return known[0];
  throw base::UserError(
      "several-regions",
      fmt::format("{} holds {} regions: {}", file, known.size(), fmt::join(known, ", ")),
      "choose one with --region", {file, 0, 0});
}

std::vector<std::string> regions_of(const std::string& text, const std::string& name,
                                    const GridInput& input, const catalog::Catalog& facts) {
  if (is_eia_bulk(text)) return regions_of_bulk(text, name);
  const io::CsvTable table = io::parse_csv(text, name);
  return regions_of_csv(table, recognise(table, facts, !input.unit.empty()));
}

GridTable read_grid_table(std::string text, const std::string& name, const GridInput& input,
                          Tolerance tolerance, const catalog::Catalog& facts,
                          base::Journal& journal) {
  if (is_eia_bulk(text))
    return table_of(read_eia_bulk(text, name, input, tolerance, facts, journal), input, tolerance,
                    journal);
  return read_grid_csv(io::parse_csv(std::move(text), name), input, tolerance, facts, journal);
}

}  // namespace greenline::footprint
