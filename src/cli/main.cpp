#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include <sys/ioctl.h>
#include <unistd.h>

#include "app/register.hpp"
#include "base/error.hpp"
#include "cli/interrupt.hpp"
#include "cli/run.hpp"

namespace {

std::optional<std::string> environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

int terminal_width() {
  winsize size = {};
  constexpr int kDefault = 100, kLeast = 40;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefault;
  return std::max<int>(kLeast, size.ws_col);
}

}  // namespace

int main(int argc, char** argv) try {
  // A closed pipe ends the process without a word: SIGPIPE keeps its default action.
  // A caller may start a program without even its name.
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  greenline::cli::install_interrupt_handler();
  greenline::verb::Registry registry;
  greenline::app::register_all(registry);
  return greenline::cli::run(registry, arguments,
                             {.out = std::cout,
                              .err = std::cerr,
                              .out_is_terminal = isatty(STDOUT_FILENO) != 0,
                              .err_is_terminal = isatty(STDERR_FILENO) != 0,
                              .width = terminal_width(),
                              .environment = environment});
} catch (const std::exception& e) {
  // Only registering verbs can throw here.
  std::cerr << "error: " << e.what() << '\n';
  return greenline::base::exit_code(greenline::base::ErrorKind::internal);
}
