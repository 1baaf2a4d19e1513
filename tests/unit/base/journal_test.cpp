#include "base/journal.hpp"

#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

namespace greenline::base {
namespace {

TEST(Journal, KeepsEqualRecordsOnceAndSorted) {
  Journal journal;
  journal.notice("b");
  journal.notice("a");
  journal.notice("b");
  EXPECT_EQ(journal.notices(), (std::vector<std::string>{"a", "b"}));

  journal.input({"x.csv", "00"});
  journal.input({"x.csv", "00"});
  EXPECT_EQ(journal.inputs().size(), 1u);
  journal.assumed({"stamp", "start", "the file gives no hint"});
  journal.assumed({"stamp", "end", "the header says so"});
  EXPECT_EQ(journal.assumptions().size(), 2u);  // another value is another record
  journal.fact({"h100-sxm.node_w", "6474", "W", "mlperf", "built-in", "measured"});
  EXPECT_EQ(journal.facts().front().id, "h100-sxm.node_w");
}

TEST(Journal, LosesNothingBetweenThreads) {
  constexpr int kNumThreads = 8, kNumRecords = 200;
  Journal journal;
  std::vector<std::thread> threads;
  for (int t = 0; t < kNumThreads; ++t) {
    threads.emplace_back([&journal, t] {
      for (int i = 0; i < kNumRecords; ++i) {
        journal.notice(std::to_string(t) + "/" + std::to_string(i));
        journal.notice("shared " + std::to_string(i));
        (void)journal.notices();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  auto notices = journal.notices();
  EXPECT_EQ(notices.size(), static_cast<std::size_t>((kNumThreads + 1) * kNumRecords));
  std::sort(notices.begin(), notices.end());
  EXPECT_EQ(std::unique(notices.begin(), notices.end()), notices.end());
}

TEST(Settings, ShareOneJournalWhenCopied) {
  const Settings settings;
  const Settings copy = settings;  // NOLINT(performance-unnecessary-copy-initialization): the point
  copy.journal->notice("seen");
  EXPECT_EQ(settings.journal->notices().size(), 1u);
}

}  // namespace
}  // namespace greenline::base
