#pragma once

#include <string_view>

namespace greenline::io {

// Spaces and tabs taken off both ends.
inline std::string_view without_blanks(std::string_view s) {
  const std::size_t first = s.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(" \t") - first + 1);
}

}  // namespace greenline::io
