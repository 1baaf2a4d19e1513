#include "cli/interrupt.hpp"

#include <atomic>
#include <csignal>

#include <unistd.h>

namespace greenline::cli {
namespace {

// Atomic, because every thread of a loop asks; lock-free, because a signal handler sets it.
std::atomic<bool> is_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// Async-signal-safe: one flag and _exit.
extern "C" void on_interrupt(int) {
  if (is_interrupted.exchange(true)) _exit(kInterruptedExit);
}

void install(int signal) {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void install_interrupt_handler() { install(SIGINT); }

void interrupt_on_terminate() { install(SIGTERM); }

bool interrupted() { return is_interrupted; }

void reset_interrupt() { is_interrupted = false; }

}  // namespace greenline::cli
