#pragma once

#include <span>
#include <string_view>

namespace greenline::catalog {

// One file of data/ as it was when the library was built.
struct EmbeddedFile {
  std::string_view path;   // relative to data/, with '/': "sources.bib"
  std::string_view bytes;  // unchanged, not zero-terminated
};

// Every data/**/*.csv and data/sources.bib, sorted by path. The bytes live as long as the program.
std::span<const EmbeddedFile> embedded_files();

}  // namespace greenline::catalog
