#include "render/figures.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "render/text.hpp"

namespace greenline::render {
namespace {

constexpr int kDigits = 3;
constexpr double kLargestCount = 1e7;  // whole numbers up to here are shown digit by digit
constexpr double kOneUnitSpan = 1e3;   // largest over smallest magnitude that still share a unit

constexpr double kPlainFrom = 1e-4, kPlainBelow = 1e9;  // outside, numbers have exponents

struct Scale {
  double factor = 1;  // base units per one
  std::string unit;
};

// NaN unless the text starts with a finite number.
struct Parsed {
  double number = std::numeric_limits<double>::quiet_NaN();
  std::string_view rest;
};
Parsed leading_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return {};
  return {number, text.substr(static_cast<std::size_t>(end - text.data()))};
}

// The unit that base::format_quantity chooses for this magnitude, with its factor found from its
// own text.
Scale scale_for(const KeyUnit& unit, double magnitude) {
  if (unit.percent && magnitude < kPlainBelow * 0.01) return {0.01, "%"};
  if (unit.dimension == base::kDimensionless && magnitude < 1e6) return {1, ""};
  Scale plain{unit.factor, base::file_unit(unit.dimension).symbol};
  if (!(magnitude > 0) || !std::isfinite(magnitude)) return plain;
  // Rounded first, so that 999.96 kWh is read in MWh.
  magnitude = leading_number(fmt::format("{:.{}e}", magnitude, kDigits - 1)).number;
  if (!std::isfinite(magnitude)) return plain;
  const std::string text = base::format_quantity({magnitude, unit.dimension}, 15);
  const Parsed parsed = leading_number(text);
  if (!(parsed.number > 0) || !parsed.rest.starts_with(' ')) return plain;
  return {magnitude / parsed.number, std::string(parsed.rest.substr(1))};
}

std::string grouped(std::string digits) {
  const std::size_t start = digits.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(digits.find('.'), digits.size());
  if (end - start < 5) return digits;
  for (std::size_t i = end - 3; i > start; i = i > 3 ? i - 3 : 0) digits.insert(i, " ");
  return digits;
}

int decimals_for(double magnitude, int digits) {
  if (!(magnitude > 0) || !std::isfinite(magnitude)) return 0;
  return std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(magnitude))));
}

bool is_whole(double x) { return std::abs(x) <= kLargestCount && x == std::nearbyint(x); }

// "7.56e24": as base::format_quantity writes exponents.
std::string scientific(double x) {
  const std::string text = fmt::format("{:.{}e}", x, kDigits - 1);
  const std::size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  mantissa.erase(mantissa.find_last_not_of('0') + 1);
  if (mantissa.ends_with('.')) mantissa.pop_back();
  return fmt::format("{}e{:g}", mantissa,
                     leading_number(text.substr(e + (text[e + 1] == '+' ? 2 : 1))).number);
}

// Three significant digits without trailing zeros; whole numbers of a scale of one in full.
std::string significant(double x) {
  const double magnitude = std::abs(x);
  if (magnitude == 0) return "0";
  if (!std::isfinite(x)) return x > 0 ? "over 1e308" : "under -1e308";  // after a change of unit
  if (magnitude < kPlainFrom || magnitude >= kPlainBelow) return scientific(x);
  const double rounded = leading_number(fmt::format("{:.{}e}", x, kDigits - 1)).number;
  std::string text = fmt::format("{:.{}f}", rounded, decimals_for(std::abs(rounded), kDigits));
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  return grouped(std::move(text));
}

// For a column; a bound of a range may be far larger than the numbers of the column.
std::string fixed(double x, int decimals) {
  if (x == 0 || !(std::abs(x) < kPlainBelow)) return significant(x);
  std::string text = fmt::format("{:.{}f}", x, decimals);
  // "0.0" is rounded, "0" is exact; neither has a sign.
  if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return grouped(std::move(text));
}

bool shows_whole(double x, const KeyUnit& unit) {
  return unit.dimension == base::kDimensionless && !unit.percent && is_whole(x);
}

std::string number_text(double value, const KeyUnit& unit, const Scale& scale) {
  if (shows_whole(value, unit) && scale.factor == 1) return grouped(fmt::format("{:.0f}", value));
  return significant(value * (unit.factor / scale.factor));
}

Figure figure_of(const Datum& datum) {
  if (datum.is_absent())
    return {.text = "n/a", .unit = "", .low = "", .high = "", .evidence = "", .source = ""};
  const io::Value& value = *datum.value;
  std::string text = value.is_bool()   ? (value.as_bool() ? "yes" : "no")
                     : value.is_text() ? show_instant(printable(value.as_text()))
                                       : "";
  Figure figure{
      .text = std::move(text), .unit = "", .low = "", .high = "", .evidence = "", .source = ""};
  figure.is_number = datum.is_number();
  if (datum.range) figure.evidence = datum.range->evidence, figure.source = datum.range->source;
  return figure;
}

// Equal draws, as of a difference whose causes all cancel, have nothing between low and high.
bool has_range(const Datum& datum) {
  return datum.range &&
         (datum.range->low != datum.range->high || datum.range->low != datum.number());
}

