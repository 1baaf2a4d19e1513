// Energy and time have no sum.
// expect: no match for .operator\+.|invalid operands to binary expression
#include "base/quantity.hpp"

using namespace greenline::base;

#ifdef CONTROL
constexpr auto kSum = 1.0 * units::kWh + 1.0 * units::J;
#else
constexpr auto kSum = 1.0 * units::kWh + 1.0 * units::h;
#endif
