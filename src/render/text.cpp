#include "render/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/utf8.hpp"

namespace greenline::render {
namespace {

using base::first_character;
using base::Utf8Character;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

bool is_between(char32_t c, char32_t low, char32_t high) { return c >= low && c <= high; }

bool steers_output(char32_t c) {
  return c < 0x20 || is_between(c, 0x7F, 0x9F) || is_between(c, 0x2028, 0x202E) ||
         is_between(c, 0x2066, 0x2069);
}

struct CodeRange {
  char32_t low, high;
};
// Blocks of Unicode 15 whose characters take no column of their own, or two (UAX #11: W and F).
constexpr std::array<CodeRange, 7> kZeroWidth{{{0x300, 0x36F},
                                               {0x483, 0x489},
                                               {0x200B, 0x200F},
                                               {0x20D0, 0x20FF},
                                               {0xFE00, 0xFE0F},
                                               {0xFE20, 0xFE2F},
                                               {0xFEFF, 0xFEFF}}};
constexpr std::array<CodeRange, 9> kTwoWide{{{0x1100, 0x115F},
                                             {0x2E80, 0xA4CF},
                                             {0xAC00, 0xD7A3},
                                             {0xF900, 0xFAFF},
                                             {0xFE30, 0xFE6F},
                                             {0xFF00, 0xFF60},
                                             {0xFFE0, 0xFFE6},
                                             {0x1F300, 0x1FAFF},
                                             {0x20000, 0x3FFFD}}};

template <std::size_t N>
bool is_in(const std::array<CodeRange, N>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](CodeRange r) { return is_between(c, r.low, r.high); });
}

int columns_of(char32_t c) { return is_in(kZeroWidth, c) ? 0 : is_in(kTwoWide, c) ? 2 : 1; }

// Bytes of the longest head of `text` that takes at most `width` columns, at least one character.
std::size_t head_bytes(std::string_view text, int width) {
  std::size_t bytes = 0;
  int used = 0;
  while (bytes < text.size()) {
    const Utf8Character c = first_character(text.substr(bytes));
    const int columns = c.size == 0 ? 1 : columns_of(c.code);
    if (bytes > 0 && used + columns > width) break;
    used += columns;
    bytes += std::max<std::size_t>(c.size, 1);
  }
  return bytes;
}

template <class Keep>
std::string filtered(std::string_view bytes, Keep&& append) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const Utf8Character c = first_character(bytes);
    const std::size_t length = std::max<std::size_t>(c.size, 1);
    if (c.size == 0)
      out += kReplacement;
    else
      append(out, c.code, bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  return out;
}

}  // namespace

std::string valid_utf8(std::string_view bytes) {
  return filtered(bytes,
                  [](std::string& out, char32_t, std::string_view character) { out += character; });
}

std::string printable(std::string_view bytes) {
  return filtered(bytes, [](std::string& out, char32_t code, std::string_view character) {
    if (code == '\n' || code == '\r' || code == '\t')
      out += ' ';
    else if (steers_output(code))
      out += kReplacement;
    else
      out += character;
  });
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Utf8Character c = first_character(text);
    width += c.size == 0 ? 1 : columns_of(c.code);
    text.remove_prefix(std::max<std::size_t>(c.size, 1));
  }
  return width;
}

std::string pad_left(std::string_view text, int width) {
  const int gap = std::max(0, width - display_width(text));
  return std::string(static_cast<std::size_t>(gap), ' ').append(text);
}

std::string pad_right(std::string_view text, int width) {
  const int gap = std::max(0, width - display_width(text));
  return std::string(text).append(static_cast<std::size_t>(gap), ' ');
}

std::vector<std::string> wrap(std::string_view text, int width) {
  std::vector<std::string> lines;
  std::string line;
  int used = 0;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    if (word.empty()) continue;
    const int columns = display_width(word);
    if (!line.empty() && used + 1 + columns > width) {
      lines.push_back(std::move(line));
      line.clear();
      used = 0;
    }
    while (line.empty() && display_width(word) > width) {
      const std::size_t bytes = head_bytes(word, width);
      lines.emplace_back(word.substr(0, bytes));
      word.remove_prefix(bytes);
    }
    if (word.empty()) continue;
    if (!line.empty()) line += ' ', ++used;
    line += word;
    used += display_width(word);
  }
  if (!line.empty() || lines.empty()) lines.push_back(std::move(line));
  return lines;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) out += separator;
    out += part;
  }
  return out;
}

}  // namespace greenline::render
