// A document as one of its views, and into files.
#pragma once

#include <span>
#include <string>

#include "app/run.hpp"
#include "io/value.hpp"
#include "render/document.hpp"
#include "verb/registry.hpp"

namespace greenline::app {

enum class Format { terminal, json, csv, markdown, html };

// A file to write: a form of the result or an attachment of the verb.
struct OutputFile {
  std::string path;
  Format format = Format::json;
  std::string attachment = {};  // its suffix; "" for the result
};

// By the longest ending that fits: .json, .csv, .md, .html and the attachments of the verb.
// UserError "unknown-format" otherwise, and for an attachment that only other verbs have; it lists
// what the verb has.
OutputFile output_file(const std::string& path, const verb::Registry& registry,
                       const verb::Info& info);

std::string rendered(const io::Value& document, Format format,
                     const render::TerminalOptions& options = {});

// UserError "output-is-input" when an output is a file that the result was computed from: the
// result keeps only its hash.
void refuse_inputs_as_outputs(const io::Value& document, std::span<const std::string> outputs);

// Writes whole or not at all.
void write_output(const Outcome& outcome, const OutputFile& file);

// {"error": {kind, code, message, hint, where}} for programs that read --json.
std::string error_json(const std::exception& error);

}  // namespace greenline::app
