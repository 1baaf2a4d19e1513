#include "io/chrome_trace.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/json.hpp"

namespace greenline::io {
namespace {

TraceColumns two_stages() {
  TraceColumns t;
  t.members = {{"displayTimeUnit", "\"ns\""}};
  t.lanes = {{"stage 0", "compute"}, {"stage 0", "links"}, {"stage 1", "compute"}};
  t.names = {"forward", "send \"x\"\n</script>"};
  t.categories = {"compute", "communication"};
  const std::size_t forward = t.add(0, 0, 0, 0, 1'234'567);
  const std::size_t send = t.add(1, 1, 1, 1'234'567, 1);
  t.add(2, 0, 0, 1'234'568, 0);
  t.connect(forward, send);
  return t;
}

std::vector<Value> of_kind(const Value& trace, const std::string& kind) {
  std::vector<Value> found;
  for (const Value& event : trace.find("traceEvents")->as_array())
    if (event.find("ph")->as_text() == kind) found.push_back(event);
  return found;
}

TEST(ChromeTraceTest, IsTheFormatThatViewersOpen) {
  EXPECT_EQ(chrome_trace(two_stages()),
            R"({"displayTimeUnit":"ns",
"traceEvents":[
{"ph":"M","name":"process_name","pid":1,"tid":3,"args":{"name":"stage 0"}},
{"ph":"M","name":"process_sort_index","pid":1,"tid":3,"args":{"sort_index":1}},
{"ph":"M","name":"thread_name","pid":1,"tid":3,"args":{"name":"compute"}},
{"ph":"M","name":"thread_sort_index","pid":1,"tid":3,"args":{"sort_index":0}},
{"ph":"M","name":"thread_name","pid":1,"tid":4,"args":{"name":"links"}},
{"ph":"M","name":"thread_sort_index","pid":1,"tid":4,"args":{"sort_index":1}},
{"ph":"M","name":"process_name","pid":2,"tid":5,"args":{"name":"stage 1"}},
{"ph":"M","name":"process_sort_index","pid":2,"tid":5,"args":{"sort_index":2}},
{"ph":"M","name":"thread_name","pid":2,"tid":5,"args":{"name":"compute"}},
{"ph":"M","name":"thread_sort_index","pid":2,"tid":5,"args":{"sort_index":2}},
{"ph":"X","name":"forward","cat":"compute","pid":1,"tid":3,"ts":0.000,"dur":1234.567},
{"ph":"X","name":"send \"x\"\n\u003c/script>","cat":"communication","pid":1,"tid":4,"ts":1234.567,"dur":0.001},
{"ph":"X","name":"forward","cat":"compute","pid":2,"tid":5,"ts":1234.568,"dur":0.000},
{"ph":"s","id":1,"name":"before","cat":"dependency","pid":1,"tid":3,"ts":1234.566},
{"ph":"f","bp":"e","id":1,"name":"before","cat":"dependency","pid":1,"tid":4,"ts":1234.567}
]}
)");
}

TEST(ChromeTraceTest, ReadsBackAsJson) {
  const Value trace = parse_json(chrome_trace(two_stages()), "trace.json");
  const std::vector<Value> events = of_kind(trace, "X");
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[1].find("name")->as_text(), two_stages().names[1]);
  EXPECT_EQ(events[1].find("ts")->as_double(), 1234.567);
  EXPECT_EQ(of_kind(trace, "s").size(), of_kind(trace, "f").size());
}

TEST(ChromeTraceTest, NanosecondsSurviveAtTheSizeOfAnEpoch) {
  TraceColumns t;
  t.lanes = {{"p", "t"}};
  t.names = t.categories = {"a"};
  t.add(0, 0, 0, 1'700'000'000'123'456'789, 7);
  t.add(0, 0, 0, -1'500, 1);
  t.add(0, 0, 0, std::numeric_limits<std::int64_t>::min(), 0);
  const std::string text = chrome_trace(t);
  EXPECT_NE(text.find("\"ts\":1700000000123456.789,"), std::string::npos) << text;
  EXPECT_NE(text.find("\"ts\":-1.500,"), std::string::npos) << text;
  EXPECT_NE(text.find("\"ts\":-9223372036854775.808,"), std::string::npos) << text;
}

TEST(ChromeTraceTest, EmptyIsATrace) {
  const Value trace = parse_json(chrome_trace({}), "trace.json");
  EXPECT_TRUE(trace.find("traceEvents")->as_array().empty());
}

TEST(ChromeTraceTest, ComesInPieces) {
  TraceColumns t;
  t.lanes = {{"p", "t"}};
  t.names = t.categories = {"a"};
  for (int i = 0; i < 10'000; ++i) t.add(0, 0, 0, i, 1);
  std::string text;
  std::size_t longest = 0, num_pieces = 0;
  write_chrome_trace(t, [&](std::string_view piece) {
    text += piece;
    longest = std::max(longest, piece.size());
    ++num_pieces;
  });
  EXPECT_EQ(text, chrome_trace(t));
  EXPECT_GT(num_pieces, 5U);
  EXPECT_LT(longest, 100'000U);
}

TEST(ChromeTraceTest, BrokenColumnsAreOurBug) {
  TraceColumns t = two_stages();
  t.name[0] = 99;
  EXPECT_THROW(chrome_trace(t), base::InternalError);
  t = two_stages();
  t.duration_ns[0] = -1;
  EXPECT_THROW(chrome_trace(t), base::InternalError);
  t = two_stages();
  t.lane.pop_back();
  EXPECT_THROW(chrome_trace(t), base::InternalError);
  t = two_stages();
  t.correlation.push_back(3);
  EXPECT_THROW(chrome_trace(t), base::InternalError);
  EXPECT_THROW(two_stages().connect(0, 3), base::InternalError);
}

}  // namespace
}  // namespace greenline::io
