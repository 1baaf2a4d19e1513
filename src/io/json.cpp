#include "io/json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/quantity_text.hpp"
#include "io/place_cursor.hpp"

namespace greenline::io {
namespace {

constexpr std::size_t kMaxDepth = 256;

// Follows the parser's events through the text. Events come in the order of the tokens and only for
// tokens that the parser has accepted, so the next token is always the next thing that is not
// blank, comma or colon.
class TokenCursor {
 public:
  explicit TokenCursor(std::string_view text) : text_(text), cursor_(text) {}

  // Start of the next token, which is then passed; its text is left in `token()`. A comma or colon
  // at `last` or after it is a token itself: the wrong one.
  Place next(std::size_t last = std::string_view::npos) {
    while (!cursor_.at_end() && is_between(cursor_.peek()) && cursor_.offset() < last)
      cursor_.step();
    const Place start = cursor_.place();
    begin_ = cursor_.offset();
    if (cursor_.at_end()) return start;
    const char first = cursor_.peek();
    cursor_.step();
    if (first == '"') {
      pass_string();
    } else if (!is_bracket(first)) {
      while (!cursor_.at_end() && !is_between(cursor_.peek()) && !is_bracket(cursor_.peek()))
        cursor_.step();
    }
    return start;
  }
  std::size_t offset() const { return cursor_.offset(); }
  std::string_view token() const { return text_.substr(begin_, cursor_.offset() - begin_); }

 private:
  static bool is_between(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ',' || c == ':';
  }
  static bool is_bracket(char c) { return c == '{' || c == '}' || c == '[' || c == ']'; }

  void pass_string() {
    while (!cursor_.at_end()) {
      const char c = cursor_.peek();
      cursor_.step();
      if (c == '"') return;
      if (c == '\\' && !cursor_.at_end()) cursor_.step();
    }
  }

  std::string_view text_;
  PlaceCursor cursor_;
  std::size_t begin_ = 0;
};

// The double of an integer text, if it holds it exactly.
std::optional<double> exact_double(std::string_view digits, double rounded) {
  if (!std::isfinite(rounded)) return std::nullopt;
  if (fmt::format("{:.0f}", rounded) != digits) return std::nullopt;
  return rounded;
}

bool is_integer_text(std::string_view text) {
  return text.find_first_of(".eE") == std::string_view::npos;
}

// A mantissa with a digit other than 0.
bool has_magnitude(std::string_view text) {
  return text.substr(0, text.find_first_of("eE")).find_first_of("123456789") !=
         std::string_view::npos;
}

// Builds the tree from the events of the parser, which is strict and does not recurse.
class TreeBuilder {
 public:
  using number_integer_t = std::int64_t;
  using number_unsigned_t = std::uint64_t;
  using number_float_t = double;
  using string_t = std::string;
  using binary_t = nlohmann::json::binary_t;

  TreeBuilder(std::string_view text, const std::string& name)
      : text_(text), name_(name), tokens_(text) {}

  Value take() { return std::move(root_); }

  bool null() { return add(Value{}, tokens_.next()); }
  bool boolean(bool b) { return add(Value{b}, tokens_.next()); }
  bool string(std::string& s) { return add(Value{std::move(s)}, tokens_.next()); }
  bool number_integer(std::int64_t i) {
    const Place at = tokens_.next();
    return add(i == 0 ? Value{-0.0} : Value{i}, at);  // signed, so 0 was written "-0"
  }
  bool number_unsigned(std::uint64_t u) {
    if (u <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      const Place at = tokens_.next();
      return add(Value{static_cast<std::int64_t>(u)}, at);
    }
    return number_float(static_cast<double>(u), fmt::format("{}", u));
  }
  bool number_float(double d, const std::string& digits) {
    const Place at = tokens_.next();
    if (is_integer_text(digits)) {
      const std::optional<double> exact = exact_double(digits, d);
      if (!exact)
        out_of_range(digits, at, "an integer beyond 64 bits that no double holds exactly");
      return add(Value{*exact}, at);
    }
    if (d == 0 && has_magnitude(digits)) out_of_range(digits, at, "smaller than any double");
    return add(Value{d}, at);
  }
  bool binary(binary_t&) { throw base::InternalError("JSON text holds no binary values"); }

