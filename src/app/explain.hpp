#pragma once

#include "verb/registry.hpp"

namespace greenline::app {

// `explain RESULT [KEY]`: how a number came about, computed again from the file alone.
void register_explain(verb::Registry& registry);

}  // namespace greenline::app
