#include "app/host.hpp"

#include <string_view>

#include "base/instruction_set.hpp"

namespace greenline::app {

std::string version() { return GREENLINE_VERSION; }

std::string compiler() { return GREENLINE_COMPILER; }

std::string architecture() { return GREENLINE_ARCHITECTURE; }

std::string instruction_set() { return base::enum_name(base::widest_instruction_set()); }

std::vector<std::string> libraries() {
  std::vector<std::string> libraries;
  std::string_view rest = GREENLINE_LIBRARIES;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    libraries.emplace_back(one);
    rest.remove_prefix(one.size() < rest.size() ? one.size() + 1 : one.size());
  }
  return libraries;
}

}  // namespace greenline::app
