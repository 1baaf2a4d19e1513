// The slow, obvious CSV reader: one character at a time through the states of RFC 4180, a string a
// field.
#pragma once

#include <string>
#include <vector>

namespace greenline::reference {

struct SlowCsv {
  bool valid = true;  // false: the text breaks RFC 4180 or rows differ in length
  std::vector<std::vector<std::string>> lines;  // header first
};

// `text` without notes before the header; line breaks at its end make no rows.
inline SlowCsv slow_csv(std::string text, char separator) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  text += '\n';

  enum class State { field_start, plain, quoted, quote_in_quoted, carriage_return };
  SlowCsv out;
  out.lines.emplace_back();
  std::string field;
  State state = State::field_start;
  const auto end_field = [&] {
    out.lines.back().push_back(field);
    field.clear();
    state = State::field_start;
  };
  for (std::size_t i = 0; i < text.size() && out.valid; ++i) {
    const char c = text[i];
    if (state == State::quoted) {
      if (c == '"')
        state = State::quote_in_quoted;
      else
        field += c;
    } else if (state == State::carriage_return) {
      out.valid = c == '\n';
      end_field();
      if (i + 1 < text.size()) out.lines.emplace_back();
    } else if (state == State::quote_in_quoted && c == '"') {
      field += '"';
      state = State::quoted;
    } else if (c == separator) {
      end_field();
    } else if (c == '\n') {
      end_field();
      if (i + 1 < text.size()) out.lines.emplace_back();
    } else if (c == '\r') {
      state = State::carriage_return;
    } else if (c == '"') {
      out.valid = state == State::field_start;
      state = State::quoted;
    } else {
      if (state == State::quote_in_quoted) out.valid = false;
      field += c;
      state = State::plain;
    }
  }
  if (state == State::quoted) out.valid = false;
  for (const auto& line : out.lines)
    if (line.size() != out.lines.front().size()) out.valid = false;
  return out;
}

}  // namespace greenline::reference
