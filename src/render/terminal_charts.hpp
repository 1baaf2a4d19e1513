// Charts as text, for the terminal: each returns whole lines, at most `options.width` columns wide,
// or nothing where the chart's kind has no text form or its data can't be drawn.
#pragma once

#include <string>

#include "render/outline.hpp"
#include "render/terminal_blocks.hpp"

namespace greenline::render {

std::string chart_block(const ShownChart& chart, const Outline& outline,
                        const TerminalOptions& options, const Paint& paint);

}  // namespace greenline::render
