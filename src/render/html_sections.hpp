// The parts of the HTML report. The markup is a contract with web/: classes and data-* attributes
// are what the script hangs charts, sorting and derivations on. Without script every number is on
// the page.
#pragma once

#include <string>

#include "render/outline.hpp"

namespace greenline::render {

std::string html_headline(const Outline& outline);  // .headline: a grid of cards
std::string html_section(const Section& section,
                         const Outline& outline);  // <section>, "" when nothing is left to show
std::string html_loose_charts(const Outline& outline);  // charts that belong to no table
std::string html_remarks(const Outline& outline);       // .notices, .not-included, .assumed
std::string html_derivations(const Outline& outline);   // <details>
std::string html_provenance(const Outline& outline);    // .provenance

}  // namespace greenline::render
