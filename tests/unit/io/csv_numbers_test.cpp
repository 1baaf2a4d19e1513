// What a cell means as a number, and what it must not mean.
#include <cmath>

#include <gtest/gtest.h>

#include "io/csv.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::io {
namespace {

using base::DataError;
using testing::contains;
using testing::error_of;
using testing::starts_with;

// One row of the column "v" and a separator that keeps commas out of the way.
CsvTable table_of(const std::string& cell) { return parse_csv("v;w\n" + cell + ";0\n", "t.csv"); }
double number_of(const std::string& cell) { return table_of(cell).numbers("v")[0]; }
std::string refusal(std::string_view code, const std::string& cell) {
  return error_of<DataError>(code, [&] { number_of(cell); });
}

TEST(CsvNumbers, UsualForms) {
  EXPECT_EQ(number_of("12"), 12);
  EXPECT_EQ(number_of("-1.5e3"), -1500);
  EXPECT_EQ(number_of("+7"), 7);
  EXPECT_EQ(number_of(" \t4.25 "), 4.25);
  EXPECT_EQ(number_of(".5"), .5);
  EXPECT_EQ(number_of("5."), 5);
  EXPECT_EQ(number_of("\"12\""), 12);
  EXPECT_TRUE(std::signbit(number_of("-0")));
  EXPECT_EQ(number_of("0.1"), 0.1);  // correctly rounded: the same double as the literal
  EXPECT_EQ(number_of("4.9406564584124654e-324"), 4.9406564584124654e-324);
}

TEST(CsvNumbers, ThousandsSeparatorsInQuotes) {
  EXPECT_EQ(number_of("\"1,234,567\""), 1234567);
  EXPECT_EQ(number_of("\" -12,345.5 \""), -12345.5);
  EXPECT_EQ(number_of("\"+1,000\""), 1000);
  EXPECT_EQ(parse_csv("v,w\n\"12,000\",1\n", "t").integers("v")[0], 12000);
}

TEST(CsvNumbers, GroupsAreStrict) {
  for (const char* cell : {"\"1,23\"", "\"1,2345\"", "\"1234,567\"", "\",123\"", "\"1,,234\"",
                           "\"1,234,\"", "\"0,123\"", "\"1.5,000\"", "\"12,34,567\""})
    EXPECT_TRUE(contains(refusal("not-a-number", cell), "a comma only separates thousands"))
        << cell;
  // Outside quotes "1,234" may as well be a decimal comma.
  EXPECT_TRUE(contains(refusal("not-a-number", "1,234"), "decimals take a point"));
}

TEST(CsvNumbers, RefusesWhatIsNoNumber) {
  for (const char* cell :
       {"0x10", "x", "1.2.3", "1e", "--1", "+-1", "++1", "+", "-", "1 2", "12MW", "NA", "."})
    refusal("not-a-number", cell);
  EXPECT_TRUE(starts_with(refusal("not-a-number", "twelve"),
                          "t.csv:2:1: row 1, column \"v\": expected a number, got \"twelve\""));
}

TEST(CsvNumbers, RefusesNanAndInfinityByName) {
  for (const char* cell : {"nan", "NaN", "-nan", "inf", "-INF", "Infinity", "+inf"})
    EXPECT_TRUE(starts_with(refusal("not-finite", cell), "t.csv:2:1: row 1, column \"v\"")) << cell;
}

TEST(CsvNumbers, RefusesWhatADoubleCannotReach) {
  EXPECT_TRUE(contains(refusal("number-out-of-range", "1e999"), "does not fit a double"));
  refusal("number-out-of-range", "-1e999");
  refusal("number-out-of-range", "1e-999");
}

TEST(CsvNumbers, EmptyCellsMeanWhatTheCallerSays) {
  EXPECT_TRUE(contains(refusal("empty-cell", ""), "row 1, column \"v\""));
  refusal("empty-cell", "  ");
  refusal("empty-cell", "\"\"");
  EXPECT_EQ(table_of("").numbers("v", 0.0)[0], 0);
  EXPECT_TRUE(std::isnan(table_of(" ").numbers("v", std::nan(""))[0]));
  error_of<DataError>("not-a-number", [] { table_of("x").numbers("v", 0.0); });
}

TEST(CsvNumbers, Integers) {
  EXPECT_EQ(table_of("-9223372036854775808").integers("v")[0], INT64_MIN);
  for (const char* cell : {"1.0", "1e3", "x", "nan"})
    EXPECT_TRUE(contains(error_of<DataError>("not-a-number", [&] { table_of(cell).integers("v"); }),
                         "expected a whole number"));
  error_of<DataError>("number-out-of-range", [] { table_of("9223372036854775808").integers("v"); });
  error_of<DataError>("empty-cell", [] { table_of("").integers("v"); });
}

TEST(CsvNumbers, PlaceIsThatOfTheCellNotOfTheColumn) {
  const CsvTable t = parse_csv("a,b\n1,2\n3,x\n", "t.csv");
  EXPECT_TRUE(starts_with(error_of<DataError>("not-a-number", [&] { t.numbers("b"); }),
                          "t.csv:3:3: row 2, column \"b\""));
}

}  // namespace
}  // namespace greenline::io
