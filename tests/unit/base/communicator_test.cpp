#include "base/communicator.hpp"

#include <atomic>

#include <gtest/gtest.h>

#include "thread_ranks.hpp"

namespace greenline::base {
namespace {

TEST(Communicator, AloneIsTheFirstOfOne) {
  const auto c = alone();
  EXPECT_EQ(c->rank(), 0);
  EXPECT_EQ(c->size(), 1);
  EXPECT_EQ(c->all_gather("abc"), std::vector<std::string>{"abc"});
}

TEST(Communicator, EveryRankHasTheSame) {
  std::atomic<int> good = 0;
  ThreadRanks::run(3, [&](const std::shared_ptr<Communicator>& c) {
    const std::string mine(static_cast<std::size_t>(c->rank()), 'x');
    bool same = true;
    for (int i = 0; i < 100; ++i) {
      same = same && c->all_gather(mine) == std::vector<std::string>{"", "x", "xx"};
    }
    good += same;
  });
  EXPECT_EQ(good, 3);
}

}  // namespace
}  // namespace greenline::base
