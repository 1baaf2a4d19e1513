#pragma once

#include <vector>

#include "base/selftest.hpp"

namespace greenline::footprint {

// Published and derived values of the embodied models, of the software carbon intensity and of the
// scenarios of Sustainable AI.
std::vector<base::CheckRow> embodied_checks(const base::Settings& settings);

}  // namespace greenline::footprint