Figure show_alone(const Datum& datum, const KeyUnit& unit) {
  Figure figure = figure_of(datum);
  if (!figure.is_number) return figure;
  const double value = datum.number();
  double magnitude = std::abs(value * unit.factor);
  if (magnitude == 0 && datum.range)
    magnitude = std::max(std::abs(datum.range->low), std::abs(datum.range->high)) * unit.factor;
  const bool whole = shows_whole(value, unit) && !datum.range;
  const Scale scale = whole ? Scale{} : scale_for(unit, magnitude);
  figure.text = number_text(value, unit, scale);
  figure.unit = scale.unit;
  if (has_range(datum)) {
    figure.low = significant(datum.range->low * (unit.factor / scale.factor));
    figure.high = significant(datum.range->high * (unit.factor / scale.factor));
  }
  return figure;
}

// What the numbers of a column are like; magnitudes in base units, the smallest without zeros.
struct Extent {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  bool any = false;         // any cell that is present
  bool all_numbers = true;  // of those
  bool all_whole = true;    // plain counts, shown digit by digit
  bool has_range = false;
};

Extent extent_of(const ShownTable& table, std::size_t column, std::size_t num_rows) {
  const KeyUnit& unit = table.columns[column].unit;
  Extent extent;
  for (std::size_t i = 0; i < num_rows; ++i) {
    const Datum& cell = table.rows[i][column];
    if (cell.is_absent()) continue;
    extent.any = true;
    if (!cell.is_number()) {
      extent.all_numbers = false;
      continue;
    }
    extent.has_range = extent.has_range || has_range(cell);
    extent.all_whole = extent.all_whole && shows_whole(cell.number(), unit) && !cell.range;
    const double magnitude = std::abs(cell.number()) * unit.factor;
    // A number near zero is as fine as its range: 0.3 t within -90 to 60 t is read in the unit of
    // its neighbours.
    const double fineness = has_range(cell)
                                ? std::max({magnitude, std::abs(cell.range->low) * unit.factor,
                                            std::abs(cell.range->high) * unit.factor})
                                : magnitude;
    if (fineness > 0) extent.smallest = std::min(extent.smallest, fineness);
    extent.largest = std::max(extent.largest, magnitude);
  }
  return extent;
}

// Whether one unit serves all numbers of a column.
bool share_a_unit(const Extent& extent, const KeyUnit& unit, const Scale& scale) {
  const double largest = extent.largest / scale.factor;
  const bool plain = extent.largest == 0 || (largest >= kPlainFrom && largest < kPlainBelow);
  const bool comparable = unit.percent || extent.largest <= kOneUnitSpan * extent.smallest;
  return extent.any && extent.all_numbers && !extent.all_whole && plain && comparable;
}

}  // namespace

std::string Figure::with_unit() const { return unit.empty() ? text : text + " " + unit; }

std::string Figure::range(std::string_view separator) const {
  return low.empty() ? "" : low + std::string(separator) + high;
}

Figure show(const ShownValue& value) {
  Figure figure = show_alone(value.datum, value.unit);
  if (value.datum.is_absent() && !value.datum.why.empty())
    figure.text += " (" + value.datum.why + ")";
  return figure;
}

FigureColumn show_column(const ShownTable& table, std::size_t column, std::size_t max_rows) {
  const KeyUnit& unit = table.columns[column].unit;
  const std::size_t num_rows = std::min(max_rows, table.rows.size());
  const Extent extent = extent_of(table, column, num_rows);
  FigureColumn shown{
      table.columns[column].label, "", extent.any && extent.all_numbers, extent.has_range, {}};
  shown.cells.reserve(num_rows);
  const Scale scale = scale_for(unit, extent.largest);
  if (!share_a_unit(extent, unit, scale)) {
    for (std::size_t i = 0; i < num_rows; ++i) {
      Figure figure = show_alone(table.rows[i][column], unit);
      figure.text = figure.with_unit();
      figure.unit.clear();
      shown.cells.push_back(std::move(figure));
    }
    return shown;
  }

  shown.unit = scale.unit;
  // Three digits of the largest, and two of the smallest where that costs at most two decimals
  // more. Shares are read against the whole: a small one needs no digits of its own.
  const int wanted = decimals_for(extent.largest / scale.factor, kDigits);
  const int most = unit.percent ? std::max(wanted, 1) : wanted + 2;
  const int decimals = std::clamp(decimals_for(extent.smallest / scale.factor, 2), wanted, most);
  const auto scaled = [&](double x) { return fixed(x * (unit.factor / scale.factor), decimals); };
  for (std::size_t i = 0; i < num_rows; ++i) {
    const Datum& cell = table.rows[i][column];
    Figure figure = figure_of(cell);
    if (figure.is_number) figure.text = scaled(cell.number());
    if (has_range(cell))
      figure.low = scaled(cell.range->low), figure.high = scaled(cell.range->high);
    shown.cells.push_back(std::move(figure));
  }
  return shown;
}

std::string show_number(double value, const KeyUnit& unit) {
  const io::Value number(value);
  return show_alone(Datum{&number, "", std::nullopt}, unit).with_unit();
}

std::string show_count(std::size_t n) { return grouped(std::to_string(n)); }

std::string show_instant(const std::string& text) {
  const bool full_minute =
      text.size() == 20 && text[4] == '-' && text[10] == 'T' && text.ends_with(":00Z");
  return full_minute ? text.substr(0, 10) + " " + text.substr(11, 5) + " UTC" : text;
}

}  // namespace greenline::render
