#include "base/utf8.hpp"

namespace greenline::base {

Utf8Character first_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  Utf8Character c;
  char32_t least = 0;  // that needs so many bytes
  if ((first & 0xE0U) == 0xC0U)
    c = {first & 0x1FU, 2}, least = 0x80;
  else if ((first & 0xF0U) == 0xE0U)
    c = {first & 0x0FU, 3}, least = 0x800;
  else if ((first & 0xF8U) == 0xF0U)
    c = {first & 0x07U, 4}, least = 0x10000;
  if (c.size == 0 || text.size() < c.size) return {};
  for (std::size_t i = 1; i < c.size; ++i) {
    if (!is_utf8_continuation(text[i])) return {};
    c.code = (c.code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  const bool is_surrogate = c.code >= 0xD800 && c.code <= 0xDFFF;
  if (c.code < least || is_surrogate || c.code > 0x10FFFF) return {};
  return c;
}

}  // namespace greenline::base
