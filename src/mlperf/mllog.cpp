#include "mlperf/mllog.hpp"

#include <algorithm>
#include <cstring>

namespace greenline::mlperf {
namespace {

constexpr std::string_view kToken = ":::MLLOG ";

// A walk over JSON text that checks no more than where values begin and end.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  bool accept(char c) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // A text with its quotes.
  std::optional<std::string_view> string() {
    blanks();
    const std::size_t begin = at_;
    if (!skip_string()) return std::nullopt;
    return text_.substr(begin, at_ - begin);
  }

  // What is left of the text.
  std::string_view rest() {
    blanks();
    return text_.substr(at_);
  }

  std::optional<std::string_view> value() {
    blanks();
    const std::size_t begin = at_;
    if (at_ >= text_.size()) return std::nullopt;
    const char c = text_[at_];
    const bool whole = c == '"'               ? skip_string()
                       : c == '{' || c == '[' ? skip_nested()
                                              : skip_word();
    if (!whole) return std::nullopt;
    return text_.substr(begin, at_ - begin);
  }

 private:
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }

  bool skip_string() {
    if (at_ >= text_.size() || text_[at_] != '"') return false;
    ++at_;
    while (at_ < text_.size()) {
      const void* quote = std::memchr(text_.data() + at_, '"', text_.size() - at_);
      if (quote == nullptr) break;
      const std::size_t end =
          static_cast<std::size_t>(static_cast<const char*>(quote) - text_.data());
      std::size_t num_escapes = 0;
      while (end - num_escapes > at_ && text_[end - num_escapes - 1] == '\\') ++num_escapes;
      at_ = end + 1;
      if (num_escapes % 2 == 0) return true;
    }
    at_ = text_.size();
    return false;
  }

  // A flat list without texts, as those of indices are, ends at its first "]".
  bool skip_flat() {
    const std::string_view rest = text_.substr(at_);
    const std::size_t end = rest.find(']');
    if (rest[0] != '[' || end == std::string_view::npos) return false;
    const std::string_view inside = rest.substr(1, end - 1);
    for (const char c : {'"', '[', '{'})
      if (inside.find(c) != std::string_view::npos) return false;
    at_ += end + 1;
    return true;
  }

  // Brackets are counted together: a "[" closed by "}" is not noticed, and need not be.
  bool skip_nested() {
    if (skip_flat()) return true;
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        if (!skip_string()) return false;
        continue;
      }
      ++at_;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return true;
    }
    return false;
  }

  bool skip_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !ends_word(text_[at_])) ++at_;
    return at_ > begin && at_ < text_.size();
  }

  static bool ends_word(char c) {
    return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\t' || c == '\r';
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Calls body(name, value) for each member; false where the object is not whole. Where
// `is_last(name, rest)` says so the object is taken as read.
template <class Body, class IsLast>
bool for_each_member(std::string_view object, Body&& body, IsLast&& is_last) {
  Walk walk(object);
  if (!walk.accept('{')) return false;
  if (walk.accept('}')) return true;
  do {
    const auto quoted = walk.string();
    if (!quoted || !walk.accept(':')) return false;
    const std::string_view name = quoted->substr(1, quoted->size() - 2);
    if (is_last(name, walk.rest())) return true;
    const auto value = walk.value();
    if (!value) return false;
    body(name, *value);
  } while (walk.accept(','));
  return walk.accept('}');
}

void set_once(std::string_view& member, std::string_view value) {
  if (member.data() == nullptr) member = value;
}

char unescaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    default:
      return c;
  }
}

}  // namespace

MllogLine read_mllog(std::string_view line, MllogRecord& record) {
  record = {};
  const std::size_t token = line.find(kToken);
  if (token == std::string_view::npos) return MllogLine::other;
  const auto member = [&](std::string_view name, std::string_view value) {
    if (name == "key" && value.starts_with('"'))
      set_once(record.key, value.substr(1, value.size() - 2));
    else if (name == "value")
      set_once(record.value, value);
    else if (name == "time_ms")
      set_once(record.time_ms, value);
    else if (name == "metadata")
      set_once(record.metadata, value);
  };
  const auto is_last = [&](std::string_view name, std::string_view rest) {
    if (name != "metadata" || !record.key.data() || !record.value.data() || !record.time_ms.data())
      return false;
    const std::size_t end = rest.find_last_not_of(" \t\r");
    if (end == std::string_view::npos || rest[end] != '}') return false;
    set_once(record.metadata, rest.substr(0, end));
    return true;
  };
  const bool whole = for_each_member(line.substr(token + kToken.size()), member, is_last);
  return whole && !record.key.empty() ? MllogLine::record : MllogLine::malformed;
}

bool MllogLines::next() {
  const char* const begin = text_.data() + at_;
  const void* const token = at_ < text_.size()
                                ? memmem(begin, text_.size() - at_, kToken.data(), kToken.size())
                                : nullptr;
  if (token == nullptr) return false;
  const char* const found = static_cast<const char*>(token);
  const char* first = found;  // of the line
  while (first > begin && first[-1] != '\n') --first;
  number_ += static_cast<std::uint32_t>(std::count(begin, first, '\n')) + 1;
  const auto left = static_cast<std::size_t>(text_.data() + text_.size() - found);
  const void* const newline = std::memchr(found, '\n', left);
  const char* const last = newline ? static_cast<const char*>(newline) : found + left;
  line_ = std::string_view(first, static_cast<std::size_t>(last - first));
  at_ = static_cast<std::size_t>(last - text_.data()) + (newline ? 1 : 0);
  return true;
}

std::optional<std::string_view> object_member(std::string_view object, std::string_view name) {
  std::optional<std::string_view> found;
  for_each_member(
      object,
      [&](std::string_view n, std::string_view value) {
        if (!found && n == name) found = value;
      },
      [](std::string_view, std::string_view) { return false; });
  return found;
}

std::string value_text(std::string_view value) {
  if (!value.starts_with('"')) return std::string(value);
  std::string text;
  for (std::size_t i = 1; i + 1 < value.size(); ++i) {
    const bool is_escape = value[i] == '\\' && i + 2 < value.size();
    // \uXXXX stays as it is: no key or name that is compared has one.
    if (is_escape && value[i + 1] != 'u')
      text += unescaped(value[++i]);
    else
      text += value[i];
  }
  return text;
}

}  // namespace greenline::mlperf
