// A quantity becomes a number only by naming a unit.
// expect: cannot convert|no viable conversion
#include "base/quantity.hpp"

using namespace greenline::base;

#ifdef CONTROL
constexpr double kHours = (90.0 * units::min).in(units::h);
#else
constexpr double kHours = 90.0 * units::min;
#endif
