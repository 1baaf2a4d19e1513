#include "base/communicator.hpp"

#include <atomic>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "thread_ranks.hpp"

namespace greenline::base {
namespace {

TEST(Communicator, AloneIsTheFirstOfOne) {
  const auto c = alone();
  EXPECT_EQ(c->rank(), 0);
  EXPECT_EQ(c->size(), 1);
  EXPECT_EQ(c->all_gather("abc"), std::vector<std::string>{"abc"});
  EXPECT_EQ(broadcast(*c, "abc"), "abc");
  EXPECT_EQ(sum(*c, {1.5, -2}), (std::vector<double>{1.5, -2}));
  EXPECT_EQ(sum(*c, {}), std::vector<double>{});
}

TEST(Communicator, EveryRankHasTheSame) {
  std::atomic<int> good = 0;
  ThreadRanks::run(3, [&](const std::shared_ptr<Communicator>& c) {
    const std::string mine(static_cast<std::size_t>(c->rank()), 'x');
    bool same = true;
    for (int i = 0; i < 100; ++i) {
      same = same && c->all_gather(mine) == std::vector<std::string>{"", "x", "xx"};
      same = same && broadcast(*c, mine, 2) == "xx";
      // In the order of the ranks: 1e16 + 1 - 1e16 is 0 in that order alone.
      const double part[] = {1e16, 1, -1e16};
      same = same && sum(*c, {part[c->rank()]}) == std::vector<double>{0};
    }
    good += same;
  });
  EXPECT_EQ(good, 3);
}

TEST(Communicator, RefusesARootThatIsNoRank) {
  EXPECT_THROW(broadcast(*alone(), "abc", 1), InternalError);
  EXPECT_THROW(broadcast(*alone(), "abc", -1), InternalError);
}

}  // namespace
}  // namespace greenline::base
