#include "footprint/grid_csv.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "footprint/column_words.hpp"
#include "footprint/fuel_columns.hpp"
#include "footprint/grid_layout.hpp"
#include "footprint/intensity_column.hpp"

namespace greenline::footprint {
namespace {

namespace units = base::units;
using Rows = std::vector<std::size_t>;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

bool is_missing(std::string_view cell) {
  std::string text;
  for (const char c : cell)
    if (c != ' ') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  static constexpr std::string_view kWords[] = {"", "nan", "na", "n/a", "null"};
  return std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

std::vector<double> numbers_of(const io::CsvTable& table, std::size_t column, const Rows& rows,
                               bool may_miss) {
  std::vector<double> numbers;
  numbers.reserve(rows.size());
  for (const std::size_t row : rows)
    numbers.push_back(may_miss && is_missing(table.cell(row, column)) ? kMissing
                                                                      : table.number(row, column));
  return numbers;
}

// The rows of the region that is read, and its name.
Rows rows_of_region(const io::CsvTable& table, const Layout& layout, const std::string& asked,
                    std::string& region) {
  const auto column = layout.region.empty() ? std::nullopt : find_column(table, layout.region);
  GL_USER_CHECK(column || asked.empty(), "no-regions",
                fmt::format("{} has no column of regions ({}); --region is {}", table.name(),
                            layout.name, base::quoted(asked)));
  if (column && table.num_rows() > 0)
    region = choose_region(regions_of_csv(table, layout), asked, table.name());
  Rows rows;
  for (std::size_t row = 0; row < table.num_rows(); ++row)
    if (!column || table.cell(row, *column) == region) rows.push_back(row);
  return rows;
}

void say_ignored(const io::CsvTable& table, const std::vector<bool>& used, base::Journal& journal) {
  std::vector<std::string> ignored;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) ignored.push_back(base::quoted(table.header()[i]));
  if (!ignored.empty())
    journal.notice(fmt::format("{}: column{} not used: {}", table.name(),
                               ignored.size() > 1 ? "s" : "", fmt::join(ignored, ", ")));
}

std::vector<GridColumn> fuel_columns(const io::CsvTable& table, const Rows& rows, bool may_miss,
                                     const catalog::Catalog& facts) {
  std::vector<GridColumn> columns;
  for (const FuelColumn& fuel : find_fuels(table, facts)) {
    const double to_mwh = fuel.unit.in(units::MWh);
    GridColumn column{fuel.code, table.header()[fuel.column], fuel.column, !fuel.is_power,
                      numbers_of(table, fuel.column, rows, may_miss)};
    for (double& x : column.numbers) x *= to_mwh;
    columns.push_back(std::move(column));
  }
  return columns;
}

// Column of each fuel: the adjusted one where the file has it, else the reported one. Those of
// imputed values are the part of the adjusted ones that the agency made up.
std::vector<std::pair<std::string, std::size_t>> balance_columns(const io::CsvTable& table) {
  bool has_adjusted = false;
  std::vector<std::pair<std::string, std::size_t>> reported, adjusted;
  for (std::size_t i = 0; i < table.num_columns(); ++i) {
    const std::vector<std::string> words = column_words(table.header()[i]);
    const std::string fuel = balance_fuel(words);
    if (fuel.empty()) continue;
    (words.back() == "adjusted" ? adjusted : reported).emplace_back(fuel, i);
    has_adjusted = has_adjusted || words.back() == "adjusted";
  }
  return has_adjusted ? adjusted : reported;
}

bool is_blank(const io::CsvTable& table, std::size_t column, const Rows& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](std::size_t row) { return is_missing(table.cell(row, column)); });
}

// Adds a further column of a fuel. What is blank in one of them and a number in another counts as
// 0 there: nothing was reported. Returns how many.
std::size_t add_to(GridColumn& sum, const std::vector<double>& numbers) {
  std::size_t num_blank = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    double& total = sum.numbers[i];
    if (std::isnan(total) != std::isnan(numbers[i])) ++num_blank;
    total = std::isnan(total) ? numbers[i] : total + (std::isnan(numbers[i]) ? 0 : numbers[i]);
  }
  return num_blank;
}

