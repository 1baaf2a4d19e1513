#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/estimate.hpp"

namespace greenline::base {
namespace {

constexpr std::uint64_t kSeed = 20230325;

// Draws 0..3 of three scales, computed apart from the definition (integers of any size, and another
// implementation of the normal quantile).
TEST(DriverDraws, KeepTheirValuesFromReleaseToRelease) {
  const std::string id = "h100-sxm.node_w";
  const auto expect = [&](DriverScale scale, double nominal, double low, double high,
                          const std::array<double, 4>& expected) {
    const Draws draws = driver_draws({id, nominal, low, high, scale, ""}, kSeed);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      // Two normal quantiles, a logarithm and an exponential, each to a few units in the last
      // place.
      EXPECT_NEAR(draws[k], expected[k], 1e-13 * std::abs(expected[k]));
    }
  };
  expect(DriverScale::automatic, 6474, 5691, 7041,
         {5488.759285278004, 6547.8165337445935, 6131.747550743514, 6514.673051627593});
  expect(DriverScale::share, 0.9, 0.8, 0.97,
         {0.761091173082121, 0.9145049695098922, 0.8647769554421476, 0.9082643797097533});
  expect(DriverScale::automatic, 1, -2, 3,
         {-2.842081849070751, 1.270081428014033, -0.2640245071632332, 1.1491940097357078});
}

TEST(DriverDraws, DependOnIdAndSeedAlone) {
  const Driver a{"a", 10, 9, 12, DriverScale::automatic, "one source"};
  Driver same = a;
  same.source = "another source";
  EXPECT_EQ(driver_draws(a, 1), driver_draws(same, 1));
  EXPECT_NE(driver_draws(a, 1), driver_draws(a, 2));
  Driver other = a;
  other.id = "a#1";
  EXPECT_NE(driver_draws(a, 1), driver_draws(other, 1));
}

TEST(DriverDraws, WithoutWidthAreTheNominal) {
  for (const double x : {-3.0, 0.0, 1.0, 0.9}) {
    for (const double draw : driver_draws({"x", x, x, x, DriverScale::share, ""}, kSeed)) {
      ASSERT_EQ(draw, x);
    }
  }
}

TEST(DriverDraws, RefuseBandsThatAreNone) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const Driver kBad[] = {
      {"x", 1, 2, 3, DriverScale::automatic, ""},    {"x", 4, 2, 3, DriverScale::automatic, ""},
      {"x", nan, 2, 3, DriverScale::automatic, ""},  {"x", 2, nan, 3, DriverScale::automatic, ""},
      {"x", 2, 1, inf, DriverScale::automatic, ""},  {"x", 0.5, 0, 0.6, DriverScale::share, ""},
      {"x", 0.5, 0.4, 1.0, DriverScale::share, ""},  {"x", 0.5, 0.4, 1.5, DriverScale::share, ""},
      {"x", 0.5, -0.1, 0.6, DriverScale::share, ""},
  };
  for (const Driver& driver : kBad) {
    try {
      driver_draws(driver, kSeed);
      ADD_FAILURE() << driver.low << ' ' << driver.nominal << ' ' << driver.high;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), "bad-band");
      EXPECT_EQ(error.message().find("x: "), 0u) << error.message();
    }
  }
}

TEST(DefaultBand, WidensAsEvidenceWeakens) {
  double last = 0;
  for (const Evidence e : {Evidence::measured, Evidence::modelled, Evidence::simulated,
                           Evidence::datasheet, Evidence::assumed}) {
    const Band band = default_band(e);
    EXPECT_LT(band.low, 1);
    EXPECT_GT(band.high, 1);
    EXPECT_GE(band.high / band.low, last) << evidence_name(e);
    last = band.high / band.low;
  }
  EXPECT_DOUBLE_EQ(default_band(Evidence::measured).high, 1.05);
  EXPECT_DOUBLE_EQ(default_band(Evidence::modelled).low, 0.7);
}

TEST(WithDefaultBand, OrdersItsEndsAndKeepsSharesInside) {
  const Driver power = with_default_band("p", 100, Evidence::modelled);
  EXPECT_DOUBLE_EQ(power.low, 70);
  EXPECT_DOUBLE_EQ(power.high, 130);
  const Driver credit = with_default_band("c", -100, Evidence::modelled);
  EXPECT_DOUBLE_EQ(credit.low, -130);
  EXPECT_DOUBLE_EQ(credit.high, -70);
  const Driver goodput = with_default_band("g", 0.9, Evidence::assumed, DriverScale::share);
  EXPECT_DOUBLE_EQ(goodput.low, 4.5 / 5.5);     // odds of 9 halved
  EXPECT_DOUBLE_EQ(goodput.high, 18.0 / 19.0);  // and doubled
  for (const double draw : driver_draws(goodput, kSeed)) {
    ASSERT_GT(draw, 0);
    ASSERT_LT(draw, 1);
  }
  EXPECT_EQ(with_default_band("one", 1, Evidence::assumed, DriverScale::share).high, 1);
}

}  // namespace
}  // namespace greenline::base
