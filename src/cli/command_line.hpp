// What the user typed, understood: which verb with which inputs, and how to show the outcome.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/output.hpp"
#include "app/run.hpp"
#include "verb/registry.hpp"

namespace greenline::cli {

using Environment = std::function<std::optional<std::string>(const std::string&)>;

struct View {
  app::Format format = app::Format::terminal;  // on standard output
  std::vector<app::OutputFile> files;          // of -o
  std::string ledger;                          // SQLite file that keeps the result
  bool quiet = false;
  bool colour = true;  // wanted; a terminal is needed too
  int threads = 0;     // 0: all cores
};

struct CommandLine {
  enum class Action { run, help, version } action = Action::run;
  std::string noun, name;  // of help: both empty for all, name empty for a noun
  app::Invocation invocation;
  View view;
};

// A flag that every verb has.
struct GlobalFlag {
  const char* name;
  char letter;
  const char* placeholder;  // "" for a switch
  const char* help;
};
std::span<const GlobalFlag> global_flags();

// UserError "unknown-verb", "unknown-flag", "missing-value", "bad-value", "given-twice",
// "too-many-arguments", "unknown-format" (of an -o).
CommandLine parse_command_line(const verb::Registry& registry,
                               std::span<const std::string> arguments,
                               const Environment& environment);

}  // namespace greenline::cli
