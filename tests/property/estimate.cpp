// The algebra of estimates, and their draws against slow references.
#include "base/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "reference/normal.hpp"
#include "reference/statistics.hpp"

namespace greenline::base {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// A number in [low, high].
double any_between(double low, double high) {
  const int step = *rc::gen::inRange(0, 1'000'001);
  return low + (high - low) * (step / 1e6);
}

Driver any_driver(std::string id) {
  const auto scale =
      *rc::gen::element(DriverScale::automatic, DriverScale::linear, DriverScale::share);
  double low = 0, high = 0;
  if (scale == DriverScale::share) {
    low = any_between(0.001, 0.9);
    high = any_between(low, 0.999);
  } else {
    low = any_between(scale == DriverScale::linear ? -1e3 : 1e-3, 1e3);
    high = low + any_between(0, 1e3);
  }
  return {std::move(id), any_between(low, high), low, high, scale, ""};
}

Estimate<double> any_estimate(std::string id, std::uint64_t seed) {
  return from_driver<double>(any_driver(std::move(id)), Evidence::modelled, "", seed);
}

std::vector<double> draws_of(const AnyEstimate& e) {
  std::vector<double> out;
  for (int k = 0; k < kNumDraws; ++k) out.push_back(e.draw(k));
  return out;
}

RC_GTEST_PROP(EstimateAlgebra, ADifferenceOfEqualsHasNoWidth, (std::uint64_t seed)) {
  const auto x = any_estimate("x", seed);
  RC_ASSERT((x - x).low() == 0);
  RC_ASSERT((x - x).high() == 0);
}

RC_GTEST_PROP(EstimateAlgebra, TakingAwayWhatWasAddedGivesTheOther, (std::uint64_t seed)) {
  const auto a = any_estimate("a", seed), b = any_estimate("b", seed);
  const auto back = (a + b) - a;
  for (int k = 0; k < kNumDraws; ++k) {
    // The sum and the difference round once each, relative to the larger of the terms.
    const double size = std::abs(a.draw(k)) + std::abs(b.draw(k));
    RC_ASSERT(std::abs(back.draw(k) - b.draw(k)) <= 2 * kEpsilon * size);
  }
}

RC_GTEST_PROP(EstimateAlgebra, SumsAndProductsCommute, (std::uint64_t seed)) {
  const auto a = any_estimate("a", seed), b = any_estimate("b", seed);
  RC_ASSERT(draws_of(a + b) == draws_of(b + a));
  RC_ASSERT(draws_of(a * b) == draws_of(b * a));
  RC_ASSERT((a + b).nominal() == (b + a).nominal());
  const auto drivers = (b + a).any().drivers;
  RC_ASSERT(drivers.size() == 2u);
  RC_ASSERT(drivers[0]->id == "a");
}

RC_GTEST_PROP(EstimateAlgebra, APositiveFactorScalesTheInterval, (std::uint64_t seed)) {
  const auto x = any_estimate("x", seed);
  const double k = any_between(1e-3, 1e3);
  const double size = std::abs(x.low()) + std::abs(x.high());
  // Scaling rounds before or after the interpolation between two draws.
  RC_ASSERT(std::abs((k * x).low() - k * x.low()) <= 8 * kEpsilon * k * size);
  RC_ASSERT(std::abs((x * k).high() - k * x.high()) <= 8 * kEpsilon * k * size);
  RC_ASSERT((-x).low() == -x.high());
}

RC_GTEST_PROP(EstimateAlgebra, CommonCausesCancelInRatios, (std::uint64_t seed)) {
  const auto common = from_driver<double>({"c", 10, 5, 20, DriverScale::automatic, ""},
                                          Evidence::assumed, "", seed);
  const auto a = any_estimate("a", seed);
  const auto plain = a / Estimate<double>(3.0);
  const auto ratio = (a * common) / (Estimate<double>(3.0) * common);
  for (int k = 0; k < kNumDraws; ++k) {
    // Two products and a quotient round, where one quotient did.
    RC_ASSERT(std::abs(ratio.draw(k) - plain.draw(k)) <= 4 * kEpsilon * std::abs(plain.draw(k)));
  }
}

RC_GTEST_PROP(EstimateAlgebra, ASumOfManyIsTheSumOfTwoAndTwo, (std::uint64_t seed)) {
  const auto a = any_estimate("a", seed), b = any_estimate("b", seed), c = any_estimate("c", seed);
  const auto many = sum(std::vector<Estimate<double>>{a, b, c});
  RC_ASSERT(draws_of(many) == draws_of((a + b) + c));
  RC_ASSERT(many.nominal() == ((a + b) + c).nominal());
}

RC_GTEST_PROP(EstimatePercentile, RisesWithItsShareAndMatchesCounting, (std::uint64_t seed)) {
  const auto x = any_estimate("a", seed) * any_estimate("b", seed);
  const double p = any_between(0, 1), q = any_between(p, 1);
  RC_ASSERT(x.any().percentile(p) <= x.any().percentile(q));
  const auto values = draws_of(x);
  const double expected = reference::percentile(values, p);
  RC_ASSERT(std::abs(x.any().percentile(p) - expected) <= 1e-12 * std::abs(expected) + 1e-300);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  RC_ASSERT(x.any().percentile(0) == *least);
  RC_ASSERT(x.any().percentile(1) == *most);
}

// The 256 points u = (i + 1/2) / 256 put 13 of the draws below the 5 % point (12.8 would be exact),
// 128 below the median and 13 above the 95 % point: a rank error below 1/256.
RC_GTEST_PROP(DriverDraws, LieAroundLowNominalAndHigh, (std::uint64_t seed)) {
  const Driver driver = any_driver("x");
  RC_PRE(driver.low < driver.nominal && driver.nominal < driver.high);
  const Draws draws = driver_draws(driver, seed);
  const auto below = [&](double x) {
    return std::count_if(draws.begin(), draws.end(), [x](double d) { return d < x; });
  };
  RC_ASSERT(below(driver.low) == 13);
  RC_ASSERT(below(driver.nominal) == 128);
  RC_ASSERT(below(driver.high) == 243);
}

RC_GTEST_PROP(DriverDraws, AreTheQuantilesOfATwoPieceNormal, (std::uint64_t seed)) {
  const Driver driver = any_driver("x");
  Draws draws = driver_draws(driver, seed);
  std::sort(draws.begin(), draws.end());
  const bool share = driver.scale == DriverScale::share;
  const bool logarithmic = driver.scale == DriverScale::automatic && driver.low > 0;
  const auto to = [&](double x) {
    return share ? std::log(x / (1 - x)) : logarithmic ? std::log(x) : x;
  };
  const auto from = [&](double y) {
    return share ? std::exp(y) / (1 + std::exp(y)) : logarithmic ? std::exp(y) : y;
  };
  const double z95 = reference::normal_quantile(0.95);
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const double z = reference::normal_quantile((static_cast<double>(i) + 0.5) / kNumDraws);
    const double end = z < 0 ? driver.low : driver.high;
    const double expected =
        from(to(driver.nominal) + std::abs(z) / z95 * (to(end) - to(driver.nominal)));
    // Logarithms of numbers up to 2000 and of odds near 1 in 1000 lose a few digits, differently.
    const double size = std::abs(driver.low) + std::abs(driver.high);
    RC_ASSERT(std::abs(draws[i] - expected) <= 1e-12 * (std::abs(expected) + size));
  }
}

RC_GTEST_PROP(RankDrivers, AgreesWithCountedRanks, (std::uint64_t seed)) {
  const auto a = any_estimate("a", seed), b = any_estimate("b", seed);
  const auto result = a * a + b;
  for (const DriverShare& share : rank_drivers(result, seed)) {
    const auto& input = share.driver.id == "a" ? a : b;
    const double expected = reference::rank_correlation_squared(draws_of(input), draws_of(result));
    RC_ASSERT(std::abs(share.rank_correlation_squared - expected) <= 1e-12);
  }
}

}  // namespace
}  // namespace greenline::base
