// One line of an MLLOG file: anything, then ":::MLLOG " and an object with the members key, value,
// time_ms and metadata.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace greenline::mlperf {

// Views into the line; "" for a member that is not there.
struct MllogRecord {
  std::string_view key;    // between its quotes, not unescaped
  std::string_view value;  // as in the line: "\"text\"", "12.5", "null", "[…]"
  std::string_view time_ms, metadata;
};

enum class MllogLine {
  other,      // no ":::MLLOG " in the line
  record,     // a whole object that has a key
  malformed,  // no object, or one that ends too early
};

// Reads no more than it has to: nothing is copied, and metadata that come after key, value and
// time_ms are not walked: they go to the end of the line. Of two members of one name the first
// counts.
MllogLine read_mllog(std::string_view line, MllogRecord& record);

// The lines of a text that have the token; the others are passed over without being looked at.
class MllogLines {
 public:
  explicit MllogLines(std::string_view text) : text_(text) {}

  // False at the end of the text.
  bool next();
  std::string_view line() const { return line_; }
  std::uint32_t number() const { return number_; }  // from 1

 private:
  std::string_view text_, line_;
  std::size_t at_ = 0;  // where the next line begins
  std::uint32_t number_ = 0;
};

// The first member of that name of an object, as text; nothing when there is none.
std::optional<std::string_view> object_member(std::string_view object, std::string_view name);

// What a value says, for people and for comparing: the characters of a text with its escapes
// resolved, anything else as it stands.
std::string value_text(std::string_view value);

}  // namespace greenline::mlperf
