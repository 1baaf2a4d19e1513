#pragma once

#include "verb/registry.hpp"

namespace greenline::app {

// `selftest [ROOM]`: our numbers beside those of others. Runs the self-tests of the registry it is
// added to.
void register_selftest(verb::Registry& registry);

}  // namespace greenline::app