  bool start_object(std::size_t) { return open(Value{Value::Object{}}); }
  bool start_array(std::size_t) { return open(Value{Value::Array{}}); }
  bool key(std::string& k) {
    Frame& frame = open_.back();
    frame.keys.push_back(tokens_.next());
    frame.value.as_object().emplace_back(std::move(k), Value{});
    return true;
  }
  bool end_object() {
    check_keys(open_.back());
    return close();
  }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::json::exception& failure) {
    constexpr int kNumberOverflow = 406;
    // `position` counts the bytes read; the last one is in the wrong token or ends it.
    const std::size_t last = position == 0 ? 0 : position - 1;
    std::string what = explanation(failure.what());
    // Inside a string the wrong byte says more than its start; after "01" the second number starts
    // in what looks like one token.
    if (what.find("invalid string") != std::string::npos || last < tokens_.offset()) {
      PlaceCursor cursor(text_);
      cursor.step_to(last);
      fail("bad-json", what, cursor.place());
    }
    const Place at = tokens_.next(last);
    if (failure.id == kNumberOverflow) out_of_range(last_token, at, "larger than any double");
    std::string_view token = tokens_.token();
    if (token.size() > 1 && token.front() == '"') token = token.substr(1, token.size() - 2);
    if (!token.empty()) what += ", got " + base::quoted(token);
    fail("bad-json", what, at,
         token == "NaN" || token.ends_with("Infinity") ? "JSON has neither NaN nor infinity" : "");
  }

 private:
  struct Frame {
    Value value;
    std::vector<Place> keys;  // of the members of an object
  };

  // "[json.exception…] parse error at line 1, column 2: WHAT; last read: 'TOKEN'; expected …"
  // without what the location says already and without the token, which may be long and is not
  // always the wrong one.
  static std::string explanation(std::string_view what) {
    const std::size_t place = what.find("column ");
    const std::size_t colon = what.find(": ", place == std::string_view::npos ? 0 : place);
    if (colon != std::string_view::npos) what.remove_prefix(colon + 2);
    const std::size_t last_read = what.find("; last read: ");
    if (last_read == std::string_view::npos) return std::string(what);
    const std::size_t expected = what.rfind("; expected ");
    std::string shown(what.substr(0, last_read));
    if (expected != std::string_view::npos && expected > last_read) shown += what.substr(expected);
    return shown;
  }

  [[noreturn]] void fail(std::string code, std::string message, Place at,
                         std::string hint = "") const {
    throw base::DataError(std::move(code), std::move(message), std::move(hint),
                          {name_, at.line, at.column});
  }
  [[noreturn]] void out_of_range(std::string_view digits, Place at, std::string_view why) const {
    fail("number-out-of-range", fmt::format("{} is {}", base::quoted(digits), why), at);
  }

  bool add(Value value, Place at) {
    value.set_where({name_, at.line, at.column});
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Value& parent = open_.back().value;
    if (parent.is_array())
      parent.as_array().push_back(std::move(value));
    else
      parent.as_object().back().second = std::move(value);
    return true;
  }

  bool open(Value value) {
    const Place at = tokens_.next();
    if (open_.size() >= kMaxDepth)
      fail("bad-json", fmt::format("nested deeper than {} levels", kMaxDepth), at);
    value.set_where({name_, at.line, at.column});
    open_.push_back({std::move(value), {}});
    return true;
  }

  bool close() {
    tokens_.next();
    Value done = std::move(open_.back().value);
    open_.pop_back();
    const Place at{done.where().line, done.where().column};
    return add(std::move(done), at);
  }

  void check_keys(const Frame& frame) const {
    const Value::Object& members = frame.value.as_object();
    std::vector<std::size_t> order(members.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return members[a].first < members[b].first;
    });
    for (std::size_t i = 1; i < order.size(); ++i) {
      const std::size_t first = order[i - 1], again = order[i];
      if (members[first].first == members[again].first)
        fail("bad-json",
             fmt::format("duplicate key {}; the first is at line {}, column {}",
                         base::quoted(members[first].first), frame.keys[first].line,
                         frame.keys[first].column),
             frame.keys[again]);
    }
  }

  std::string_view text_;
  const std::string& name_;
  TokenCursor tokens_;
  std::vector<Frame> open_;
  Value root_;
};

}  // namespace

Value parse_json(std::string_view text, const std::string& name) {
  TreeBuilder builder(text, name);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder))
    throw base::InternalError("the JSON parser stopped without an error");
  return builder.take();
}

}  // namespace greenline::io
