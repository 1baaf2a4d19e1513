// The code, place and words of an expected error, in one line of a test.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::testing {

// Calls f, which must throw an E with this code; returns its what() (place, message, hint) for
// further checks.
template <class E, class F>
std::string error_of(std::string_view code, F f) {
  try {
    f();
  } catch (const E& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "expected \"" << code << "\", got another kind of error: " << error.what();
    return "";
  }
  ADD_FAILURE() << "expected the error \"" << code << "\", got none";
  return "";
}

inline ::testing::AssertionResult starts_with(const std::string& text, std::string_view start) {
  if (text.starts_with(start)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "\"" << text << "\" does not start with \"" << start << "\"";
}

inline ::testing::AssertionResult contains(const std::string& text, std::string_view part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "\"" << text << "\" does not contain \"" << part << "\"";
}

}  // namespace greenline::testing
