// How deep a TOML text nests, found before it is parsed.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "io/place_cursor.hpp"

namespace greenline::io {

// Where `text` first nests deeper than `max_depth` levels, if it does. Brackets, inline tables and
// the parts of dotted keys all nest. A text with syntax errors is judged as far as its first error
// at least.
std::optional<Place> first_too_deep(std::string_view text, std::size_t max_depth);

}  // namespace greenline::io
