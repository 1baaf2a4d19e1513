#include "base/statistics.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::base {
namespace {

TEST(PercentileOfSorted, InterpolatesBetweenOrderStatistics) {
  const std::vector<double> values = {1, 2, 4, 8, 16};
  EXPECT_EQ(percentile_of_sorted(values, 0), 1);
  EXPECT_EQ(percentile_of_sorted(values, 0.5), 4);
  EXPECT_EQ(percentile_of_sorted(values, 0.625), 6);
  EXPECT_EQ(percentile_of_sorted(values, 1), 16);
  EXPECT_EQ(percentile_of_sorted(std::vector<double>{3}, 0.7), 3);
}

TEST(PercentileOfSorted, NoValuesAndNoShareAreOurBug) {
  EXPECT_THROW(percentile_of_sorted({}, 0.5), InternalError);
  EXPECT_THROW(percentile_of_sorted(std::vector<double>{3}, 1.1), InternalError);
}

TEST(Spearman, FollowsTheOrderNotTheSize) {
  const std::vector<double> a = {1, 2, 3, 4, 5};
  EXPECT_EQ(spearman(a, std::vector<double>{1, 10, 100, 1000, 1e4}), 1);
  EXPECT_EQ(spearman(a, std::vector<double>{5, 4, 3, 2, 1}), -1);
  // By hand: rank differences 0, 1, -1, 1, -1 give 1 - 6 * 4 / (5 * 24).
  EXPECT_NEAR(spearman(a, std::vector<double>{1, 3, 2, 5, 4}), 0.8, 1e-15);
}

TEST(Spearman, TiesShareTheMeanOfTheirRanks) {
  // Ranks 0.5 0.5 2 3 against 0 1 2 3: covariance 4.5, variances 4.5 and 5.
  EXPECT_NEAR(spearman(std::vector<double>{7, 7, 8, 9}, std::vector<double>{1, 2, 3, 4}),
              4.5 / std::sqrt(4.5 * 5), 1e-15);
  EXPECT_TRUE(std::isnan(spearman(std::vector<double>{1, 1}, std::vector<double>{1, 2})));
  EXPECT_TRUE(std::isnan(spearman({}, {})));
}

}  // namespace
}  // namespace greenline::base
