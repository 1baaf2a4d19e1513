// The command `greenline` as a function of its arguments and streams, so that tests call what users
// call.
#pragma once

#include <ostream>
#include <span>
#include <string>

#include "cli/command_line.hpp"
#include "verb/registry.hpp"

namespace greenline::cli {

struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false, err_is_terminal = false;
  int width = 100;  // columns of the terminal
  Environment environment;
};

// The exit code: 0 done, 1 a --fail-if holds, 2 wrong input, 3 bad file, 4 unsupported, 70 our bug.
// Never throws.
int run(const verb::Registry& registry, std::span<const std::string> arguments,
        const Streams& streams);

}  // namespace greenline::cli
