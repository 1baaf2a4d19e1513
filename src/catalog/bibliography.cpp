// data/sources.bib as sources. Only the layout we write is read: one entry per "@type{key," … "}"
// at line start, one "name = {value}," per line.
#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "catalog/catalog.hpp"
#include "catalog/embedded.hpp"

namespace greenline::catalog {

namespace {

// The value of `name = {…}` in an entry, braces balanced; "" when absent.
std::string member(std::string_view entry, std::string_view name) {
  std::size_t at = 0;
  while ((at = entry.find(name, at)) != std::string_view::npos) {
    const bool starts_word =
        at == 0 || entry[at - 1] == ' ' || entry[at - 1] == '\n' || entry[at - 1] == ',';
    std::size_t i = entry.find_first_not_of(' ', at + name.size());
    at += name.size();
    if (!starts_word || i == std::string_view::npos || entry[i] != '=') continue;
    i = entry.find_first_not_of(' ', i + 1);
    if (i == std::string_view::npos || entry[i] != '{') continue;
    int depth = 0;
    std::string out;
    for (; i < entry.size(); ++i) {
      if (entry[i] == '{')
        ++depth;
      else if (entry[i] == '}')
        --depth;
      else
        out += entry[i];
      if (depth == 0) return out;
    }
  }
  return "";
}

std::vector<Source> parse(std::string_view text) {
  std::vector<Source> out;
  std::size_t at = text.starts_with('@') ? 0 : text.find("\n@");
  while (at < text.size()) {
    if (text[at] == '\n') ++at;
    const std::size_t next = std::min(text.find("\n@", at), text.size());
    std::string_view entry = text.substr(at, next - at);
    entry = entry.substr(0, entry.rfind('}') + 1);
    const std::size_t brace = entry.find('{'), comma = entry.find(',');
    if (brace != std::string_view::npos && comma != std::string_view::npos && brace < comma) {
      Source s;
      s.type = entry.substr(1, brace - 1);
      s.key = entry.substr(brace + 1, comma - brace - 1);
      s.text = entry;
      s.title = member(entry, "title");
      s.author = member(entry, "author");
      s.year = member(entry, "year");
      s.url = member(entry, "url");
      out.push_back(std::move(s));
    }
    at = next;
  }
  std::sort(out.begin(), out.end(), [](const Source& a, const Source& b) { return a.key < b.key; });
  return out;
}

}  // namespace

const std::vector<Source>& sources() {
  static const std::vector<Source> all = [] {
    for (const EmbeddedFile& file : embedded_files())
      if (file.path == "sources.bib") return parse(file.bytes);
    throw base::InternalError("data/sources.bib is not embedded in this build");
  }();
  return all;
}

const Source* find_source(std::string_view key) {
  for (const Source& s : sources())
    if (s.key == key) return &s;
  return nullptr;
}

}  // namespace greenline::catalog
