// What went into one result and not, or differently, into the other.
#pragma once

#include <vector>

#include "app/compare.hpp"

namespace greenline::app {

std::vector<Cause> causes_of(const render::Outline& a, const render::Outline& b);

}  // namespace greenline::app
