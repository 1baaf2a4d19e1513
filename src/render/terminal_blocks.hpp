// The building blocks of the terminal view: each returns whole lines, at most `width` columns wide.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/document.hpp"
#include "render/outline.hpp"

namespace greenline::render {

// What a range shows: the 5th and the 95th percentile of the draws.
inline constexpr std::string_view kRangeLabel = "5–95 %";

enum class Tone { plain, strong, faint, warning, bar };

// Wraps a text in the ANSI sequences of its tone, or in nothing.
class Paint {
 public:
  explicit Paint(bool colour) : colour_(colour) {}
  std::string operator()(std::string_view text, Tone tone) const;

 private:
  bool colour_;
};

// label | number unit | [low – high] | evidence, columns shared by all values.
std::string value_block(const std::vector<ShownValue>& values, int width, const Paint& paint,
                        Tone tone);

// A table without lines, units under the labels, and a column of bars when one of the charts is a
// bar chart of one of its columns. What does not fit is wrapped, then left out and named.
std::string table_block(const ShownTable& table, const std::vector<const ShownChart*>& charts,
                        const TerminalOptions& options, const Paint& paint);

// A sparkline with its extremes.
std::string series_block(const ShownSeries& series, int width, const Paint& paint);

}  // namespace greenline::render
