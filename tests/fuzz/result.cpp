// Any bytes as a result file: refused by name, or shown in every view.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "io/json.hpp"
#include "render/document.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace greenline;
  io::Value document;
  try {
    document = io::parse_json({reinterpret_cast<const char*>(data), size}, "input");
    render::check_document(document);
  } catch (const base::DataError&) {
    return 0;
  }
  // A document that passed the check is shown by every view; an exception here is a finding.
  for (const int width : {1, 80}) render::terminal(document, {width, width == 80, 5});
  render::csv(document);
  render::markdown(document);
  render::html(document);
  render::json(document);
  return 0;
}
