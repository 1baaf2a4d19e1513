// A walk through text that knows its line and column.
#pragma once

#include <cstddef>
#include <string_view>

namespace greenline::io {

struct Place {
  std::size_t line = 1, column = 1;  // the column counts characters (UTF-8), not bytes
};

class PlaceCursor {
 public:
  explicit PlaceCursor(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) offset_ = 3;  // a byte-order mark takes no column
  }

  Place place() const { return place_; }
  std::size_t offset() const { return offset_; }
  bool at_end() const { return offset_ >= text_.size(); }
  char peek() const { return text_[offset_]; }

  void step() {
    const auto byte = static_cast<unsigned char>(text_[offset_++]);
    if (byte == '\n') {
      ++place_.line;
      place_.column = 1;
    } else if ((byte & 0xC0) != 0x80) {  // continuation bytes belong to the character before
      ++place_.column;
    }
  }
  void step_to(std::size_t offset) {
    while (offset_ < offset && !at_end()) step();
  }

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  Place place_;
};

}  // namespace greenline::io
