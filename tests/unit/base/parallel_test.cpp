#include "base/parallel.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::base {
namespace {

class ParallelOnThreads : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_num_threads(GetParam()); }
  void TearDown() override { set_num_threads(0); }
};
INSTANTIATE_TEST_SUITE_P(Parallel, ParallelOnThreads, testing::Values(1, 2, 3, 8));

TEST_P(ParallelOnThreads, ForVisitsEachIndexOnce) {
  for (const std::size_t grain : {1u, 7u, 5000u}) {
    std::vector<std::atomic<int>> visits(1000);
    parallel_for(
        visits.size(), [&](std::size_t i) { ++visits[i]; }, grain);
    for (const auto& n : visits) ASSERT_EQ(n, 1);
  }
  parallel_for(0, [](std::size_t) { FAIL(); });
}

TEST_P(ParallelOnThreads, ForRethrowsTheFailureOfTheLowestIndex) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    try {
      parallel_for(500, [](std::size_t i) {
        if (i % 100 == 37) throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "not thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "37");
    }
  }
}

TEST_P(ParallelOnThreads, ALaterFailureOfAHigherIndexChangesNothing) {
  using namespace std::chrono_literals;
  std::atomic<bool> high_runs{false}, low_fails{false};
  const auto wait_for = [](const std::atomic<bool>& flag) {
    for (int i = 0; i < 100 && !flag; ++i) std::this_thread::sleep_for(1ms);
  };
  try {
    parallel_for(500, [&](std::size_t i) {
      if (i == 1) {
        wait_for(high_runs);
        low_fails = true;
        throw std::runtime_error("low");
      }
      if (i == 499) {
        high_runs = true;
        wait_for(low_fails);
        std::this_thread::sleep_for(5ms);  // long enough for the low one to be recorded
        throw std::runtime_error("high");
      }
    });
    FAIL() << "not thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "low");
  }
}

TEST_P(ParallelOnThreads, LoopsNest) {
  std::atomic<int> visits{0};
  parallel_for(20, [&](std::size_t) { parallel_for(30, [&](std::size_t) { ++visits; }); });
  EXPECT_EQ(visits, 600);
}

TEST_P(ParallelOnThreads, NumThreadsIsWhatWasSet) { EXPECT_EQ(num_threads(), GetParam()); }

TEST(Parallel, RefusesNonsense) {
  EXPECT_THROW(set_num_threads(-1), UserError);
  EXPECT_THROW(set_num_threads(1'000'000), UserError);
  EXPECT_GE(num_threads(), 1);
  EXPECT_THROW(parallel_for(
                   1, [](std::size_t) {}, 0),
               InternalError);
}

}  // namespace
}  // namespace greenline::base
