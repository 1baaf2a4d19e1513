// A document as one of its views, and into files.
#pragma once

#include <span>
#include <string>

#include "io/value.hpp"
#include "render/document.hpp"

namespace greenline::app {

enum class Format { terminal, json, csv, markdown, html };

// By the ending of the name: .json, .csv, .md, .html. UserError "unknown-format" otherwise.
Format format_of_file(const std::string& path);

std::string rendered(const io::Value& document, Format format,
                     const render::TerminalOptions& options = {});

// UserError "output-is-input" when an output is a file that the result was computed from: the
// result keeps only its hash.
void refuse_inputs_as_outputs(const io::Value& document, std::span<const std::string> outputs);

// Writes whole or not at all.
void write_output(const io::Value& document, const std::string& path);

// {"error": {kind, code, message, hint, where}} for programs that read --json.
std::string error_json(const std::exception& error);

}  // namespace greenline::app
