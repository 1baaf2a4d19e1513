#include "model/timeline.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::model {
namespace {

namespace units = base::units;

TEST(TimelineTest, ProcessorRunsItsTasksInOrder) {
  Timeline t;
  const int a = t.add(0, 0, 2 * units::s);
  const int b = t.add(1, 1, 3 * units::s);
  const int c = t.add(0, 0, 1 * units::s);
  t.depend(c, b);
  const Schedule s = t.run();
  EXPECT_EQ(s.start[static_cast<std::size_t>(a)], 0 * units::s);
  EXPECT_EQ(s.start[static_cast<std::size_t>(c)], 3 * units::s);
  EXPECT_EQ(s.makespan, 4 * units::s);
  EXPECT_EQ(s.busy[0], 3 * units::s);
  EXPECT_EQ(coverage(t, s, 1).total, 3 * units::s);
  EXPECT_EQ(coverage(t, s, 1).exposed, 1 * units::s);
}

TEST(TimelineTest, EmptyIsOver) { EXPECT_EQ(Timeline{}.run().makespan, base::Time{}); }

TEST(TimelineTest, CycleIsListed) {
  Timeline t;
  t.add(0, 0, 1 * units::s);
  const int a = t.add(1, 0, 1 * units::s);
  const int b = t.add(2, 0, 1 * units::s);
  t.depend(a, b);
  t.depend(b, a);
  try {
    t.run();
    FAIL() << "two tasks that wait for each other ran";
  } catch (const base::DataError& e) {
    EXPECT_EQ(e.code(), "cycle");
    EXPECT_NE(e.message().find("2 of 3 tasks"), std::string::npos);
    EXPECT_NE(e.message().find("1 waits for 2 waits for 1"), std::string::npos) << e.message();
  }
}

TEST(TimelineTest, OrderOnAProcessorCountsForCycles) {
  Timeline t;
  const int a = t.add(0, 0, 1 * units::s);
  const int b = t.add(0, 0, 1 * units::s);
  t.depend(a, b);  // but a stands before b
  EXPECT_THROW(t.run(), base::DataError);
}

TEST(TimelineTest, BrokenTasksAreOurBug) {
  Timeline t;
  EXPECT_THROW(t.add(0, 0, -1 * units::s), base::InternalError);
  EXPECT_THROW(t.add(0, 0, base::Time::from_base(0.0 / 0.0)), base::InternalError);
  EXPECT_THROW(t.depend(0, 7), base::InternalError);
}

// A synchronisation waits for what is in flight when it is ready, and for nothing later.
TEST(TimelineTest, WaitsAreResolvedWhileSimulating) {
  Timeline t;
  const int call = t.add(0, 0, 1 * units::ms);
  const int sync = t.add(0, 0, 1 * units::ms);
  const int later = t.add(0, 0, 1 * units::ms);
  const int first = t.add(1, 1, 10 * units::ms);
  const int second = t.add(1, 1, 10 * units::ms);
  t.depend(first, call, 2 * units::ms, After::start);
  t.depend(second, later, {}, After::start);
  t.wait_for(sync, 1);
  const Schedule s = t.run();
  const auto ms = [](base::Time x) { return x.in(units::ms); };
  EXPECT_DOUBLE_EQ(ms(s.start[static_cast<std::size_t>(first)]), 2);
  EXPECT_DOUBLE_EQ(ms(s.start[static_cast<std::size_t>(sync)]), 12);
  EXPECT_DOUBLE_EQ(ms(s.start[static_cast<std::size_t>(second)]), 13);
  EXPECT_DOUBLE_EQ(ms(s.makespan), 23);
}

TEST(TimelineTest, LagsFollowAnEndOrAStart) {
  Timeline t;
  const int a = t.add(0, 0, 5 * units::ms);
  const int b = t.add(1, 0, 1 * units::ms);
  const int c = t.add(2, 0, 1 * units::ms);
  t.depend(b, a, 2 * units::ms);
  t.depend(c, a, 3 * units::ms, After::start);
  const Schedule s = t.run();
  EXPECT_DOUBLE_EQ(s.start[static_cast<std::size_t>(b)].in(units::ms), 7);
  EXPECT_DOUBLE_EQ(s.start[static_cast<std::size_t>(c)].in(units::ms), 3);
}

}  // namespace
}  // namespace greenline::model
