// Text as HTML. Input is printable (render/text.hpp), so that escaping is all there is to do.
#pragma once

#include <string>
#include <string_view>

namespace greenline::render {

// For content and for attribute values in double quotes.
std::string html_escaped(std::string_view text);

// <name attributes>escaped content</name>; `attributes` is markup and starts with a space when
// there are any.
std::string html_element(std::string_view name, std::string_view content,
                         std::string_view attributes = "");

// ` name="escaped value"`
std::string html_attribute(std::string_view name, std::string_view value);

}  // namespace greenline::render
