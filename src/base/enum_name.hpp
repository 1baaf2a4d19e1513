// Names of an enum's values, as people type them. Declare beside the enum, found by
// argument-dependent lookup:
//
//   enum class Stamp { automatic, start, end };
//   std::span<const base::EnumName> enum_names(Stamp);
#pragma once

#include <span>

namespace greenline::base {

struct EnumName {
  int value;
  const char* name;  // as typed: "window-max"
  const char* help;  // one line, may be ""
};

// The name of a value, "" for one that the list does not hold.
template <class E>
const char* enum_name(E e) {
  for (const EnumName& n : enum_names(e))
    if (n.value == static_cast<int>(e)) return n.name;
  return "";
}

}  // namespace greenline::base
