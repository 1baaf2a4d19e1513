// Ctrl-C: the first asks the work to return its best so far, the second ends the process.
#pragma once

namespace greenline::cli {

inline constexpr int kInterruptedExit = 130;  // what shells use for a process ended by SIGINT

void install_interrupt_handler();
bool interrupted();
void reset_interrupt();  // for a process that runs several commands

}  // namespace greenline::cli
