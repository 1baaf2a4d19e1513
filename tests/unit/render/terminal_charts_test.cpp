#include <gtest/gtest.h>

#include "render/text.hpp"
#include "unit/render/chart_sample.hpp"

namespace greenline::render {
namespace {

// The block of a chart: from its title to the next empty line.
std::string chart_text(const io::Value& document, const std::string& title, int width = 72,
                       std::size_t max_rows = 24) {
  const std::string text =
      terminal(document, {.width = width, .colour = false, .max_rows = max_rows});
  const std::size_t begin = text.find("\n\n  " + title + "\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin + 2, text.find("\n\n", begin + 2) - begin - 1);
}

TEST(TerminalCharts, TimelineHasALaneForEachProcessor) {
  EXPECT_EQ(chart_text(chart_document(), "Tasks on processors"),
            R"(  Tasks on processors
  stage 0  FFFFFFFFFFFF············BBBBBBBBBBBBBBBBBBBBBBBBB············
  stage 1  ············FFFFFFFFFFFF·····································
  links    ·····································AAAAAAAAAAAAAAAAAAAAAAAA
           0 s                                                      10 s
  F forward, B backward, A all-reduce, · idle
)");
}

TEST(TerminalCharts, TimelineCountsTheLanesItLeavesOut) {
  const std::string text = chart_text(chart_document(), "Tasks on processors", 72, 2);
  EXPECT_NE(text.find("  … 1 more lanes\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("  links"), std::string::npos) << text;
}

TEST(TerminalCharts, StackedBarsAreAsLongAsTheirTotals) {
  EXPECT_EQ(chart_text(chart_document(), "Parts of an iteration"),
            R"(  Parts of an iteration
  ddp   █████████████████████████████▒▒▒▒▒▒▒▒▒▒  8 s
  fsdp  █████████████████████████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒  12 s
  █ compute, ▒ exposed communication
)");
}

TEST(TerminalCharts, MarkedPointsOfAScatterHaveNames) {
  EXPECT_EQ(chart_text(chart_document(), "Time and energy", 50),
            R"(  Time and energy
  up: Energy, across: Time
  9 MWh │a
        │
        │
        │                                        o
        │
        │
        │
        │
        │
        │
        │
        │
        │
  5 MWh │             b
        └─────────────────────────────────────────
         60 min                                4 h
  a tp8, b tp4, o others
)");
}

TEST(TerminalCharts, HeatMapIsATableOfItsValues) {
  EXPECT_EQ(chart_text(chart_document(), "Iteration by strategy"),
            R"(  Iteration by strategy
        1     2
  1  4.00  2.50
  2  3.00  3.50
  Iteration in s; down: pipeline parallel, across: tensor parallel
)");
}

TEST(TerminalCharts, HeatMapCountsWhatItHides) {
  verb::Report r;
  r.table("t")
      .column("x", std::vector<int>{1, 1})
      .column("y", std::vector<int>{1, 1})
      .column("share", std::vector<double>{0.25, 0.5})
      .hidden();
  r.chart({.key = "c",
           .title = "Twice",
           .kind = verb::ChartKind::heat_map,
           .x = "t.x",
           .y = {"t.y"},
           .colour = "t.share"});
  EXPECT_EQ(chart_text(make_document(r.take(), {}, {}), "Twice"),
            R"(  Twice
         1
  1  0.500
  Share; down: Y, across: X; 1 behind others of their place
)");
}

TEST(TerminalCharts, LogLogHasLinesAndPoints) {
  EXPECT_EQ(chart_text(chart_document(), "Roofline"),
            R"(  Roofline
  up: work rate (logarithmic), across: arithmetic intensity
  (logarithmic)
  300 TFLOP/s │                           ······························
              │                         ··         b
              │                       ··
              │                     ··
              │                   ··
              │                 ··
              │              ··· a
              │            ··
              │          ··
              │        ··
              │      ··
              │    ··
              │  ··
    3 TFLOP/s │··
              └─────────────────────────────────────────────────────────
               1                                                  10 000
  · chip, a attention, b matrix products
)");
}

TEST(TerminalCharts, FitTheirWidth) {
  for (const int width : {40, 50, 60, 80, 200})
    for (std::string text = terminal(chart_document(), {.width = width}); !text.empty();) {
      const std::string line = text.substr(0, text.find('\n'));
      EXPECT_LE(display_width(line), width) << line;
      text.erase(0, line.size() + 1);
    }
}

// What another program wrote may name columns that are not there, or hold no numbers.
TEST(TerminalCharts, AreLeftOutWhereTheirDataCannotBeDrawn) {
  for (const char* path : {"x", "name", "marked", "colour", "points_x"}) {
    for (const char* named : {"nothing.here", "parts.strategy", "tasks.start_s"}) {
      io::Value document = chart_document();
      for (io::Value& chart : document["report"]["charts"].as_array()) chart[path] = named;
      EXPECT_FALSE(terminal(document, {.width = 80}).empty()) << path << " " << named;
    }
  }
  io::Value document = chart_document();
  for (io::Value& bar : document["result"]["tasks"].as_array()) bar["end_s"] = io::Value();
  EXPECT_EQ(chart_text(document, "Tasks on processors"), "");
}

TEST(TerminalCharts, SurviveTheLargestNumbers) {
  io::Value document = chart_document();
  double sign = 1;
  for (const char* table : {"plans", "tasks", "parts", "ceilings", "work"})
    for (io::Value& row : document["result"][table].as_array())
      for (auto& [key, value] : row.as_object())
        if (value.is_number()) value = io::Value((sign = -sign) * 1.7e308);
  EXPECT_FALSE(terminal(document, {.width = 80}).empty());
}

}  // namespace
}  // namespace greenline::render
