// Text that is safe to show anywhere: valid UTF-8 without control characters, measured in terminal
// columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace greenline::render {

// Valid UTF-8: every byte that does not belong to a well-formed character becomes U+FFFD.
std::string valid_utf8(std::string_view bytes);

// Valid UTF-8 on one line that can't steer a terminal or reorder a page: line breaks and tabs
// become spaces, other control and bidirectional-override characters U+FFFD.
std::string printable(std::string_view bytes);

// Terminal columns of valid UTF-8: 0 for combining marks, 2 for wide East Asian characters and
// emoji.
int display_width(std::string_view text);

std::string pad_left(std::string_view text, int width);
std::string pad_right(std::string_view text, int width);

// Breaks at spaces into lines of at most `width` columns; a longer word is cut. At least one line.
std::vector<std::string> wrap(std::string_view text, int width);

std::string join(const std::vector<std::string>& parts, std::string_view separator);

}  // namespace greenline::render
