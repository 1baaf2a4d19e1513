#pragma once

#include "verb/registry.hpp"

namespace greenline::app {

// `diff A B`: what differs between two results, and what went into them differently.
void register_diff(verb::Registry& registry);

}  // namespace greenline::app
