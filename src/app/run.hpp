// One run of one verb: inputs from flags, files, the environment and defaults; the work; the
// document. Every shell (command line, server, Python) builds an Invocation and shows an Outcome.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/communicator.hpp"
#include "base/instruction_set.hpp"
#include "base/progress.hpp"
#include "io/value.hpp"
#include "verb/registry.hpp"

namespace greenline::app {

struct Flag {
  std::string field;  // path of the field, "site.pue"
  std::string text;
  std::string typed;           // as the user wrote it, "--site.pue"; names the origin of the value
  bool is_positional = false;  // written without its flag
};

struct Invocation {
  std::string noun, name;
  std::vector<Flag> flags;  // in the order given
  std::string config_file;  // TOML or JSON; "" when none
  // KEY=VALUE: a field of the verb ("goodput", "study.goodput") or a catalogue fact.
  std::vector<std::string> sets;
  std::vector<std::string> attachments;  // suffixes of the attachments to make
  std::string fail_if;                   // a condition on the result; "" when none
  std::optional<std::uint64_t> seed;
  base::InstructionSet instruction_set = base::widest_instruction_set();  // $GREENLINE_ISA
  std::vector<std::string> catalog_directories;                           // overlays, later wins
  std::string command_line;                                               // for provenance
  // Of the processes that share the work of this run.
  std::shared_ptr<base::Communicator> communicator = base::alone();
  // Value of an environment variable; the library never reads the environment itself.
  std::function<std::optional<std::string>(const std::string&)> environment;
};

struct Outcome {
  io::Value document;
  std::vector<std::string> notices;
  std::map<std::string, std::string, std::less<>> attachments;  // text by suffix, of those wanted
  int exit_code = 0;                                            // 1 when fail_if holds
};

// Throws what the verb throws, and UserError for a wrong flag, key, name or condition,
// "no-attachment" for one that this run does not have.
Outcome run(const verb::Registry& registry, const Invocation& invocation, base::Progress& progress);

}  // namespace greenline::app
