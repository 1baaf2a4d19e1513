// The first character of a UTF-8 text: what every message, file and view walks by.
#pragma once

#include <cstddef>
#include <string_view>

namespace greenline::base {

struct Utf8Character {
  char32_t code = 0;
  std::size_t size = 0;  // bytes; 0 when the text starts with no well-formed character
};

// Refuses overlong forms, surrogates and codes beyond U+10FFFF (Unicode 15, table 3-7). `text` is
// not empty.
Utf8Character first_character(std::string_view text);

// A byte that belongs to the character before it.
constexpr bool is_utf8_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace greenline::base
