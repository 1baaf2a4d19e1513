#pragma once

#include "verb/registry.hpp"

namespace greenline::app {

// `doctor`: what this build and this machine offer, and how to mend what is missing.
void register_doctor(verb::Registry& registry);

}  // namespace greenline::app
