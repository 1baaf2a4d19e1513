#include "model/breakdown.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "model/intervals.hpp"

namespace greenline::model {
namespace {

namespace units = base::units;

constexpr int kForward = 0, kAllReduce = 1;

// Compute 0 to 3 s and 5 to 6 s, communication 2 to 5 s, then nothing on device 0 until 8 s.
struct OneDevice {
  Timeline timeline;
  Schedule schedule;
  OneDevice() {
    const int first = timeline.add(0, kForward, 2 * units::s);
    timeline.add(0, kForward, 1 * units::s);
    const int reduce = timeline.add(1, kAllReduce, 3 * units::s);
    const int last = timeline.add(0, kForward, 1 * units::s);
    timeline.add(2, kForward, 8 * units::s);
    timeline.depend(reduce, first);
    timeline.depend(last, reduce);
    schedule = timeline.run();
  }
};

TEST(BreakdownTest, CountsOneDevice) {
  const OneDevice run;
  const std::vector<int> device{0, 1};
  const Breakdown b = breakdown(run.timeline, run.schedule, {{kForward}, {kAllReduce}}, device);
  EXPECT_EQ(b.exposed_compute, 3 * units::s);
  EXPECT_EQ(b.overlapped, 1 * units::s);
  EXPECT_EQ(b.exposed_communication, 2 * units::s);
  EXPECT_EQ(b.idle, 2 * units::s);
  EXPECT_EQ(b.makespan(), 8 * units::s);
}

TEST(BreakdownTest, ATagMustMeanOneThing) {
  const OneDevice run;
  EXPECT_THROW(breakdown(run.timeline, run.schedule, {{kForward}, {}}), base::InternalError);
  EXPECT_THROW(breakdown(run.timeline, run.schedule, {{0, 1}, {1}}), base::InternalError);
}

TEST(BreakdownTest, BarsAreNamedAndSorted) {
  const OneDevice run;
  const TimelineNames names{{"gpu", "link", "other"}, {"forward", "all-reduce"}};
  const TimelineBars b = bars(run.timeline, run.schedule, names);
  EXPECT_EQ(b.processor, (std::vector<std::string>{"gpu", "gpu", "gpu", "link", "other"}));
  EXPECT_EQ(b.tag[3], "all-reduce");
  EXPECT_EQ(b.start[2], 5 * units::s);
  EXPECT_EQ(b.end[2], 6 * units::s);
  EXPECT_THROW(bars(run.timeline, run.schedule, {{"gpu"}, {"forward", "all-reduce"}}),
               base::InternalError);
}

TEST(IntervalsTest, TouchingIntervalsAreOne) {
  const std::vector<Interval> all = united({{3, 4}, {0, 1}, {1, 2}, {0.5, 1.5}});
  EXPECT_EQ(all, (std::vector<Interval>{{0, 2}, {3, 4}}));
  EXPECT_EQ(length(all), 3);
  EXPECT_EQ(common_length(all, {{1, 3.5}}), 1.5);
}

}  // namespace
}  // namespace greenline::model
