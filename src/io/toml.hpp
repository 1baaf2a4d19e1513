// TOML 1.0 into the common Value tree.
#pragma once

#include <string>
#include <string_view>

#include "io/value.hpp"

namespace greenline::io {

// Members stand in file order; a value stands where it starts, a table at its header. At most 256
// levels. DataError "bad-toml" (syntax, duplicate key, text that is not UTF-8, NUL byte, depth) and
// "not-finite" (TOML knows inf and nan, no input of ours does), with file:line:column.
Value parse_toml(std::string_view text, const std::string& name);

}  // namespace greenline::io
