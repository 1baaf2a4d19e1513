// Typed columns of a table that is read already.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <fmt/format.h>

#include "io/blanks.hpp"
#include "io/csv.hpp"
#include "io/place_cursor.hpp"

namespace greenline::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "1,234,567.8" to "1234567.8"; nothing when the groups are not strict. Ungrouped text has no
// commas.
std::optional<std::string> without_groups(std::string_view text) {
  std::string digits;
  if (!text.empty() && text.front() == '-') {
    digits += '-';
    text.remove_prefix(1);
  }
  std::size_t num_leading = 0;
  while (num_leading < text.size() && is_digit(text[num_leading])) ++num_leading;
  if (num_leading < 1 || num_leading > 3 || text.front() == '0') return std::nullopt;
  digits += text.substr(0, num_leading);
  text.remove_prefix(num_leading);
  while (text.starts_with(',')) {
    const std::string_view group = text.substr(1, 3);
    if (group.size() != 3 || !std::all_of(group.begin(), group.end(), is_digit))
      return std::nullopt;
    digits += group;
    text.remove_prefix(4);
  }
  if (text.starts_with(',') || (!text.empty() && is_digit(text.front()))) return std::nullopt;
  digits += text;
  return digits;
}

// Digits with at most one point and no more than 15 of them: the digits and the power of ten are
// then exact doubles, and their quotient is the correctly rounded value (Clinger 1990, the fast
// case). False: not that simple.
bool read_plain_decimal(std::string_view text, double& value) {
  constexpr std::size_t kMostDigits = 15;
  static constexpr double kPowers[kMostDigits + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                      1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  if (text.size() > kMostDigits) return false;
  std::int64_t digits = 0;
  std::size_t num_decimals = 0;
  bool past_point = false;
  for (const char c : text) {
    if (c == '.' && !past_point && text.size() > 1) {
      past_point = true;
    } else if (is_digit(c)) {
      digits = 10 * digits + (c - '0');
      num_decimals += past_point ? 1 : 0;
    } else {
      return false;
    }
  }
  value = static_cast<double>(digits) / kPowers[num_decimals];
  return true;
}

}  // namespace

bool CsvTable::has(std::string_view column) const {
  return std::find(header_.begin(), header_.end(), column) != header_.end();
}

std::size_t CsvTable::column(std::string_view column) const {
  const auto found = std::find(header_.begin(), header_.end(), column);
  if (found == header_.end())
    throw base::unknown_name("column", column, header_, "", {name_, header_line_, 0});
  return static_cast<std::size_t>(found - header_.begin());
}

std::string_view CsvTable::cell(std::size_t row, std::size_t column) const {
  GL_CHECK_LT(row, rows_.size());
  GL_CHECK_LT(column, header_.size());
  const Cell& cell = at(row, column);
  return {text_.data() + cell.begin, cell.size};
}

// An unquoted cell follows a separator, a line break or a byte-order mark, never a quote.
bool CsvTable::is_quoted(const Cell& cell) const {
  return cell.begin > 0 && text_[cell.begin - 1] == '"';
}

base::Location CsvTable::where(std::size_t row, std::size_t column) const {
  GL_CHECK_LT(row, rows_.size());
  GL_CHECK_LT(column, header_.size());
  const Cell& cell = at(row, column);
  const std::size_t start = cell.begin - (is_quoted(cell) ? 1 : 0);
  PlaceCursor cursor(std::string_view(text_).substr(rows_[row].begin));
  cursor.step_to(start - rows_[row].begin);
  return {name_, rows_[row].line + cursor.place().line - 1, cursor.place().column};
}

void CsvTable::refuse(std::string code, std::size_t row, std::size_t column,
                      std::string_view complaint, std::string hint) const {
  throw base::DataError(
      std::move(code),
      fmt::format("row {}, column {}: {}", row + 1, base::quoted(header_[column]), complaint),
      std::move(hint), where(row, column));
}

template <class T>
T CsvTable::parsed(std::size_t row, std::size_t column, const T* empty) const {
  const Cell& place = at(row, column);
  const std::string_view whole(text_.data() + place.begin, place.size);
  std::string_view text = without_blanks(whole);
  if (text.empty()) {
    if (empty != nullptr) return *empty;
    refuse("empty-cell", row, column, "the cell is empty, expected a number");
  }
  if constexpr (std::is_floating_point_v<T>)
    if (double value; read_plain_decimal(text, value)) return value;
  if (text.front() == '+' && text.size() > 1 && text[1] != '-') text.remove_prefix(1);

  std::string joined;
  if (is_quoted(place) && text.find(',') != std::string_view::npos) {
    const std::optional<std::string> digits = without_groups(text);
    if (digits) text = joined = *digits;
  }
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure == std::errc::result_out_of_range && stop == end)
    refuse("number-out-of-range", row, column,
           fmt::format("{} does not fit a {}", base::quoted(whole),
                       std::is_integral_v<T> ? "64-bit integer" : "double"));
  if (failure != std::errc{} || stop != end)
    refuse("not-a-number", row, column,
           fmt::format("expected {}, got {}", std::is_integral_v<T> ? "a whole number" : "a number",
                       base::quoted(whole)),
           whole.find(',') == std::string_view::npos
               ? ""
               : "decimals take a point; a comma only separates thousands, inside quotes");
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(value))
      refuse("not-finite", row, column,
             fmt::format("expected a finite number, got {}", base::quoted(whole)));
  return value;
}

std::vector<double> CsvTable::numbers(std::string_view name, std::optional<double> empty) const {
  const std::size_t c = column(name);
  std::vector<double> values(num_rows());
  const double* const if_empty = empty ? &*empty : nullptr;
  for (std::size_t row = 0; row < values.size(); ++row) values[row] = parsed(row, c, if_empty);
  return values;
}

double CsvTable::number(std::size_t row, std::size_t column) const {
  GL_CHECK_LT(row, rows_.size());
  GL_CHECK_LT(column, header_.size());
  return parsed<double>(row, column, nullptr);
}

std::vector<std::int64_t> CsvTable::integers(std::string_view name) const {
  const std::size_t c = column(name);
  std::vector<std::int64_t> values(num_rows());
  for (std::size_t row = 0; row < values.size(); ++row)
    values[row] = parsed<std::int64_t>(row, c, nullptr);
  return values;
}

std::vector<base::Instant> CsvTable::instants(std::string_view name) const {
  const std::size_t c = column(name);
  std::vector<base::Instant> values(num_rows());
  for (std::size_t row = 0; row < values.size(); ++row) {
    const std::string_view text = without_blanks(cell(row, c));
    if (text.empty()) refuse("empty-cell", row, c, "the cell is empty, expected a time");
    try {
      values[row] = base::parse_instant(text);
    } catch (const base::UserError& failure) {
      refuse("bad-time", row, c, failure.message(), failure.hint());
    }
  }
  return values;
}

std::vector<std::string> CsvTable::texts(std::string_view name) const {
  const std::size_t c = column(name);
  std::vector<std::string> values;
  values.reserve(num_rows());
  for (std::size_t row = 0; row < num_rows(); ++row) values.emplace_back(cell(row, c));
  return values;
}

}  // namespace greenline::io
