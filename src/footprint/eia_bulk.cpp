// The bulk file of Form EIA-930: one JSON object a line, one series each,
//   {"series_id":"EBA.BPAT-ALL.NG.WND.H","units":"megawatthours",…,"data":[["20210501T00Z",2184],…]}
// newest first. ".H" series are in UTC, ".HL" ones name the offset of their local time. The file
// holds every balancing authority and more than generation; only the lines that are wanted are
// parsed.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "footprint/fuel_columns.hpp"
#include "footprint/grid_layout.hpp"
#include "footprint/grid_table.hpp"
#include "io/json.hpp"

namespace greenline::footprint {
namespace {

using base::Instant;

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct Line {
  std::string_view text;
  std::size_t number;  // from 1
};

// The series of a line: "EBA.<region>-ALL.NG.<fuel>.H" or ".HL".
struct SeriesId {
  std::string region, code;
  bool local = false;
};
std::optional<SeriesId> parse_id(std::string_view id) {
  constexpr std::string_view kHead = "EBA.", kMiddle = "-ALL.NG.";
  if (!id.starts_with(kHead)) return std::nullopt;
  const std::size_t middle = id.find(kMiddle);
  const std::size_t end = id.rfind('.');
  if (middle == std::string_view::npos || end < middle + kMiddle.size()) return std::nullopt;
  const std::string_view clock = id.substr(end + 1);
  const std::string_view code = id.substr(middle + kMiddle.size(), end - middle - kMiddle.size());
  const std::string_view region = id.substr(kHead.size(), middle - kHead.size());
  if ((clock != "H" && clock != "HL") || code.empty() || region.empty()) return std::nullopt;
  return SeriesId{std::string(region), std::string(code), clock == "HL"};
}

std::vector<Line> lines_of(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<Line> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.find_first_not_of(kBlanks) != std::string_view::npos) lines.push_back({line, number});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The text of the first "series_id" of a line, without parsing the line; "" where there is none, as
// in the lines of categories.
std::string_view id_of(std::string_view line) {
  constexpr std::string_view kKey = "\"series_id\"";
  std::size_t at = line.find(kKey);
  if (at == std::string_view::npos) return {};
  at = line.find_first_not_of(kBlanks, at + kKey.size());
  if (at == std::string_view::npos || line[at] != ':') return {};
  at = line.find_first_not_of(kBlanks, at + 1);
  if (at == std::string_view::npos || line[at] != '"') return {};
  const std::size_t end = line.find('"', at + 1);
  return end == std::string_view::npos ? std::string_view{} : line.substr(at + 1, end - at - 1);
}

struct Point {
  Instant time;
  double value;          // NaN: null
  std::uint32_t column;  // in the line
};
struct Series {
  SeriesId id;
  std::size_t line;
  std::string file;
  std::vector<Point> points;  // oldest first
  base::Location where(std::size_t column) const { return {file, line, column}; }
};

[[noreturn]] void refuse(const std::string& what, const base::Location& where) {
  throw base::DataError("bad-series", what,
                        R"(write a line like {"series_id":"EBA.CISO-ALL.NG.WND.H","units":)"
                        R"("megawatthours","data":[["20210501T00Z",2184]]})",
                        where);
}

Instant point_time(const io::Value& value, const Series& series) {
  const std::string& text = value.as_text();
  const base::Location where = series.where(value.where().column);
  if (!names_zone(text))
    throw base::DataError("mixed-zones", fmt::format("{} names no zone", base::quoted(text)),
                          "write times like 20210501T00Z, or 20210501T00-07 in local time", where);
  try {
    return base::parse_instant(text);
  } catch (const base::UserError& error) {
    throw base::DataError("bad-time", error.message(), error.hint(), where);
  }
}

// One pair of the data. What io::Value complains about has the column but not the line.
Point point_of(const io::Value& pair, const Series& series) {
  const base::Location where = series.where(pair.where().column);
  const bool is_pair = pair.is_array() && pair.as_array().size() == 2;
  if (!is_pair || !pair.as_array()[0].is_text() ||
      !(pair.as_array()[1].is_null() || pair.as_array()[1].is_number()))
    refuse("expected a pair of a time and a number or null", where);
  const io::Value& number = pair.as_array()[1];
  return {point_time(pair.as_array()[0], series),
          number.is_null() ? std::numeric_limits<double>::quiet_NaN() : number.as_double(),
          static_cast<std::uint32_t>(number.where().column)};
}

io::Value parse_line(const Line& line, const std::string& name) {
  try {
    return io::parse_json(line.text, name);
  } catch (const base::DataError& error) {
    throw base::DataError(error.code(), error.message(), error.hint(),
                          {name, line.number, error.where().column});
  }
}

Series read_series(const Line& line, SeriesId id, const std::string& name) {
  Series series{std::move(id), line.number, name, {}};
  const io::Value object = parse_line(line, name);
  const io::Value* data = object.find("data");
  if (!data || !data->is_array()) refuse("expected an array \"data\"", series.where(1));
  const io::Value* unit = object.find("units");
  if (!unit || !unit->is_text()) refuse("expected a text \"units\"", series.where(1));
  if (unit->as_text() != "megawatthours" && unit->as_text() != "megawatts")
    throw base::DataError(
        "unknown-unit",
        fmt::format("units {}; expected megawatthours of the hour", base::quoted(unit->as_text())),
        "convert the values", series.where(unit->where().column));
  for (const io::Value& pair : data->as_array()) series.points.push_back(point_of(pair, series));
  if (series.points.empty()) return series;
  if (series.points.front().time > series.points.back().time)
    std::reverse(series.points.begin(), series.points.end());
  for (std::size_t i = 1; i < series.points.size(); ++i) {
    const Point &before = series.points[i - 1], &point = series.points[i];
    if (point.time > before.time) continue;
    throw base::DataError(
        point.time == before.time ? "duplicate-hour" : "unsorted-hours",
        fmt::format("series {}: {} stands beside {}; expected each hour once and in order",
                    series.id.code, base::format_instant(point.time),
                    base::format_instant(before.time)),
        "sort the points by time and keep one of an hour", series.where(point.column));
  }
  return series;
}

struct Found {
  SeriesId id;
  Line line;
};

std::vector<Found> find_series(const std::vector<Line>& lines, const std::string& name) {
  std::vector<Found> found;
  std::vector<std::string> others;
  for (const Line& line : lines) {
    const std::string_view id = id_of(line.text);
    if (id.empty()) {
      // A category, or damage.
      if (line.text.find("\"category_id\"") == std::string_view::npos) parse_line(line, name);
    } else if (auto series = parse_id(id)) {
      found.push_back({*std::move(series), line});
    } else if (others.size() < 3) {
      others.emplace_back(id);
    }
  }
  if (!found.empty()) return found;
  throw base::DataError(
      "unknown-layout",
      fmt::format("JSON lines without a series of generation by fuel; expected series_id "
                  "EBA.<region>-ALL.NG.<fuel>.H{}{}",
                  others.empty() ? "" : ", got: ", fmt::join(others, ", ")),
      "keep the lines of net generation by energy source", {name, 1, 1});
}

std::vector<std::string> regions_in(const std::vector<Found>& found) {
  std::set<std::string> names;
  for (const Found& f : found) names.insert(f.id.region);
  return {names.begin(), names.end()};
}

// Of each fuel code of a region the UTC series, or the local one where there is no other.
std::vector<Found> of_region(std::vector<Found> found, const std::string& region,
                             const std::string& name) {
  std::map<std::string, Found> chosen;
  for (Found& f : found) {
    if (f.id.region != region) continue;
    const auto [at, is_new] = chosen.emplace(f.id.code, f);
    if (is_new) continue;
    if (at->second.id.local == f.id.local)
      throw base::DataError("duplicate-series",
                            fmt::format("{} of {} stands on line {} already", f.id.code, region,
                                        at->second.line.number),
                            "keep one of the two lines", {name, f.line.number, 1});
    if (at->second.id.local) at->second = f;
  }
  std::vector<Found> out;
  for (auto& [code, f] : chosen) out.push_back(std::move(f));
  return out;
}

// The hours that all series have in common, and what had to go.
struct Span {
  Instant first, last;
};
Span common_span(const std::vector<Series>& all, const std::string& name, base::Journal& journal) {
  Span span{all[0].points.front().time, all[0].points.back().time}, whole = span;
  for (const Series& s : all) {
    span.first = std::max(span.first, s.points.front().time);
    span.last = std::min(span.last, s.points.back().time);
    whole.first = std::min(whole.first, s.points.front().time);
    whole.last = std::max(whole.last, s.points.back().time);
  }
  if (span.last < span.first)
    throw base::DataError("no-rows", "the series have no hour in common", "", all[0].where(1));
  if (span.first != whole.first || span.last != whole.last)
    journal.notice(
        fmt::format("{}: the series do not begin and end together; read from {} to {}, "
                    "where all have values (of {} to {})",
                    name, base::format_instant(span.first), base::format_instant(span.last),
                    base::format_instant(whole.first), base::format_instant(whole.last)));
  return span;
}

// Adds a series to the column of its fuel.
void add(const Series& series, const std::vector<Instant>& times, GridColumn& column,
         std::vector<std::uint32_t>& places) {
  for (const Point& p : series.points) {
    const auto at = std::lower_bound(times.begin(), times.end(), p.time);
    if (at == times.end() || *at != p.time || std::isnan(p.value)) continue;
    const auto row = static_cast<std::size_t>(at - times.begin());
    column.numbers[row] = std::isnan(column.numbers[row]) ? p.value : column.numbers[row] + p.value;
    places[row] = p.column;
  }
}

void refuse_missing(const Series& series, const std::vector<Instant>& times,
                    const GridColumn& column) {
  for (std::size_t row = 0; row < times.size(); ++row)
    if (std::isnan(column.numbers[row]))
      throw base::DataError("missing-hour",
                            fmt::format("series {} of {} has no value at {}", series.id.code,
                                        series.id.region, base::format_instant(times[row])),
                            "--fill interpolate repairs up to 3 hours in a row", series.where(1));
}

}  // namespace

bool is_eia_bulk(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first != std::string_view::npos && text[first] == '{';
}

std::vector<std::string> regions_of_bulk(const std::string& text, const std::string& name) {
  return regions_in(find_series(lines_of(text), name));
}

GridRows read_eia_bulk(const std::string& text, const std::string& name, const GridInput& input,
                       Tolerance tolerance, const catalog::Catalog& facts, base::Journal& journal) {
  std::vector<Found> found = find_series(lines_of(text), name);
  const std::string region = choose_region(regions_in(found), input.region, name);
  found = of_region(std::move(found), region, name);

  const std::vector<std::string> codes = fuel_codes(facts);
  std::vector<Series> all;
  std::vector<std::string> skipped;
  for (const Found& f : found) {
    if (series_fuel(f.id.code, codes).empty()) {
      skipped.push_back(f.id.code);
      continue;
    }
    Series series = read_series(f.line, f.id, name);
    if (series.points.empty())
      skipped.push_back(f.id.code + " (no values)");
    else
      all.push_back(std::move(series));
  }
  if (all.empty())
    throw base::DataError("no-rows", fmt::format("region {}: no series has a value", region), "",
                          {name, found[0].line.number, 1});
  const bool local =
      std::any_of(all.begin(), all.end(), [](const Series& s) { return s.id.local; });
  journal.notice(
      fmt::format("{}: read as {} (bulk file of Form EIA-930), region {}, {} series in {}", name,
                  kBulkLayout, region, all.size(), local ? "local time with its offset" : "UTC"));
  if (!skipped.empty())
    journal.notice(fmt::format("{}: series not used: {}", name, fmt::join(skipped, ", ")));

  const Span span = common_span(all, name, journal);
  std::set<Instant> stamps;
  for (const Series& s : all)
    for (const Point& p : s.points)
      if (p.time >= span.first && p.time <= span.last) stamps.insert(p.time);
  const std::vector<Instant> times(stamps.begin(), stamps.end());

  GridRows rows;
  const auto places = std::make_shared<std::vector<std::vector<std::uint32_t>>>();
  const auto lines = std::make_shared<std::vector<std::size_t>>();
  for (const Series& s : all) {
    const std::string fuel = series_fuel(s.id.code, codes);
    auto column = std::find_if(rows.columns.begin(), rows.columns.end(),
                               [&](const GridColumn& c) { return c.code == fuel; });
    if (column == rows.columns.end()) {
      rows.columns.push_back(
          {fuel, s.id.code, rows.columns.size(), true,
           std::vector<double>(times.size(), std::numeric_limits<double>::quiet_NaN())});
      column = rows.columns.end() - 1;
      places->emplace_back(times.size(), 1u);
      lines->push_back(s.line);
    }
    add(s, times, *column, places->at(column->column));
    if (!tolerance.missing_cells()) refuse_missing(s, times, *column);
  }
  rows.table.name = name;
  rows.table.layout = kBulkLayout;
  rows.table.region = region;
  rows.table.where_row = [name, places, lines](std::size_t row, std::size_t column) {
    const std::size_t c = std::min(column, lines->size() - 1);
    return base::Location{name, (*lines)[c], (*places)[c][row]};
  };
  rows.stamps = {
      .file = name,
      .header = "data",
      .times = times,
      .zoned = true,
      .local = false,
      .said = Stamp::automatic,
      .where = [where = rows.table.where_row](std::size_t row) { return where(row, 0); }};
  return rows;
}

}  // namespace greenline::footprint
