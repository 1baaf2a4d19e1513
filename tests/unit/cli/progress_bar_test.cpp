#include "cli/progress_bar.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace greenline::cli {
namespace {

using namespace std::chrono_literals;

TEST(ProgressBar, IsSilentForASecondAndThenSaysHowLong) {
  std::ostringstream err;
  ProgressBar::Clock::time_point now{};
  ProgressBar bar(err, true, [&] { return now; });
  bar.stage("pricing", 100);
  now += 900ms;
  bar.advance(10);
  EXPECT_EQ(err.str(), "");
  now += 1100ms;
  bar.advance(10);
  EXPECT_EQ(err.str(), "\r\x1b[Kpricing [====                    ] 20/100, 10/s, 8 s left");
  err.str("");
  now += 50ms;
  bar.advance(1);
  EXPECT_EQ(err.str(), "") << "ten times a second is enough";
  bar.clear();
  EXPECT_EQ(err.str(), "\r\x1b[K");
}

TEST(ProgressBar, IsSilentWhereNobodyLooks) {
  std::ostringstream err;
  ProgressBar::Clock::time_point now{};
  {
    ProgressBar bar(err, false, [&] { return now; });
    bar.stage("pricing", 100);
    now += 1h;
    bar.advance(10);
  }
  EXPECT_EQ(err.str(), "");
}

TEST(ProgressText, AnUnknownTotalHasNoEnd) {
  EXPECT_EQ(progress_text("reading", 3000, 0, 1.5), "reading 3000, 2000/s");
  EXPECT_EQ(progress_text("reading", 0, 10, 2), "reading [                        ] 0/10");
}

}  // namespace
}  // namespace greenline::cli
