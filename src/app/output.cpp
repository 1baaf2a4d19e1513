#include "app/output.hpp"

#include <array>
#include <filesystem>
#include <utility>

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

constexpr std::array kResultForms{std::pair{".json", Format::json}, std::pair{".csv", Format::csv},
                                  std::pair{".md", Format::markdown},
                                  std::pair{".html", Format::html}};

// The longest of the verb's attachments with which the name ends.
const verb::Attachment* attachment_of(const std::string& path, const verb::Info& info) {
  const verb::Attachment* longest = nullptr;
  for (const verb::Attachment& attachment : info.attachments)
    if (path.ends_with(attachment.suffix) &&
        (longest == nullptr || attachment.suffix.size() > longest->suffix.size()))
      longest = &attachment;
  return longest;
}

std::string forms_of(const verb::Info& info) {
  if (info.attachments.empty()) return "-o takes a name that ends in .json, .csv, .md or .html";
  std::string text = "-o takes a name that ends in .json, .csv, .md or .html, or";
  for (const verb::Attachment& attachment : info.attachments) {
    if (&attachment != &info.attachments.front()) text += ", or";
    text += fmt::format(" {} ({}{}{})", attachment.suffix, attachment.what,
                        attachment.when.empty() ? "" : ", ", attachment.when);
  }
  return text;
}

}  // namespace

OutputFile output_file(const std::string& path, const verb::Registry& registry,
                       const verb::Info& info) {
  OutputFile file{path};
  if (const verb::Attachment* attachment = attachment_of(path, info)) {
    file.attachment = attachment->suffix;
    return file;
  }
  for (const verb::Verb& other : registry.all())
    if (const verb::Attachment* attachment = attachment_of(path, other.info))
      throw base::UserError(
          "unknown-format",
          fmt::format("{} has no {} file for {}; {} has", info.full_name(), attachment->suffix,
                      base::quoted(path), other.info.full_name()),
          forms_of(info));
  for (const auto& [suffix, format] : kResultForms) {
    if (!path.ends_with(suffix)) continue;
    file.format = format;
    return file;
  }
  throw base::UserError("unknown-format",
                        fmt::format("no format is known for {}", base::quoted(path)),
                        forms_of(info));
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

void write_output(const Outcome& outcome, const OutputFile& file) {
  if (file.attachment.empty())
    io::write_file(file.path, rendered(outcome.document, file.format));
  else
    io::write_file(file.path, outcome.attachments.at(file.attachment));
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
