#include "base/selftest.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace greenline::base {
namespace {

CheckRow row(double expected, double got, double tolerance, bool relative) {
  CheckRow out;
  out.expected = expected;
  out.got = got;
  out.tolerance = tolerance;
  out.relative = relative;
  return out;
}

TEST(CheckRow, PassesWithinItsTolerance) {
  EXPECT_TRUE(row(100, 105, 0.05, true).pass());
  EXPECT_FALSE(row(100, 105.1, 0.05, true).pass());
  EXPECT_TRUE(row(-100, -95, 0.05, true).pass());
  EXPECT_TRUE(row(100, 105, 5, false).pass());
  EXPECT_FALSE(row(100, 105.1, 5, false).pass());
  EXPECT_TRUE(row(0, 0, 0, true).pass());
  EXPECT_FALSE(row(100, std::nan(""), 1e300, true).pass());
}

TEST(CheckRow, IsJudgedWhetherGatedOrNot) {
  CheckRow shown = row(100, 200, 0.05, true);
  shown.gated = false;
  EXPECT_FALSE(shown.pass());
  EXPECT_DOUBLE_EQ(shown.relative_error(), 1);
}

}  // namespace
}  // namespace greenline::base
