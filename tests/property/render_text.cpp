#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "render/text.hpp"

namespace greenline::render {
namespace {

std::string bytes(const std::vector<std::uint8_t>& b) { return {b.begin(), b.end()}; }

RC_GTEST_PROP(RenderText, CleaningIsIdempotent, (const std::vector<std::uint8_t>& raw)) {
  const std::string clean = printable(bytes(raw));
  RC_ASSERT(printable(clean) == clean);
  RC_ASSERT(valid_utf8(clean) == clean);
}

RC_GTEST_PROP(RenderText, WrappedLinesFitAndLoseOnlySpaces,
              (const std::vector<std::uint8_t>& raw)) {
  const std::string text = printable(bytes(raw));
  const int width = *rc::gen::inRange(2, 40);  // two columns hold every character
  std::string joined, squeezed;
  for (const std::string& line : wrap(text, width)) {
    RC_ASSERT(display_width(line) <= width);
    joined += line;
  }
  std::erase(joined, ' ');
  squeezed = text;
  std::erase(squeezed, ' ');
  RC_ASSERT(joined == squeezed);
}

RC_GTEST_PROP(RenderText, PaddingReachesTheWidth, (const std::vector<std::uint8_t>& raw)) {
  const std::string text = printable(bytes(raw));
  const int width = display_width(text) + *rc::gen::inRange(0, 20);
  RC_ASSERT(display_width(pad_left(text, width)) == width);
  RC_ASSERT(display_width(pad_right(text, width)) == width);
}

}  // namespace
}  // namespace greenline::render
