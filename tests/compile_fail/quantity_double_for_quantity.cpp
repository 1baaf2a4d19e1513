// A bare number is dimensionless: it does not pass for a power.
// expect: could not convert|no matching function for call
#include "base/quantity.hpp"

using namespace greenline::base;

constexpr double kilowatts(Power p) { return p.in(units::kW); }

#ifdef CONTROL
constexpr double kNumber = kilowatts(700.0 * units::W);
#else
constexpr double kNumber = kilowatts(700.0);
#endif
