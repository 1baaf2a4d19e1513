// JSON of configurations and results (not of traces, which have a streaming reader).
#pragma once

#include <string>
#include <string_view>

#include "io/value.hpp"

namespace greenline::io {

// Strict RFC 8259 into a tree of at most 256 levels; a byte-order mark is skipped. `name` stands
// for the file in messages; lines and columns (in characters) count from 1, a value stands where it
// starts. DataError "bad-json": syntax, depth, duplicate key, text that is not UTF-8, NaN, trailing
// text. DataError "number-out-of-range": an integer beyond 64 bits that no double holds exactly, a
// number whose magnitude no double reaches.
Value parse_json(std::string_view text, const std::string& name);

// Numbers as the shortest text that reads back to the same double; member order kept; keys and text
// escaped, `<` and U+2028/9 too, so that the result may stand inside an HTML script. indent 0: one
// line. A date-time is written as text. Bytes that are not UTF-8 (file names may hold any) become
// U+FFFD. InternalError on NaN and infinity: they have no JSON, and no result may hold them.
std::string write_json(const Value& value, int indent = 2);

}  // namespace greenline::io
