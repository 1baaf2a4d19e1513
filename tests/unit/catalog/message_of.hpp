#pragma once

#include <string>

namespace greenline::catalog {

// What an error of this kind says.
template <class E, class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace greenline::catalog
