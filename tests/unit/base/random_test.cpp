#include "base/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "reference/normal.hpp"

namespace greenline::base {
namespace {

using Block = std::array<std::uint32_t, 4>;

// The vectors that Random123 publishes for philox4x32-10.
TEST(Philox, GivesThePublishedVectors) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// The test vectors of the FNV page by Noll.
TEST(Fnv1a, GivesThePublishedVectors) {
  EXPECT_EQ(fnv1a_64(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a_64("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a_64("foobar"), 0x85944171f73967e8u);
}

// Words and shuffle of one key, computed apart in integers of any size.
TEST(RandomStream, KeepsItsWordsFromReleaseToRelease) {
  const std::uint64_t key = fnv1a_64("h100-sxm.node_w") ^ 20230325;
  RandomStream stream(key);
  EXPECT_EQ(stream.next(), 0xeec48343abcd567eu);
  EXPECT_EQ(stream.next(), 0x11ce3e1ba11280c9u);
  RandomStream third(key, 3);
  third.seek(2);
  EXPECT_EQ(third.next(), 0x33b350d8d166d63eu);

  const auto order = shuffled(256, key);
  const std::vector<std::uint32_t> first(order.begin(), order.begin() + 8);
  EXPECT_EQ(first, (std::vector<std::uint32_t>{4, 150, 62, 140, 44, 56, 225, 110}));
}

TEST(RandomStream, SeekGivesWhatReadingOnWouldGive) {
  RandomStream reader(7), jumper(7);
  std::vector<std::uint64_t> words;
  for (int i = 0; i < 9; ++i) words.push_back(reader.next());
  for (std::uint64_t i = 9; i-- > 0;) {
    jumper.seek(i);
    EXPECT_EQ(jumper.next(), words[i]) << i;
  }
}

TEST(RandomStream, UniformStaysInsideAndHasItsMoments) {
  constexpr int kNum = 20000;
  RandomStream stream(11);
  double sum = 0, squares = 0;
  for (int i = 0; i < kNum; ++i) {
    const double u = stream.uniform();
    ASSERT_GT(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    squares += u * u;
  }
  // Five standard errors of the mean of u (0.289 / sqrt n) and of u squared (0.298 / sqrt n).
  EXPECT_NEAR(sum / kNum, 1 / 2.0, 5 * 0.289 / std::sqrt(kNum));
  EXPECT_NEAR(squares / kNum, 1 / 3.0, 5 * 0.298 / std::sqrt(kNum));
}

TEST(RandomStream, BelowIsEvenForABoundThatDoesNotDivide) {
  constexpr int kNum = 30000;
  RandomStream stream(5);
  std::array<int, 3> seen{};
  for (int i = 0; i < kNum; ++i) ++seen[stream.below(3)];
  // Five standard deviations of a count with probability 1/3.
  for (const int count : seen) EXPECT_NEAR(count, kNum / 3, 5 * std::sqrt(kNum * 2 / 9.0));
  EXPECT_EQ(RandomStream(1).below(1), 0u);
  EXPECT_THROW(stream.below(0), InternalError);
}

TEST(RandomStream, BelowSkipsTheWordsThatWouldTiltIt) {
  constexpr std::uint64_t kBound =
      (std::uint64_t{1} << 63) + 1;  // nearly half of all words are surplus
  constexpr std::uint64_t kSurplus = (std::uint64_t{1} << 63) - 1;
  RandomStream words(3), stream(3);
  for (int i = 0; i < 50; ++i) {
    std::uint64_t word = words.next();
    while (word < kSurplus) word = words.next();
    ASSERT_EQ(stream.below(kBound), word % kBound);
  }
}

TEST(Shuffled, IsAPermutation) {
  for (const std::uint32_t n : {0u, 1u, 2u, 256u}) {
    auto order = shuffled(n, 99);
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0u);
    EXPECT_EQ(order, all);
  }
}

TEST(NormalQuantile, AgreesWithBisectionOfTheDistribution) {
  for (const double p : {1e-300, 1e-30, 1e-9, 1e-4, 0.001953125, 0.05, 0.2499, 0.2501, 0.4,
                         0.4999999, 0.75, 0.95, 0.998046875, 1 - 0x1p-53}) {
    const double expected = reference::normal_quantile(p);
    // The reference bisects to the last place; erfc and exp of the C library add a few more.
    EXPECT_NEAR(normal_quantile(p), expected, 1e-14 * std::abs(expected)) << p;
  }
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-16);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-15);  // the tabled value
  EXPECT_THROW(normal_quantile(0), InternalError);
  EXPECT_THROW(normal_quantile(1), InternalError);
  EXPECT_THROW(normal_quantile(std::nan("")), InternalError);
}

}  // namespace
}  // namespace greenline::base
