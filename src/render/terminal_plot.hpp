// Points and lines on a canvas of characters: the text form of scatter and log_log charts.
#pragma once

#include <string>

#include "render/outline.hpp"
#include "render/terminal_blocks.hpp"

namespace greenline::render {

// Whole lines, or nothing where the data can't be drawn.
std::string plot_block(const ShownChart& chart, const Outline& outline,
                       const TerminalOptions& options, const Paint& paint);

}  // namespace greenline::render
