#include "cli/interrupt.hpp"

#include <csignal>

#include <unistd.h>

namespace greenline::cli {
namespace {

volatile std::sig_atomic_t interrupts = 0;

// Async-signal-safe: one flag and _exit.
extern "C" void on_interrupt(int) {
  if (interrupts != 0) _exit(kInterruptedExit);
  interrupts = 1;
}

}  // namespace

void install_interrupt_handler() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return interrupts != 0; }

void reset_interrupt() { interrupts = 0; }

}  // namespace greenline::cli
