#include "base/statistics.hpp"

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

}  // namespace
}  // namespace greenline::base
