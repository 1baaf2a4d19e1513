// Any bytes as a result file: refused by name, or shown in every view and compared.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/compare.hpp"
#include "base/error.hpp"
#include "io/json.hpp"
#include "render/document.hpp"
#include "render/outline.hpp"
#include "require.hpp"

namespace {

constexpr std::string_view kOther = R"({"greenline": {"schema_version": 1, "version": "1",
  "verb": "v", "provenance": {"command_line": "greenline 'a b' --c=d", "overrides": ["x=1"]}},
  "result": {"a": 1, "parts": [{"strategy": "ddp", "compute_s": 1}]},
  "report": {"layout": [{"path": "a", "kind": "value"}, {"path": "parts", "kind": "table",
  "columns": [{"key": "strategy"}, {"key": "compute_s"}]}]}})";

}  // namespace

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
  // It does not differ from itself; against another, whatever it is, there is an answer.
  const render::Outline outline = render::read_outline(document);
  require(app::compare(outline, outline, 0).same());
  static const io::Value other = io::parse_json(kOther, "other");
  app::compare(outline, render::read_outline(other), 0.1);
  return 0;
}
