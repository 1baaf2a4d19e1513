#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/quantity_text.hpp"
#include "io/json.hpp"
#include "render/document.hpp"
#include "render/text.hpp"

namespace greenline::render {
namespace {

const base::Dimension kDimensions[] = {base::kTime,
                                       base::kEnergy,
                                       base::kCarbon,
                                       base::kCarbon - base::kEnergy,
                                       base::kEnergy - base::kTime,
                                       base::kData,
                                       base::kWork,
                                       base::kMoney};

double some_number() {
  const double mantissa = *rc::gen::inRange(-1000000, 1000000);
  return mantissa * std::pow(10.0, *rc::gen::inRange(-20, 20));
}

verb::Document some_report() {
  verb::Document d;
  verb::Table table{"rows", "Rows", {}, *rc::gen::arbitrary<bool>()};
  const int num_rows = *rc::gen::inRange(0, 30);
  for (int c = 0; c < *rc::gen::inRange(1, 6); ++c) {
    const base::Dimension dimension =
        *rc::gen::elementOf(std::vector(std::begin(kDimensions), std::end(kDimensions)));
    verb::Column column{base::file_key("c" + std::to_string(c), dimension),
                        *rc::gen::arbitrary<std::string>(),
                        dimension,
                        false,
                        {}};
    for (int i = 0; i < num_rows; ++i) {
      if (*rc::gen::inRange(0, 8) == 0)
        column.cells.push_back(verb::Absent{"unknown"});
      else if (c == 0)
        column.cells.push_back(*rc::gen::arbitrary<std::string>());
      else
        column.cells.push_back(base::AnyQuantity(some_number(), dimension));
    }
    table.columns.push_back(std::move(column));
  }
  d.title = *rc::gen::arbitrary<std::string>();
  d.root.nodes.push_back(
      verb::ValueNode{"energy_kwh", base::AnyQuantity(some_number(), base::kEnergy), {}});
  d.charts.push_back({"rows",
                      "Rows",
                      verb::ChartKind::bars,
                      "",
                      {"rows." + table.columns.back().key},
                      {},
                      "",
                      ""});
  d.root.nodes.push_back(std::move(table));
  d.notices.push_back(*rc::gen::arbitrary<std::string>());
  return d;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

RC_GTEST_PROP(RenderDocument, ViewsOfAFileAreThoseOfTheRun, ()) {
  const io::Value written = make_document(some_report(), Provenance{}, {});
  const io::Value read = io::parse_json(json(written), "result.json");
  RC_ASSERT(terminal(read, {}) == terminal(written, {}));
  RC_ASSERT(csv(read) == csv(written));
  RC_ASSERT(markdown(read) == markdown(written));
  RC_ASSERT(html(read) == html(written));
}

RC_GTEST_PROP(RenderDocument, TerminalLinesFitTheWidth, ()) {
  const io::Value document = make_document(some_report(), Provenance{}, {});
  const int width = *rc::gen::inRange(40, 140);
  for (const std::string& line : lines_of(terminal(document, {width, false, 24}))) {
    RC_LOG() << line << "\n";
    RC_ASSERT(display_width(line) <= width);
  }
}

// A division and a multiplication round once each, so the way back ends at most one place beside.
RC_GTEST_PROP(RenderDocument, NumbersReadBackToOnePlace, ()) {
  const base::Dimension dimension =
      *rc::gen::elementOf(std::vector(std::begin(kDimensions), std::end(kDimensions)));
  const double value = some_number();
  verb::Document d;
  const std::string key = base::file_key("x", dimension);
  d.root.nodes.push_back(verb::ValueNode{key, base::AnyQuantity(value, dimension), {}});
  const io::Value read = io::parse_json(json(make_document(d, Provenance{}, {})), "result.json");
  const double back =
      read.find("result")->find(key)->as_double() * base::file_unit(dimension).factor;
  RC_ASSERT(back >= std::nextafter(value, -INFINITY));
  RC_ASSERT(back <= std::nextafter(value, INFINITY));
}

}  // namespace
}  // namespace greenline::render
