#include "io/toml_depth.hpp"

#include <vector>

namespace greenline::io {
namespace {

class DepthScan {
 public:
  DepthScan(std::string_view text, std::size_t max_depth)
      : text_(text), cursor_(text), max_depth_(max_depth) {}

  std::optional<Place> run() {
    while (!cursor_.at_end()) {
      const Place here = cursor_.place();
      const char c = cursor_.peek();
      if (c == '"' || c == '\'') {
        pass_string(c);
      } else if (c == '#') {
        while (!cursor_.at_end() && cursor_.peek() != '\n') cursor_.step();
      } else {
        cursor_.step();
        structure(c);
      }
      if (depth_ > max_depth_) return here;
    }
    return std::nullopt;
  }

 private:
  void structure(char c) {
    switch (c) {
      case '.':  // in a key; in a number it counts one level too many, once
        ++depth_;
        break;
      case '=':
        in_value_ = true;
        break;
      case ',':
        depth_ = base();
        break;
      case '[':
      case '{':
        open_bracket();
        break;
      case ']':
      case '}':
        if (!outer_.empty()) outer_.pop_back();
        if (!in_header_) depth_ = base();
        break;
      case '\n':
        if (!outer_.empty()) break;  // an array goes on
        if (in_header_) header_depth_ = depth_;
        depth_ = header_depth_;
        in_header_ = in_value_ = false;
        break;
      default:
        break;
    }
  }

  void open_bracket() {
    const bool header = !in_value_ && outer_.empty();
    if (header && !in_header_) depth_ = 0;  // a header names its table from the root
    ++depth_;
    if (header)
      in_header_ = true;
    else
      outer_.push_back(depth_);
  }

  std::size_t base() const { return outer_.empty() ? header_depth_ : outer_.back(); }

  void pass_string(char quote) {
    const std::string_view three = quote == '"' ? R"(""")" : "'''";
    const bool lines = text_.substr(cursor_.offset()).starts_with(three);
    if (lines)
      cursor_.step_to(cursor_.offset() + 3);
    else
      cursor_.step();
    while (!cursor_.at_end()) {
      const char c = cursor_.peek();
      if (c == '\n' && !lines) return;  // a syntax error, left to the parser
      if (c == quote && (!lines || text_.substr(cursor_.offset()).starts_with(three))) break;
      cursor_.step();
      if (c == '\\' && quote == '"' && !cursor_.at_end()) cursor_.step();
    }
    if (cursor_.at_end()) return;
    // Up to two more quotes may stand before the three that end a string of several lines.
    if (!lines) return cursor_.step();
    while (!cursor_.at_end() && cursor_.peek() == quote) cursor_.step();
  }

  std::string_view text_;
  PlaceCursor cursor_;
  std::size_t max_depth_;
  std::size_t depth_ = 0;           // of what is being read
  std::size_t header_depth_ = 0;    // of the table that the last header opened
  std::vector<std::size_t> outer_;  // depth inside each open bracket of a value
  bool in_header_ = false, in_value_ = false;
};

}  // namespace

std::optional<Place> first_too_deep(std::string_view text, std::size_t max_depth) {
  return DepthScan(text, max_depth).run();
}

}  // namespace greenline::io
