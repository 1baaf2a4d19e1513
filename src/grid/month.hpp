// Names of the calendar months that tables are grouped by.
#pragma once

#include <string>

#include "base/time.hpp"

namespace greenline::grid {

std::string month_name(base::Instant t);  // "2021-05", UTC

}  // namespace greenline::grid
