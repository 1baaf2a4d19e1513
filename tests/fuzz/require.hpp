// What a fuzz target promises of any input: a broken promise is a crash, which the fuzzer keeps.
#pragma once

#include <cstdlib>

#include "io/value.hpp"

inline void require(bool holds) {
  if (!holds) std::abort();
}

// Every value of a tree knows where it stood.
inline void require_places(const greenline::io::Value& v) {
  require(v.where().line > 0 && v.where().column > 0);
  if (v.is_array())
    for (const greenline::io::Value& item : v.as_array()) require_places(item);
  if (v.is_object())
    for (const auto& member : v.as_object()) require_places(member.second);
}
