#include "io/trace_scan.hpp"

#include <algorithm>
#include <cstring>

#include "base/utf8.hpp"

namespace greenline::io {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// Behind the closing quote of the text that begins at `at`.
std::optional<std::size_t> skip_text(std::string_view text, std::size_t at, std::size_t limit) {
  for (++at; at < limit; ++at) {
    const void* quote = std::memchr(text.data() + at, '"', limit - at);
    if (quote == nullptr) return std::nullopt;
    at = static_cast<std::size_t>(static_cast<const char*>(quote) - text.data());
    std::size_t backslashes = 0;
    while (text[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at + 1;
  }
  return std::nullopt;
}

// Going backwards over blanks and then one `c`: the position of it.
std::optional<std::size_t> before(std::string_view text, std::size_t at, char c) {
  while (at > 0 && is_blank(text[at - 1])) --at;
  if (at == 0 || text[at - 1] != c) return std::nullopt;
  return at - 1;
}

}  // namespace

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

std::optional<std::size_t> skip_value(std::string_view text, std::size_t at, std::size_t limit) {
  limit = std::min(limit, text.size());
  if (at >= limit) return std::nullopt;
  if (text[at] == '"') return skip_text(text, at, limit);
  if (text[at] != '{' && text[at] != '[') {
    const std::size_t begin = at;
    while (at < limit && !is_blank(text[at]) && std::strchr(",]}", text[at]) == nullptr) ++at;
    if (at == begin || at == text.size()) return std::nullopt;
    return at;
  }
  std::size_t depth = 0;
  while (at < limit) {
    const char c = text[at];
    if (c == '"') {
      const auto end = skip_text(text, at, limit);
      if (!end) return std::nullopt;
      at = *end;
      continue;
    }
    ++at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at;
  }
  return std::nullopt;
}

EventCuts::EventCuts(std::string_view text, std::size_t first) : text_(text), key_("\"ph\"") {
  if (first >= text.size() || text[first] != '{') return;
  const std::size_t key = skip_blanks(text, first + 1);
  constexpr std::size_t kLongestKey = 64;
  if (key >= text.size() || text[key] != '"') return;
  if (const auto end = skip_text(text, key, std::min(text.size(), key + kLongestKey)))
    key_ = std::string(text.substr(key, *end - key));
}

std::optional<EventCut> EventCuts::next(std::size_t from) {
  if (known_from_ <= from && from <= known_to_) return known_;
  known_.reset();
  for (std::size_t at = text_.find(key_, from); at != std::string_view::npos;
       at = text_.find(key_, at + 1)) {
    const auto open = before(text_, at, '{');
    if (!open || *open < from) continue;
    const auto comma = before(text_, *open, ',');
    if (!comma) continue;
    const auto close = before(text_, *comma, '}');
    if (!close) continue;
    known_ = EventCut{*close + 1, *open};
    break;
  }
  known_from_ = from;
  known_to_ = known_ ? known_->begin : text_.size();
  return known_;
}

std::string mended_text(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::string out;
  out.reserve(text.size());
  bool quoted = false;
  for (std::size_t i = 0; i < text.size();) {
    const base::Utf8Character c = base::first_character(text.substr(i));
    if (c.size == 0) {
      out += kReplacement;
      ++i;
      continue;
    }
    if (quoted && text[i] == '\\' && i + 1 < text.size() &&
        static_cast<unsigned char>(text[i + 1]) >= ' ' &&
        static_cast<unsigned char>(text[i + 1]) < 0x80) {
      out += text.substr(i, 2);
      i += 2;
      continue;
    }
    if (text[i] == '"') quoted = !quoted;
    if (quoted && static_cast<unsigned char>(text[i]) < ' ')
      out += ' ';
    else
      out += text.substr(i, c.size);
    i += c.size;
  }
  return out;
}

}  // namespace greenline::io
