#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "base/utf8.hpp"
#include "io/json.hpp"

namespace greenline::io {
namespace {

class Writer {
 public:
  explicit Writer(int indent) : indent_(indent) {}

  void value(const Value& v, std::size_t depth) {
    if (v.is_null()) {
      out_ += "null";
    } else if (v.is_bool()) {
      out_ += v.as_bool() ? "true" : "false";
    } else if (v.is_int()) {
      integer(v.as_int());
    } else if (v.is_double()) {
      number(v.as_double());
    } else if (v.is_text()) {
      text(v.as_text());
    } else if (v.is_date_time()) {
      text(v.as_date_time().text);
    } else if (v.is_array()) {
      array(v.as_array(), depth);
    } else {
      object(v.as_object(), depth);
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void integer(std::int64_t i) {
    char buffer[24];
    const auto result = std::to_chars(std::begin(buffer), std::end(buffer), i);
    out_.append(buffer, result.ptr);
  }

  void number(double d) {
    if (!std::isfinite(d)) throw base::InternalError("JSON has no NaN and no infinity");
    const std::string digits = base::shortest(d);
    out_ += digits;
    // A whole double past 2^53 must not be read back as an integer, which its shortest digits may
    // not equal.
    constexpr double kTwoTo53 = 9007199254740992.0;
    if (std::abs(d) >= kTwoTo53 && digits.find_first_of(".e") == std::string::npos) out_ += ".0";
  }

  void text(std::string_view s) {
    out_ += '"';
    while (!s.empty()) {
      const std::size_t length = base::first_character(s).size;
      if (length == 0) {
        out_ += "\xEF\xBF\xBD";  // U+FFFD, the replacement character
        s.remove_prefix(1);
        continue;
      }
      character(s.substr(0, length));
      s.remove_prefix(length);
    }
    out_ += '"';
  }

  void character(std::string_view c) {
    switch (c.front()) {
      case '"':
        out_ += "\\\"";
        return;
      case '\\':
        out_ += "\\\\";
        return;
      case '\n':
        out_ += "\\n";
        return;
      case '\r':
        out_ += "\\r";
        return;
      case '\t':
        out_ += "\\t";
        return;
      case '<':  // would end an HTML script
        out_ += "\\u003c";
        return;
      default:
        break;
    }
    const auto byte = static_cast<unsigned char>(c.front());
    if (byte < 0x20 || byte == 0x7F) {
      out_ += fmt::format("\\u{:04x}", static_cast<unsigned>(byte));
    } else if (c == "\xE2\x80\xA8") {  // line separators end a statement in older JavaScript
      out_ += "\\u2028";
    } else if (c == "\xE2\x80\xA9") {
      out_ += "\\u2029";
    } else {
      out_ += c;
    }
  }

  void line(std::size_t depth) {
    if (indent_ <= 0) return;
    out_ += '\n';
    out_.append(depth * static_cast<std::size_t>(indent_), ' ');
  }

  void array(const Value::Array& items, std::size_t depth) {
    out_ += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i != 0) out_ += ',';
      line(depth + 1);
      value(items[i], depth + 1);
    }
    if (!items.empty()) line(depth);
    out_ += ']';
  }

  void object(const Value::Object& members, std::size_t depth) {
    out_ += '{';
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i != 0) out_ += ',';
      line(depth + 1);
      text(members[i].first);
      out_ += indent_ > 0 ? ": " : ":";
      value(members[i].second, depth + 1);
    }
    if (!members.empty()) line(depth);
    out_ += '}';
  }

  int indent_;
  std::string out_;
};

}  // namespace

std::string write_json(const Value& value, int indent) {
  Writer writer(indent);
  writer.value(value, 0);
  return writer.take();
}

}  // namespace greenline::io
