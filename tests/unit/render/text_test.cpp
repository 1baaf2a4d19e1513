#include "render/text.hpp"

#include <gtest/gtest.h>

namespace greenline::render {
namespace {

TEST(Text, ValidUtf8ReplacesEveryStrayByte) {
  EXPECT_EQ(valid_utf8("grün 54 °C"), "grün 54 °C");
  EXPECT_EQ(valid_utf8("a\xFFz"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(valid_utf8("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");           // overlong '/'
  EXPECT_EQ(valid_utf8("\xED\xA0\x80").substr(0, 3), "\xEF\xBF\xBD");      // surrogate
  EXPECT_EQ(valid_utf8("cut \xE2\x82"), "cut \xEF\xBF\xBD\xEF\xBF\xBD");   // truncated
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80").substr(0, 3), "\xEF\xBF\xBD");  // beyond U+10FFFF
}

TEST(Text, PrintableCannotSteerATerminal) {
  EXPECT_EQ(printable("two\nlines\tand"), "two lines and");
  EXPECT_EQ(printable("\x1b[31m"), "\xEF\xBF\xBD[31m");
  EXPECT_EQ(printable("a\u202Eb"),
            "a\xEF\xBF\xBD"
            "b");
}

TEST(Text, WidthCountsColumnsNotBytes) {
  EXPECT_EQ(display_width("CO₂e"), 4);
  EXPECT_EQ(display_width("e\u0301"), 1);
  EXPECT_EQ(display_width("電力"), 4);
  EXPECT_EQ(display_width("⚡ 1 µs"), 6);
  EXPECT_EQ(pad_left("電力", 6), "  電力");
  EXPECT_EQ(pad_right("µs", 4), "µs  ");
}

TEST(Text, WrapBreaksAtSpacesAndCutsLongWords) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("abcdefgh ij", 4), (std::vector<std::string>{"abcd", "efgh", "ij"}));
  EXPECT_EQ(wrap("", 10), (std::vector<std::string>{""}));
  EXPECT_EQ(wrap("電力電力", 5), (std::vector<std::string>{"電力", "電力"}));
}

}  // namespace
}  // namespace greenline::render