std::vector<GridColumn> balance_fuels(const io::CsvTable& table, const Rows& rows, bool may_miss,
                                      const std::string& region, base::Journal& journal) {
  std::vector<GridColumn> columns;
  std::vector<std::string> blank;
  std::size_t num_blank_cells = 0;
  const auto chosen = balance_columns(table);
  for (const auto& [fuel, i] : chosen) {
    if (is_blank(table, i, rows)) {
      blank.push_back(base::quoted(table.header()[i]));
      continue;
    }
    const auto same = std::find_if(columns.begin(), columns.end(),
                                   [&code = fuel](const GridColumn& c) { return c.code == code; });
    std::vector<double> numbers = numbers_of(table, i, rows, true);
    if (same == columns.end())
      columns.push_back({fuel, table.header()[i], i, false, std::move(numbers)});
    else
      num_blank_cells += add_to(*same, numbers);
  }
  if (columns.empty())
    throw base::DataError("no-generation", fmt::format("region {}: no generation by fuel", region),
                          "by fuel it was reported from July 2018 on", table.where_header());
  for (const GridColumn& column : columns)
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (!may_miss && std::isnan(column.numbers[i]))
        throw base::DataError("empty-cell",
                              fmt::format("column {}, row {}: expected a number, got an empty cell",
                                          base::quoted(column.header), rows[i] + 1),
                              "--fill interpolate repairs up to 3 hours in a row",
                              table.where(rows[i], column.column));
  const bool adjusted = column_words(table.header()[chosen[0].second]).back() == "adjusted";
  journal.notice(fmt::format(
      "{}: the {} columns of generation by fuel are used; demand, interchange and storage are not",
      table.name(), adjusted ? "adjusted" : "reported"));
  if (!blank.empty())
    journal.notice(
        fmt::format("{}: no numbers of {} in {}", table.name(), region, fmt::join(blank, ", ")));
  if (num_blank_cells > 0)
    journal.notice(fmt::format("{}: {} blank cells beside a number of the same fuel count as 0",
                               table.name(), num_blank_cells));
  return columns;
}

}  // namespace

std::vector<std::string> regions_of_csv(const io::CsvTable& table, const Layout& layout) {
  const auto column = layout.region.empty() ? std::nullopt : find_column(table, layout.region);
  std::set<std::string_view> names;
  for (std::size_t row = 0; column && row < table.num_rows(); ++row)
    names.emplace(table.cell(row, *column));
  return {names.begin(), names.end()};
}

GridTable read_grid_csv(io::CsvTable csv, const GridInput& input, Tolerance tolerance,
                        const catalog::Catalog& facts, base::Journal& journal) {
  const auto table = std::make_shared<const io::CsvTable>(std::move(csv));
  const Layout& layout = recognise(*table, facts, !input.unit.empty());
  std::string region;
  const Rows rows = rows_of_region(*table, layout, input.region, region);
  const std::size_t time =
      layout.time.empty() ? time_column(*table) : *find_column(*table, layout.time);
  GridRows read{
      .table = {}, .stamps = read_stamps(*table, time, rows, layout.clock), .columns = {}};
  read.table.name = table->name();
  read.table.layout = layout.name;
  read.table.region = region;
  read.table.signal = input.signal.value_or(layout.signal.value_or(Signal::average));
  read.table.where_row = [table, rows](std::size_t row, std::size_t column) {
    return table->where(rows[row], column);
  };
  if (!layout.needs[0].empty())
    journal.notice(fmt::format("{}: read as {} ({}){}", table->name(), layout.name, layout.title,
                               region.empty() ? "" : ", region " + region));
  const bool may_miss = tolerance.missing_cells();
  std::vector<bool> used(table->num_columns());
  used[time] = true;
  if (layout.content == Content::balance_fuels) {
    read.columns = balance_fuels(*table, rows, may_miss, region, journal);
  } else if (layout.content == Content::fuels) {
    read.columns = fuel_columns(*table, rows, may_miss, facts);
    GL_USER_CHECK(input.unit.empty(), "unit-contradiction",
                  fmt::format("{}: --unit is for intensities; a column of a fuel names its own: "
                              "WND_GWh",
                              table->name()));
  } else {
    const IntensityColumn chosen = choose_intensity(*table, layout, input, journal);
    if (chosen.is_marginal) read.table.signal = Signal::marginal;
    GridColumn column{"", table->header()[chosen.column], chosen.column, false,
                      numbers_of(*table, chosen.column, rows, may_miss)};
    for (double& x : column.numbers) x *= chosen.unit.in(units::g_per_kWh);
    read.columns.push_back(std::move(column));
  }
  for (const GridColumn& column : read.columns) used[column.column] = true;
  if (layout.content != Content::balance_fuels) {
    if (!layout.region.empty())
      if (const auto regions = find_column(*table, layout.region)) used[*regions] = true;
    say_ignored(*table, used, journal);
  }
  return table_of(std::move(read), input, tolerance, journal);
}

}  // namespace greenline::footprint
