// Ctrl-C: the first asks the work to return its best so far, the second ends the process.
#pragma once

namespace greenline::cli {

inline constexpr int kInterruptedExit = 130;  // what shells use for a process ended by SIGINT

void install_interrupt_handler();
// SIGTERM as well: what mpirun makes of Ctrl-C, with a moment to end in.
void interrupt_on_terminate();
bool interrupted();
void reset_interrupt();  // for a process that runs several commands

}  // namespace greenline::cli
