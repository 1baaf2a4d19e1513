// A carbon intensity is not a carbon until it meets an energy.
// expect: conversion from .* to non-scalar type|no viable conversion
#include "base/quantity.hpp"

using namespace greenline::base;

#ifdef CONTROL
constexpr Carbon kCarbonOfADay = 361.0 * units::g_per_kWh * (24.0 * units::kWh);
#else
constexpr Carbon kCarbonOfADay = 361.0 * units::g_per_kWh * (24.0 * units::kW);
#endif
