#include "app/result_file.hpp"

#include "base/error.hpp"
#include "io/file.hpp"
#include "io/json.hpp"
#include "render/document.hpp"

namespace greenline::app {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;  // as a tree it is ten times as large

}  // namespace

io::Value read_result(const std::string& path, base::Journal& journal) {
  const std::string text = io::read_file(path, &journal);
  if (text.size() > kMostBytes)
    throw base::DataError(
        "file-too-large",
        std::to_string(text.size()) + " bytes; a result has at most " + std::to_string(kMostBytes),
        "write a result with shorter tables", {path, 0, 0});
  io::Value document = io::parse_json(text, path);
  try {
    render::check_document(document);
  } catch (const base::DataError& e) {
    throw base::DataError(e.code(), e.message(),
                          e.hint().empty() ? "write one with -o result.json" : e.hint(),
                          e.where().file.empty() ? base::Location{path, 0, 0} : e.where());
  }
  return document;
}

}  // namespace greenline::app
