// What a result holds and its layout does not name.
#pragma once

#include "render/outline.hpp"

namespace greenline::app {

// Adds every number, text and truth of `document`'s result that no item of `outline` shows, one
// value each, so that a comparison sees them: "parts.0.extra_s". What stands beside a value
// (`_why`, `_range`) belongs to it.
void add_unlisted(const io::Value& document, render::Outline& outline);

}  // namespace greenline::app
