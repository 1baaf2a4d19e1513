#include <cstdint>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "reference/io/slow_csv.hpp"

namespace greenline::io {
namespace {

// Bytes that mean something to a CSV reader, and a few that do not.
rc::Gen<std::string> ugly_text() {
  return rc::gen::container<std::string>(rc::gen::element('a', '1', ',', ',', '"', '"', '\n', '\n',
                                                          '\r', ' ', ';', '\t', '#', '\xC3'));
}

// Mostly whole rows of two fields, with something broken now and then.
rc::Gen<std::string> nearly_valid_rows() {
  const auto whole = rc::gen::element<std::string>("a,b\n", ",\n", "\"x,\ny\",1\r\n",
                                                   "\"\"\"\",\"\"\n", "1,\"\"\"a\"\"\"\n");
  const auto broken = rc::gen::element<std::string>("a\n", "\n", "\r", "\"", ",", "a,b\"\n",
                                                    "\"a\"b,1\n", "1,2,3\n", "1,2");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(
                          rc::gen::weightedOneOf<std::string>({{30, whole}, {1, broken}})),
                      [](const std::vector<std::string>& lines) {
                        std::string text;
                        for (const std::string& line : lines) text += line;
                        return text;
                      });
}

RC_GTEST_PROP(CsvProperty, AgreesWithTheSlowReader, ()) {
  // A fixed header keeps the separator and the notes out of the question.
  const std::string text = "x,y\n" + *rc::gen::oneOf(ugly_text(), nearly_valid_rows());
  const reference::SlowCsv expected = reference::slow_csv(text, ',');
  RC_CLASSIFY(expected.valid && expected.lines.size() > 1, "has valid rows");
  if (!expected.valid) {
    RC_ASSERT_THROWS_AS(parse_csv(text, "t"), base::DataError);
    return;
  }
  const CsvTable got = parse_csv(text, "t");
  RC_ASSERT(got.num_rows() + 1 == expected.lines.size());
  for (std::size_t row = 0; row < got.num_rows(); ++row)
    for (std::size_t column = 0; column < 2; ++column)
      RC_ASSERT(got.cell(row, column) == expected.lines[row + 1][column]);
}

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

Table arbitrary_table() {
  const std::size_t num_columns = *rc::gen::inRange<std::size_t>(1, 5);
  Table table;
  std::set<std::string> names;
  while (names.size() < num_columns) names.insert(*ugly_text() + std::string(names.size(), 'n'));
  table.header.assign(names.begin(), names.end());
  const std::size_t num_rows = *rc::gen::inRange<std::size_t>(0, 6);
  for (std::size_t i = 0; i < num_rows; ++i)
    table.rows.push_back(*rc::gen::container<std::vector<std::string>>(num_columns, ugly_text()));
  return table;
}

RC_GTEST_PROP(CsvProperty, WhatIsWrittenIsRead, ()) {
  const Table table = arbitrary_table();
  std::string text = csv_line(table.header);
  for (const auto& row : table.rows) text += csv_line(row);
  const CsvTable got = parse_csv(text, "t");
  RC_ASSERT(got.header() == table.header);
  RC_ASSERT(got.num_rows() == table.rows.size());
  for (std::size_t row = 0; row < got.num_rows(); ++row)
    for (std::size_t column = 0; column < table.header.size(); ++column)
      RC_ASSERT(got.cell(row, column) == table.rows[row][column]);
}

// The place of a cell is where its text starts: found again by counting lines and characters.
RC_GTEST_PROP(CsvProperty, PlacesPointAtTheCells, ()) {
  const Table table = arbitrary_table();
  std::string text = csv_line(table.header);
  std::vector<std::size_t> offsets;
  for (const auto& row : table.rows) {
    std::size_t at = text.size();
    for (const std::string& field : row) {
      offsets.push_back(at);
      // A field is written the same way in any place but the first.
      const std::string alone = csv_line({"", field});
      const std::string first = csv_line({field, ""});
      at += &field == &row.front() ? first.size() - 1 : alone.size() - 1;
    }
    text += csv_line(row);
  }
  const CsvTable got = parse_csv(text, "t");
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    std::size_t line = 1, column = 1;
    for (std::size_t k = 0; k < offsets[i]; ++k) {
      const auto byte = static_cast<unsigned char>(text[k]);
      if (byte == '\n')
        ++line, column = 1;
      else if (byte < 0x80 || byte >= 0xC0)
        ++column;
    }
    const std::size_t width = table.header.size();
    const base::Location where = got.where(i / width, i % width);
    RC_ASSERT(where.line == line);
    RC_ASSERT(where.column == column);
  }
}

RC_GTEST_PROP(CsvProperty, NumbersSurviveAsShortestText, (std::vector<double> values)) {
  std::string text = "v,w\n";
  for (const double v : values) {
    std::ostringstream number;
    number.precision(17);
    number << v;
    text += number.str() + ",0\n";
  }
  RC_ASSERT(parse_csv(text, "t").numbers("v") == values);
}

// Every length of digits on both sides of the point, around the 15 digits that have a shorter way.
RC_GTEST_PROP(CsvProperty, DecimalsAreCorrectlyRounded, ()) {
  const auto digits = [](std::size_t most) {
    return rc::gen::resize(static_cast<int>(most),
                           rc::gen::container<std::string>(rc::gen::inRange('0', ':')));
  };
  const std::string text = "1" + *digits(18) + "." + *digits(18);
  RC_ASSERT(parse_csv("v,w\n" + text + ",0\n", "t").numbers("v")[0] ==
            std::strtod(text.c_str(), nullptr));
}

// "1,234,567" in quotes means what "1234567" means.
RC_GTEST_PROP(CsvProperty, ThousandsSeparatorsChangeNothing, (std::int64_t value)) {
  std::string digits = std::to_string(value);
  const std::size_t sign = value < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > sign + 3;) digits.insert(at -= 3, ",");
  const CsvTable t = parse_csv("v,w\n\"" + digits + "\",0\n", "t");
  RC_ASSERT(t.integers("v")[0] == value);
}

}  // namespace
}  // namespace greenline::io
