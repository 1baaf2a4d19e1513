#include "footprint/grid_repair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "base/quantity_text.hpp"

namespace greenline::footprint {
namespace {

constexpr std::size_t kShortestRun = 3, kShortestSolarRun = 24;  // hours

std::string negative_list(const std::vector<Negatives>& all) {
  std::string text;
  for (const Negatives& n : all)
    text += fmt::format("{}{} negative hour{} of {}", text.empty() ? "" : ", ", n.num_hours,
                        n.num_hours > 1 ? "s" : "", n.code);
  return text;
}

double lowest_of(const std::vector<Negatives>& all) {
  double lowest = 0;
  for (const Negatives& n : all) lowest = std::min(lowest, n.lowest);
  return lowest;
}

std::size_t end_of_gap(const std::vector<double>& values, std::size_t begin) {
  std::size_t end = begin;
  while (end < values.size() && std::isnan(values[end])) ++end;
  return end;
}

[[noreturn]] void refuse_gap(const GridTable& table, const HourColumn& column, std::size_t begin,
                             std::size_t end) {
  const std::size_t n = column.values.size();
  const bool at_edge = begin == 0 || end == n;
  const std::string what = column.code.empty() ? "the intensity" : column.code;
  throw base::DataError(
      "gap-too-long",
      fmt::format("{}: {} hour{} without a value from {}{}", what, end - begin,
                  end - begin > 1 ? "s" : "", base::format_instant(table.time(begin)),
                  at_edge ? ", at the begin or end of the file"
                          : fmt::format("; at most {} are interpolated", kLongestFill)),
      at_edge ? "cut the hours" : "add the rows from the source, or cut the file at the gap",
      table.where(std::min(end, n - 1), column.column));
}

}  // namespace

std::vector<ZeroRun> suspicious_runs(const GridTable& table) {
  std::vector<ZeroRun> runs;
  if (!table.is_generation()) return runs;
  for (const HourColumn& column : table.columns) {
    const std::size_t shortest = column.code == "SUN" ? kShortestSolarRun : kShortestRun;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= column.values.size(); ++i) {
      if (i < column.values.size() && column.values[i] == 0) continue;
      if (i - begin >= shortest) runs.push_back({column.code, begin, i - begin});
      begin = i + 1;
    }
  }
  return runs;
}

std::vector<Negatives> negatives_of(const GridTable& table) {
  std::vector<Negatives> all;
  if (!table.is_generation()) return all;
  for (const HourColumn& column : table.columns) {
    Negatives n{column.code, 0, 0, 0};
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      if (!(column.values[i] < 0)) continue;
      if (n.num_hours++ == 0) n.first = i;
      n.lowest = std::min(n.lowest, column.values[i]);
    }
    if (n.num_hours > 0) all.push_back(n);
  }
  return all;
}

std::vector<std::size_t> empty_hours(const GridTable& table) {
  std::vector<std::size_t> hours;
  if (!table.is_generation()) return hours;
  for (std::size_t i = 0; i < table.axis.num_hours; ++i) {
    double sum = 0;  // NaN: missing, which is not empty
    for (const HourColumn& column : table.columns) sum += column.values[i];
    if (sum <= 0) hours.push_back(i);
  }
  return hours;
}

std::int64_t clip_negatives(GridTable& table, bool allowed, base::Journal& journal) {
  const std::vector<Negatives> all = negatives_of(table);
  if (all.empty()) return 0;
  if (!allowed) {
    const Negatives& first = all[0];
    const auto column = std::find_if(table.columns.begin(), table.columns.end(),
                                     [&](const HourColumn& c) { return c.code == first.code; });
    throw base::DataError(
        "negative-generation",
        fmt::format("{}; the first of {} is {} MWh in the hour {}", negative_list(all), first.code,
                    base::shortest(column->values[first.first]),
                    base::format_instant(table.time(first.first))),
        "--clip-negative counts them as 0: what a plant at rest draws",
        table.where(first.first, column->column));
  }
  std::int64_t num_clipped = 0;
  for (HourColumn& column : table.columns)
    for (double& x : column.values)
      if (x < 0) x = 0, ++num_clipped;
  journal.notice(fmt::format("{}: {} count as 0 (lowest {} MWh)", table.name, negative_list(all),
                             base::shortest(lowest_of(all))));
  return num_clipped;
}

std::int64_t fill_gaps(GridTable& table, Fill fill, base::Journal& journal) {
  for (const std::size_t hour : empty_hours(table)) {
    if (fill == Fill::none)
      throw base::DataError(
          "no-generation",
          fmt::format("row {}: the fuels sum to 0 in the hour {}, so it has no intensity",
                      table.axis.rows[hour * table.axis.steps_per_hour] + 1,
                      base::format_instant(table.time(hour))),
          "correct the row; --fill interpolate repairs up to 3 hours in a row",
          table.where(hour, table.columns[0].column));
    for (HourColumn& column : table.columns)
      column.values[hour] = std::numeric_limits<double>::quiet_NaN();
  }
  std::set<std::size_t> filled;
  for (HourColumn& column : table.columns) {
    std::vector<double>& v = column.values;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const std::size_t end = end_of_gap(v, i);
      if (end == i) continue;
      if (fill == Fill::none || i == 0 || end == v.size() || end - i > kLongestFill)
        refuse_gap(table, column, i, end);
      const double before = v[i - 1], slope = (v[end] - before) / static_cast<double>(end - i + 1);
      for (std::size_t k = i; k < end; ++k) {
        v[k] = before + slope * static_cast<double>(k - i + 1);
        filled.insert(k);
      }
    }
  }
  if (!filled.empty())
    journal.notice(fmt::format("{}: {} missing hour{} interpolated, the first is {}", table.name,
                               filled.size(), filled.size() > 1 ? "s" : "",
                               base::format_instant(table.time(*filled.begin()))));
  return static_cast<std::int64_t>(filled.size());
}

}  // namespace greenline::footprint
