// Load against supply: conservation, bounds, monotonicity, scaling, permutation.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "grid/balance.hpp"

namespace greenline::grid {
namespace {

using base::Power;
namespace units = base::units;

// A hundred additions of doubles of one sign.
constexpr double kRounding = 1e-12;

struct Hours {
  std::vector<Power> load, supply;
};

Hours any_hours() {
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(1, 100));
  const auto kilowatts = [&] {
    std::vector<Power> out;
    for (const int kw : *rc::gen::container<std::vector<int>>(n, rc::gen::inRange(0, 100000)))
      out.push_back(kw * 1.0 * units::kW);
    return out;
  };
  return {kilowatts(), kilowatts()};
}

bool near(double a, double b) {
  return std::abs(a - b) <= kRounding * std::max({1.0, std::abs(a), std::abs(b)});
}

RC_GTEST_PROP(Balance, ConservesEnergy, ()) {
  const Hours h = any_hours();
  const Balance b = balance(h.load, h.supply);
  for (std::size_t i = 0; i < h.load.size(); ++i) {
    RC_ASSERT(b.used[i] + b.from_grid[i] == h.load[i]);  // whole kilowatts: exact
    RC_ASSERT(b.used[i] + b.curtailed[i] == h.supply[i]);
  }
  RC_ASSERT(near((b.used_energy + b.grid_energy).in(units::kWh), b.load_energy.in(units::kWh)));
  RC_ASSERT(
      near((b.used_energy + b.curtailed_energy).in(units::kWh), b.renewable_energy.in(units::kWh)));
  RC_ASSERT(b.coverage() >= 0 && b.coverage() <= 1);
}

RC_GTEST_PROP(Balance, CoverageGrowsLessAndLessWithCapacity, ()) {
  const Hours h = any_hours();
  const auto coverage = [&](double factor) {
    std::vector<Power> supply = h.supply;
    for (Power& p : supply) p *= factor;
    return balance(h.load, supply).coverage();
  };
  const double a = coverage(0.5), b = coverage(1), c = coverage(1.5);
  RC_ASSERT(a <= b && b <= c);
  RC_ASSERT(c - b <= b - a + kRounding);
}

RC_GTEST_PROP(Balance, ScalingBothKeepsCoverage, ()) {
  Hours h = any_hours();
  const double before = balance(h.load, h.supply).coverage();
  for (auto* side : {&h.load, &h.supply})
    for (Power& p : *side) p *= 3.7;
  RC_ASSERT(near(balance(h.load, h.supply).coverage(), before));
}

RC_GTEST_PROP(Balance, OrderOfTheHoursDoesNotMatter, ()) {
  const Hours h = any_hours();
  std::vector<std::size_t> order(h.load.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::rotate(order.begin(),
              order.begin() +
                  *rc::gen::inRange<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(order.size())),
              order.end());
  Hours turned;
  for (const std::size_t i : order) {
    turned.load.push_back(h.load[i]);
    turned.supply.push_back(h.supply[i]);
  }
  RC_ASSERT(
      near(balance(h.load, h.supply).coverage(), balance(turned.load, turned.supply).coverage()));
}

}  // namespace
}  // namespace greenline::grid
