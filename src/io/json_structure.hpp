// Where the parts of a JSON text are: the first stage of simdjson, which finds the brackets, colons
// and commas outside of texts and the first byte of every value, at gigabytes per second. A reader
// of one known format walks along these places, faster than along a general tree or cursor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace greenline::io {

class JsonStructure {
 public:
  JsonStructure();
  JsonStructure(const JsonStructure&) = delete;
  JsonStructure& operator=(const JsonStructure&) = delete;
  ~JsonStructure();
  // False when the text holds bytes that are not UTF-8, raw control characters in a text or a text
  // without end, or when it is of 4 GiB and more. Nothing else is checked.
  bool read(std::string_view text);
  // Of the text last read, ascending; followed by its size once.
  std::span<const std::uint32_t> places() const { return places_; }
  // What stands between the quotes, without its escapes; valid until the next call. Nothing (data()
  // is null) when an escape is wrong.
  std::string_view unescaped(std::string_view within_quotes);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::span<const std::uint32_t> places_;
  std::string from_, to_;
};

}  // namespace greenline::io
