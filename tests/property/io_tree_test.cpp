// JSON and TOML: what is written is read, and every value stands where it starts.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "io/json.hpp"
#include "io/toml.hpp"
#include "io/value.hpp"

namespace greenline::io {
namespace {

rc::Gen<std::string> any_text() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                          "a", "k", " ", "\"", "\\", "\n", "\t", "\x01", "<", "/", "'", "#", "=",
                          "[", "}", ",", ".", "\xC3\xBC", "\xE2\x80\xA8", "\xF0\x9F\x8C\xB1")),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const std::string& part : parts) text += part;
                        return text;
                      });
}

Value any_scalar(bool with_null) {
  switch (*rc::gen::inRange(with_null ? 0 : 1, 5)) {
    case 0:
      return {};
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::arbitrary<std::int64_t>();
    case 3:
      return *rc::gen::suchThat(rc::gen::arbitrary<double>(),
                                [](double d) { return std::isfinite(d); });
    default:
      return *any_text();
  }
}

Value any_tree(int depth, bool with_null) {
  const int kind = *rc::gen::inRange(0, depth == 0 ? 1 : 3);
  if (kind == 0) return any_scalar(with_null);
  const int size = *rc::gen::inRange(0, 4);
  if (kind == 1) {
    Value::Array items;
    for (int i = 0; i < size; ++i) items.push_back(any_tree(depth - 1, with_null));
    return items;
  }
  Value object = Value::Object{};
  for (int i = 0; i < size; ++i) object[*any_text()] = any_tree(depth - 1, with_null);
  return object;
}

RC_GTEST_PROP(JsonProperty, WhatIsWrittenIsRead, ()) {
  const Value tree = any_tree(4, true);
  for (const int indent : {0, 2}) {
    const std::string text = write_json(tree, indent);
    RC_ASSERT(parse_json(text, "t") == tree);
    RC_ASSERT(write_json(parse_json(text, "t"), indent) == text);
  }
}

// The offset of line and column, counted in characters.
std::size_t offset_of(const std::string& text, const base::Location& where) {
  std::size_t line = 1, column = 1, i = 0;
  for (; i < text.size() && (line != where.line || column != where.column); ++i) {
    if (text[i] == '\n')
      ++line, column = 1;
    else if (i + 1 == text.size() || (static_cast<unsigned char>(text[i + 1]) & 0xC0) != 0x80)
      ++column;
  }
  return i;
}

// The text at the place of a value, read alone, is that value.
void check_places(const Value& v, const std::string& text) {
  const std::string rest = text.substr(offset_of(text, v.where()));
  const std::string own = write_json(v, 0);
  RC_ASSERT(rest.substr(0, own.size()) == own);
  if (v.is_array())
    for (const Value& item : v.as_array()) check_places(item, text);
  if (v.is_object())
    for (const auto& [key, member] : v.as_object()) check_places(member, text);
}

RC_GTEST_PROP(JsonProperty, PlacesPointAtTheValues, ()) {
  const Value tree = any_tree(4, true);
  std::string text = write_json(tree, 0);
  // Line breaks wherever a comma stands outside a text: values keep their own text in one piece
  // only if they are scalars, so trees are checked on one line and lines are checked on flat
  // arrays.
  check_places(parse_json(text, "t"), text);

  std::string lines = "[\n";
  const auto items = *rc::gen::container<std::vector<std::string>>(any_text());
  for (const std::string& item : items)
    lines += "  " + write_json(item, 0) + (&item == &items.back() ? "\n" : ",\n");
  lines += "]";
  const Value array = parse_json(lines, "t");
  for (std::size_t i = 0; i < items.size(); ++i) {
    RC_ASSERT(array.as_array()[i].where().line == i + 2);
    RC_ASSERT(array.as_array()[i].where().column == 3U);
  }
}

// A TOML writer good enough for the property: inline tables and quoted keys only.
void write_toml(const Value& v, std::string& out) {
  const auto quoted = [](const std::string& s) {
    return write_json(s);
  };  // the same escapes as TOML's
  if (v.is_array()) {
    out += '[';
    for (const Value& item : v.as_array()) {
      if (&item != &v.as_array().front()) out += ", ";
      write_toml(item, out);
    }
    out += ']';
  } else if (v.is_object()) {
    out += '{';
    for (const auto& member : v.as_object()) {
      if (&member != &v.as_object().front()) out += ", ";
      out += quoted(member.first) + " = ";
      write_toml(member.second, out);
    }
    out += '}';
  } else if (v.is_double()) {
    const std::string digits = base::shortest(v.as_double());
    out += digits + (digits.find_first_of(".e") == std::string::npos ? ".0" : "");
  } else {
    out += write_json(v);
  }
}

RC_GTEST_PROP(TomlProperty, WhatIsWrittenIsReadInOrderWithPlaces, ()) {
  Value tree = Value::Object{};
  const int size = *rc::gen::inRange(0, 5);
  for (int i = 0; i < size; ++i) tree[*any_text()] = any_tree(3, false);
  std::string text;
  std::vector<std::size_t> columns;
  for (const auto& [key, value] : tree.as_object()) {
    const std::string start = write_json(key) + " = ";
    columns.push_back(
        1 + static_cast<std::size_t>(std::count_if(start.begin(), start.end(), [](char c) {
          return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        })));
    text += start;
    write_toml(value, text);
    text += '\n';
  }
  const Value got = parse_toml(text, "t");
  RC_ASSERT(got == tree);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const base::Location& where = got.as_object()[i].second.where();
    RC_ASSERT(where.line == i + 1);
    RC_ASSERT(where.column == columns[i]);
  }
}

}  // namespace
}  // namespace greenline::io
