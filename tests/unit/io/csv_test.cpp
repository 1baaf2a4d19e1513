#include "io/csv.hpp"

#include <chrono>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "io/file.hpp"
#include "shared_data.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::io {
namespace {

using base::DataError;
using base::UserError;
using testing::contains;
using testing::error_of;
using testing::starts_with;

std::string csv_error(std::string_view code, std::string text) {
  return error_of<DataError>(code, [&] { parse_csv(std::move(text), "t.csv"); });
}

TEST(Csv, ReadsHeaderAndCells) {
  const CsvTable t = parse_csv("time,WND\n0,1.5\n1,2.5\n", "t.csv");
  EXPECT_EQ(t.header(), (std::vector<std::string>{"time", "WND"}));
  EXPECT_EQ(t.num_rows(), 2U);
  EXPECT_EQ(t.numbers("WND"), (std::vector<double>{1.5, 2.5}));
  EXPECT_EQ(t.integers("time"), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(t.cell(1, 1), "2.5");
}

TEST(Csv, ByteOrderMarkCarriageReturnsAndMissingLastNewlineChangeNothing) {
  const CsvTable t = parse_csv(
      "\xEF\xBB\xBF"
      "a,b\r\n1,2\r\n3,",
      "t.csv");
  EXPECT_EQ(t.header(), (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(t.num_rows(), 2U);
  EXPECT_EQ(t.cell(0, 1), "2");
  EXPECT_EQ(t.cell(1, 1), "");
}

TEST(Csv, QuotesHoldSeparatorsLineBreaksAndQuotes) {
  const CsvTable t =
      parse_csv("a,b,c\n\"x,y\",\"two\nlines\",\"say \"\"hi\"\"\"\nz,\"\",\"\"\"\"\n", "t.csv");
  EXPECT_EQ(t.texts("a"), (std::vector<std::string>{"x,y", "z"}));
  EXPECT_EQ(t.texts("b"), (std::vector<std::string>{"two\nlines", ""}));
  EXPECT_EQ(t.texts("c"), (std::vector<std::string>{"say \"hi\"", "\""}));
}

TEST(Csv, PlacesAreExact) {
  const CsvTable t = parse_csv("a,b,c\n\"x\"\"y\",\"two\nlines\",7\nü,8,\"q\"\n", "t.csv");
  EXPECT_EQ(t.where(0, 0).text(), "t.csv:2:1");
  EXPECT_EQ(t.where(0, 1).text(), "t.csv:2:8");  // a quoted cell stands at its quote
  EXPECT_EQ(t.where(0, 2).text(), "t.csv:3:8");  // after the line break inside the quotes
  EXPECT_EQ(t.where(1, 1).text(), "t.csv:4:3");  // columns count characters: "ü" is one
  EXPECT_EQ(t.where(1, 2).text(), "t.csv:4:5");
}

TEST(Csv, LinesAreCountedPastNotesAndQuotedLineBreaks) {
  const CsvTable t = parse_csv("# note\n\n# another\na,b\n\"1\n\n\",2\n3,4\n", "t.csv");
  EXPECT_EQ(t.where(0, 0).text(), "t.csv:5:1");
  EXPECT_EQ(t.where(1, 1).text(), "t.csv:8:3");
}

TEST(Csv, SeparatorIsTheMostFrequentOutsideQuotesInTheHeader) {
  EXPECT_EQ(parse_csv("a;b;c\n1;2;3\n", "t").separator(), ';');
  EXPECT_EQ(parse_csv("a\tb,x\tc\n1\t2\t3\n", "t").separator(), '\t');
  const CsvTable t = parse_csv("\"a,b,c\";d\n1;2\n", "t");
  EXPECT_EQ(t.separator(), ';');
  EXPECT_EQ(t.header()[0], "a,b,c");
  EXPECT_EQ(parse_csv("alone\n1\n", "t").separator(), ',');
}

TEST(Csv, BlanksAroundUnquotedHeaderNamesAreTakenOff) {
  const CsvTable t = parse_csv("a, b ,\" c \"\n1,2,3\n", "t");
  EXPECT_EQ(t.header(), (std::vector<std::string>{"a", "b", " c "}));
}

TEST(Csv, NotesBeforeTheHeaderAreSkipped) {
  const CsvTable t = parse_csv("# made by hand, 2021\n# \"quote\ntime,WND\n0,1\n", "t");
  EXPECT_EQ(t.header()[0], "time");
  EXPECT_EQ(t.num_rows(), 1U);
}

TEST(Csv, HeaderThatStartsWithANumberSignIsAHeader) {
  const CsvTable t = parse_csv("# GPUs,batch\n8,512\n16,512\n", "t");
  EXPECT_EQ(t.header()[0], "# GPUs");
  EXPECT_EQ(t.num_rows(), 2U);
}

TEST(Csv, HeaderAloneHasNoRows) {
  EXPECT_EQ(parse_csv("a,b\n", "t").num_rows(), 0U);
  EXPECT_TRUE(parse_csv("a,b", "t").numbers("b").empty());
}

TEST(Csv, BlankLinesEndTheTextOrAreRows) {
  EXPECT_EQ(parse_csv("a,b\n1,2\n\r\n\n\n", "t").num_rows(), 1U);
  EXPECT_EQ(parse_csv("a\n1\n\n2\n", "t").texts("a"), (std::vector<std::string>{"1", "", "2"}));
  EXPECT_TRUE(starts_with(csv_error("ragged-row", "a,b\n1,2\n\n3,4\n"), "t.csv:3:1: row 2: "));
}

TEST(Csv, RefusesWhatIsNoTable) {
  csv_error("empty-file", "");
  csv_error("empty-file", "\xEF\xBB\xBF\r\n");
  csv_error("empty-file", "# only\n# notes\n");
  EXPECT_TRUE(
      starts_with(csv_error("ragged-row", "a,b\n1,2\n3\n"),
                  "t.csv:3:1: row 2: expected 2 fields separated by ',', as in the header, got 1"));
  EXPECT_TRUE(contains(csv_error("ragged-row", "a\tb\n1\t2\t3\n"), "separated by tabs"));
  EXPECT_TRUE(starts_with(csv_error("duplicate-column", "a,b,a\n"),
                          "t.csv:1:5: columns 1 and 3 are both called \"a\""));
  EXPECT_TRUE(starts_with(csv_error("open-quote", "a,b\n1,\"2\n3,4\n"), "t.csv:2:3: "));
  EXPECT_TRUE(starts_with(csv_error("bad-quote", "a,b\n1, \"2\"\n"), "t.csv:2:4: "));
  EXPECT_TRUE(starts_with(csv_error("bad-quote", "a,b\n1,\"2\"3\n"), "t.csv:2:6: "));
  EXPECT_TRUE(starts_with(csv_error("bare-carriage-return", "a,b\r1,2\r"), "t.csv:1:4: "));
  EXPECT_TRUE(starts_with(csv_error("nul-byte", std::string("a,b\n1,\0\n", 8)), "t.csv:2:3: "));
  EXPECT_TRUE(contains(csv_error("nul-byte", std::string("\xFF\xFE"
                                                         "a\0",
                                                         4)),
                       "UTF-16"));
}

// One more than the reader allows; names alone would take some 50 bytes for each separator.
TEST(Csv, ALineOfSeparatorsIsNoHeader) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  EXPECT_TRUE(contains(csv_error("too-many-columns", std::string(kMost, ',')),
                       "the header has 1048577 columns; at most 1048576 are read"));
  EXPECT_TRUE(contains(csv_error("ragged-row", "a,b\n1,2\n" + std::string(kMost, ',')),
                       "row 2: expected 2 fields separated by ',', as in the header, got 1048577"));
}

TEST(Csv, UnknownColumnNamesTheNearest) {
  const CsvTable t = parse_csv("time,wind_mw\n", "t.csv");
  EXPECT_TRUE(t.has("time"));
  EXPECT_FALSE(t.has("wind-mw"));
  const std::string what = error_of<UserError>("unknown-column", [&] { t.column("wind_nw"); });
  EXPECT_TRUE(contains(what, "wind_mw"));
}

TEST(Csv, TimeInAColumnNamesItsPlace) {
  const CsvTable t = parse_csv("t\n2021-01-01T00:00Z\n2021-13-01\n\n2021-01-02\n", "t.csv");
  const std::string what = error_of<DataError>("bad-time", [&] { t.instants("t"); });
  EXPECT_TRUE(starts_with(what, "t.csv:3:1: row 2, column \"t\": "));
  EXPECT_EQ(parse_csv("t\n 1970-01-01T00:00:01Z\n", "t").instants("t")[0].ns, 1'000'000'000);
  error_of<DataError>("empty-cell", [] { parse_csv("t,u\n,1\n", "t").instants("t"); });
}

TEST(Csv, LineQuotesWhatNeedsIt) {
  EXPECT_EQ(csv_line({"a", "b c", "1.5"}), "a,b c,1.5\n");
  EXPECT_EQ(csv_line({"a,b", "say \"hi\"", "x\ny", " z"}),
            "\"a,b\",\"say \"\"hi\"\"\",\"x\ny\",\" z\"\n");
  EXPECT_EQ(csv_line({""}), "\"\"\n");
  EXPECT_EQ(csv_line({"", ""}), ",\n");
  EXPECT_EQ(csv_line({"# GPUs", "#"}), "\"# GPUs\",#\n");
}

// A reader that searches the rest of the text once a line moves 2e11 bytes here, a memory's work of
// half a minute; one that reads each byte once is done in milliseconds. Five seconds tell them
// apart on any machine.
TEST(Csv, TimeGrowsInProportion) {
  for (const std::string line : {"1,2\n", "\"\"\"\"\"\",\"\n\"\n", "# \" open\n\n"}) {
    std::string text = line[0] == '#' ? "" : "a,b\n";
    for (int i = 0; i < 320'000; ++i) text += line;
    const auto start = std::chrono::steady_clock::now();
    try {
      EXPECT_EQ(parse_csv(std::move(text), "t").num_rows(), 320'000U);
    } catch (const DataError& error) {
      EXPECT_EQ(error.code(), "empty-file");  // notes alone
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << line;
  }
}

// The annual sum of each column, computed with awk from the same file.
TEST(Csv, RealGridYear) {
  GL_SHARED_OR_SKIP(shared);
  const std::string path = shared + "/data/grid/eia_ciso_2021_mwh.csv";
  const CsvTable t = parse_csv(read_file(path), path);
  ASSERT_EQ(t.num_rows(), 8760U);
  const auto sum = [&](const char* column) {
    const std::vector<double> values = t.numbers(column);
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  EXPECT_EQ(sum("WND"), 18287003);  // whole MWh: exact in doubles
  EXPECT_EQ(sum("SUN"), 32917591);
  EXPECT_EQ(sum("NG"), 79298474);
  EXPECT_EQ(t.instants("datetime_utc")[8759] - t.instants("datetime_utc")[0],
            8759.0 * base::units::h);
}

TEST(Csv, RealTablesWithByteOrderMarkAndNumberSign) {
  GL_SHARED_OR_SKIP(shared);
  const std::string multi = shared + "/oracles/vtrain_multi.csv";
  const CsvTable t = parse_csv(read_file(multi), multi);
  EXPECT_EQ(t.num_rows(), 88U);
  EXPECT_EQ(t.header().front(), "Parameters (billion)");
  EXPECT_EQ(t.number(0, t.column("iteration time (ms)")), 3566.5);
  const std::string single = shared + "/oracles/vtrain_single.csv";
  const CsvTable s = parse_csv(read_file(single), single);
  EXPECT_EQ(s.num_rows(), 1440U);
  EXPECT_EQ(s.header().front(), "# GPUs");
}

}  // namespace
}  // namespace greenline::io
