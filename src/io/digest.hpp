#pragma once

#include <string>
#include <string_view>

namespace greenline::io {
std::string sha1(std::string_view bytes);    // 40 lower-case hex digits; what files name, not what
                                             // keeps anyone from changing them
std::string sha256(std::string_view bytes);  // 64 lower-case hex digits
}  // namespace greenline::io
