#pragma once

#include "verb/registry.hpp"

namespace greenline::app {

// `report FILE`: the document of an earlier run, shown again.
void register_report(verb::Registry& registry);

}  // namespace greenline::app
