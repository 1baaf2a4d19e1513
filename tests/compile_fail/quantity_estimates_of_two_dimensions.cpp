// Estimates keep the dimension of what they estimate.
// expect: no match for .operator\+.|invalid operands to binary expression
#include "base/estimate.hpp"

using namespace greenline::base;

inline const Estimate<Energy> kEnergyEstimate{1.0 * units::kWh};
#ifdef CONTROL
inline const auto kTotal = kEnergyEstimate + Estimate<Energy>(1.0 * units::J);
#else
inline const auto kTotal = kEnergyEstimate + Estimate<Time>(1.0 * units::h);
#endif
