// Where the values of a JSON text begin and end, without reading them: what the trace reader cuts
// by. Every function is linear in the bytes it passes and knows no depth limit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace greenline::io {

// The first byte at or after `at` that is no blank; the size when there is none.
std::size_t skip_blanks(std::string_view text, std::size_t at);

// The end of the value that begins at `at`; nothing when the text stops before, or no value begins
// there. Brackets are counted, not matched. `limit`: gives up there.
std::optional<std::size_t> skip_value(std::string_view text, std::size_t at,
                                      std::size_t limit = std::string_view::npos);

// Between two events of an array: `}` `,` `{` and the key that events begin with, blanks anywhere.
// It may stand in an argument too: whoever cuts by it has to find out.
struct EventCut {
  std::size_t end = 0;    // behind the `}`
  std::size_t begin = 0;  // at the `{`
};
class EventCuts {
 public:
  // `first`: at the first event.
  EventCuts(std::string_view text, std::size_t first);
  // The first cut whose `begin` is at or after `from`. Asked with growing positions it is linear in
  // all; nothing when there is none.
  std::optional<EventCut> next(std::size_t from);

 private:
  std::string_view text_;
  std::string key_;
  std::size_t known_from_ = 1, known_to_ = 0;  // `known_` answers for positions in this range
  std::optional<EventCut> known_;
};

// Bytes that are not UTF-8 become U+FFFD, raw control characters within texts become blanks.
std::string mended_text(std::string_view text);

}  // namespace greenline::io
