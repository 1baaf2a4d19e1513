// The program and the machine it runs on: for provenance and `doctor`.
#pragma once

#include <string>
#include <vector>

namespace greenline::app {

std::string version();       // "0.1.0"
std::string compiler();      // "GNU 12.2.0, Release"
std::string architecture();  // "x86_64"

// The widest vector extension that the processor and the operating system both support: "amx",
// "avx512", "avx2" or "scalar".
std::string instruction_set();

// Libraries this build was made with, "fmt 9.1.0".
std::vector<std::string> libraries();

}  // namespace greenline::app
