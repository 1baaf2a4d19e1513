#pragma once

#include "verb/registry.hpp"

namespace greenline::app {

// Every verb and every self-test of this build. The registry must outlive the calls made from it.
void register_all(verb::Registry& registry);

}  // namespace greenline::app
