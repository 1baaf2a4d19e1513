#include "app/output.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/file.hpp"
#include "io/json.hpp"

namespace greenline::app {
namespace {

const char* kind_name(base::ErrorKind kind) {
  switch (kind) {
    case base::ErrorKind::user:
      return "user";
    case base::ErrorKind::data:
      return "data";
    case base::ErrorKind::unsupported:
      return "unsupported";
    case base::ErrorKind::internal:
      return "internal";
  }
  throw base::InternalError("an error of unknown kind");
}

}  // namespace

Format format_of_file(const std::string& path) {
  if (path.ends_with(".json")) return Format::json;
  if (path.ends_with(".csv")) return Format::csv;
  if (path.ends_with(".md")) return Format::markdown;
  if (path.ends_with(".html")) return Format::html;
  throw base::UserError("unknown-format",
                        fmt::format("no format is known for {}", base::quoted(path)),
                        "-o takes a name that ends in .json, .csv, .md or .html");
}

std::string rendered(const io::Value& document, Format format,
                     const render::TerminalOptions& options) {
  switch (format) {
    case Format::terminal:
      return render::terminal(document, options);
    case Format::json:
      return render::json(document);
    case Format::csv:
      return render::csv(document);
    case Format::markdown:
      return render::markdown(document);
    case Format::html:
      return render::html(document);
  }
  throw base::InternalError("a view of unknown format");
}

void refuse_inputs_as_outputs(const io::Value& document, std::span<const std::string> outputs) {
  const io::Value* inputs = document.find_path("greenline.provenance.inputs");
  if (inputs == nullptr || !inputs->is_array()) return;
  for (const io::Value& input : inputs->as_array()) {
    const io::Value* path = input.find("path");
    if (path == nullptr || !path->is_text()) continue;
    for (const std::string& output : outputs) {
      std::error_code error;  // set when one of the two does not exist
      if (std::filesystem::equivalent(path->as_text(), output, error) && !error)
        throw base::UserError("output-is-input",
                              fmt::format("{} was read for this result and would be overwritten",
                                          base::quoted(output)),
                              "write to another file");
    }
  }
}

void write_output(const io::Value& document, const std::string& path) {
  io::write_file(path, rendered(document, format_of_file(path)));
}

std::string error_json(const std::exception& error) {
  io::Value::Object body;
  if (const auto* known = dynamic_cast<const base::Error*>(&error)) {
    body = {{"kind", kind_name(known->kind())},
            {"code", known->code()},
            {"message", known->message()},
            {"hint", known->hint()},
            {"where", known->where().text()}};
  } else {
    body = {{"kind", "internal"},
            {"code", "internal"},
            {"message", error.what()},
            {"hint", ""},
            {"where", ""}};
  }
  return io::write_json(io::Value::Object{{"error", std::move(body)}}) + "\n";
}

}  // namespace greenline::app
