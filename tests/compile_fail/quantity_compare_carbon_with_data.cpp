// Grams of CO2e and bytes have no order.
// expect: no match for .operator<.|invalid operands to binary expression
#include "base/quantity.hpp"

using namespace greenline::base;

#ifdef CONTROL
constexpr bool kLess = 1.0 * units::gCO2e < 1.0 * units::kgCO2e;
#else
constexpr bool kLess = 1.0 * units::gCO2e < 1.0 * units::kB;
#endif
