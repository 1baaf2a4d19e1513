#include "app/result_file.hpp"

#include "base/error.hpp"
#include "io/file.hpp"
#include "io/json.hpp"
#include "render/document.hpp"

namespace greenline::app {

io::Value read_result(const std::string& path, base::Journal& journal) {
  io::Value document = io::parse_json(io::read_file(path, &journal), path);
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
