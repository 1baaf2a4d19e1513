#include "render/html_text.hpp"

namespace greenline::render {

std::string html_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_element(std::string_view name, std::string_view content,
                         std::string_view attributes) {
  std::string out = "<";
  out.append(name)
      .append(attributes)
      .append(">")
      .append(html_escaped(content))
      .append("</")
      .append(name);
  return out.append(">");
}

std::string html_attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + html_escaped(value) + "\"";
}

}  // namespace greenline::render
