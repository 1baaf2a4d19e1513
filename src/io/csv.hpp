// CSV (RFC 4180) to typed columns, and back. Handles quotes, doubled quotes, a byte-order mark,
// CRLF, a missing last newline, thousands separators inside quotes, ',' or ';' or tab as separator
// (detected in the header).
//
//   CsvTable t = parse_csv(read_file(path), path);
//   std::vector<double> mw = t.numbers("WND");
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/time.hpp"

namespace greenline::io {

class CsvTable {
 public:
  std::size_t num_rows() const { return rows_.size(); }
  std::size_t num_columns() const { return header_.size(); }
  const std::vector<std::string>& header() const { return header_; }
  const std::string& name() const { return name_; }
  char separator() const { return separator_; }

  bool has(std::string_view column) const;
  // UserError "unknown-column" with the nearest names.
  std::size_t column(std::string_view column) const;

  base::Location where_header() const { return {name_, header_line_, 1}; }
  // Unquoted; rows count from 0, the header is none of them. Valid as long as the table.
  std::string_view cell(std::size_t row, std::size_t column) const;
  // file:line:column of the cell, columns in characters. O(bytes of the row).
  base::Location where(std::size_t row, std::size_t column) const;

  // Typed columns. Every complaint is a DataError that names the row, the column and the place:
  // "not-a-number", "not-finite", "number-out-of-range", "empty-cell", "bad-time". `empty`: what an
  // empty cell means; refused when absent. Blanks around a number and a leading '+' are accepted;
  // thousands separators only in quotes and only in strict groups of three ("1,234,567");
  // hexadecimal never.
  std::vector<double> numbers(std::string_view column,
                              std::optional<double> empty = std::nullopt) const;
  double number(std::size_t row, std::size_t column) const;
  std::vector<std::int64_t> integers(std::string_view column) const;
  std::vector<base::Instant> instants(std::string_view column) const;
  std::vector<std::string> texts(std::string_view column) const;

 private:
  friend class CsvReader;
  struct Cell {
    std::uint32_t begin = 0, size = 0;  // in text_, quotes taken off
  };
  struct Row {
    std::uint32_t begin = 0;  // in text_
    std::uint32_t line = 0;
  };

  const Cell& at(std::size_t row, std::size_t column) const {
    return cells_[row * header_.size() + column];
  }
  bool is_quoted(const Cell& cell) const;
  template <class T>
  T parsed(std::size_t row, std::size_t column, const T* empty) const;
  [[noreturn]] void refuse(std::string code, std::size_t row, std::size_t column,
                           std::string_view complaint, std::string hint = "") const;

  std::string name_, text_;
  std::vector<std::string> header_;
  std::vector<Cell> cells_;  // (num_rows, num_columns)
  std::vector<Row> rows_;    // (num_rows)
  std::uint32_t header_line_ = 0;
  char separator_ = ',';
};

// DataError "empty-file", "duplicate-column", "ragged-row" (fields expected and got), "open-quote",
// "bad-quote" (a quote inside an unquoted field, or text after a closing one: RFC 4180 has neither,
// and guessing would move separators), "bare-carriage-return", "nul-byte", "too-large" (4 GiB),
// "too-many-columns" (2^20).
//
// Lines before the header that are blank or start with '#' are skipped; such a '#' line is the
// header itself when the line after it has as many fields (two at least) and one of them is a
// number. Blanks around unquoted header names are taken off. Blank lines at the end of the text are
// no rows; anywhere else a blank line is a row of one empty field. Memory: the text and 8 bytes a
// cell.
CsvTable parse_csv(std::string text, std::string name);

// One CSV line with the quoting it needs, newline included. The fields come back unchanged from
// `parse_csv`, as a row or as a header.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace greenline::io
