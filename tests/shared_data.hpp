// Real inputs that the repository does not hold. Tests that need them skip where they are not at
// hand.
#pragma once

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace greenline::testing {

// The folder of the environment variable GREENLINE_SHARED, "" when unset.
inline std::string shared_folder() {
  const char* folder = std::getenv("GREENLINE_SHARED");
  return folder == nullptr ? "" : folder;
}

}  // namespace greenline::testing

// First line of a test that reads shared data: GL_SHARED_OR_SKIP(shared);
#define GL_SHARED_OR_SKIP(variable)                                   \
  const std::string variable = ::greenline::testing::shared_folder(); \
  if (variable.empty()) GTEST_SKIP() << "GREENLINE_SHARED is not set: no shared data to read"
