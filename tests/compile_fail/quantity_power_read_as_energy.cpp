// Watts cannot be read in kilowatt-hours.
// expect: cannot convert|could not convert|no viable conversion
#include "base/quantity.hpp"

using namespace greenline::base;

#ifdef CONTROL
constexpr double kNumber = (700.0 * units::W).in(units::kW);
#else
constexpr double kNumber = (700.0 * units::W).in(units::kWh);
#endif
