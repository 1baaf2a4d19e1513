#include "base/quantity.hpp"

#include <type_traits>

#include <gtest/gtest.h>

namespace greenline::base {
namespace {

TEST(Quantity, MultipliesAndDividesDimensions) {
  const Energy e = 700.0 * units::W * (2.0 * units::h);
  EXPECT_DOUBLE_EQ(e.in(units::kWh), 1.4);
  const CarbonIntensity level = 361.0 * units::gCO2e / (1.0 * units::kWh);
  EXPECT_DOUBLE_EQ((e * level).in(units::gCO2e), 1.4 * 361);
  const Rate rate = 3.0 / (1.5 * units::s);
  EXPECT_DOUBLE_EQ(rate * (1.0 * units::min), 120);
}

TEST(Quantity, CancelledDimensionsAreAPlainNumber) {
  static_assert(std::is_same_v<decltype(1.0 * units::h / (1.0 * units::s)), double>);
  static_assert(std::is_same_v<decltype((1.0 * units::W) * (1.0 * units::s)), Energy>);
  EXPECT_EQ(1.0 * units::h / (1.0 * units::min), 60.0);
}

TEST(Quantity, UnitsMeanWhatStandardsSay) {
  EXPECT_EQ((1.0 * units::GiB) / (1.0 * units::B), 1073741824.0);
  EXPECT_EQ((1.0 * units::GB) / (1.0 * units::B), 1e9);
  EXPECT_EQ((1.0 * units::year) / (1.0 * units::h), 8760.0);
  EXPECT_EQ((1.0 * units::kWh) / (1.0 * units::J), 3.6e6);
  EXPECT_DOUBLE_EQ((1.0 * units::USD_per_kWh).in(units::USD / units::MWh), 1000);
}

TEST(Quantity, ComparesAndAccumulates) {
  Time t = 1.0 * units::h;
  t += 30.0 * units::min;
  t -= 1.0 * units::min;
  t *= 2;
  t /= 4;
  EXPECT_EQ(t, 44.5 * units::min);
  EXPECT_LT(-t, Time{});
  EXPECT_GE(t, 2670.0 * units::s);
}

TEST(Quantity, IsAsSmallAsADouble) {
  static_assert(sizeof(Energy) == sizeof(double));
  static_assert(std::is_trivially_copyable_v<Energy>);
  static_assert((2.0 * units::kW * (3.0 * units::h)).in(units::kWh) == 6.0);
}

}  // namespace
}  // namespace greenline::base
