#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "io/chrome_trace.hpp"
#include "io/json.hpp"

namespace greenline::io {
namespace {

std::vector<std::string> any_texts() {
  // Printable and not: quotes, backslashes, control characters, but valid UTF-8.
  const auto text = rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
  return *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(text));
}

TraceColumns any_trace() {
  TraceColumns t;
  const std::vector<std::string> processes = any_texts(), threads = any_texts();
  for (std::size_t i = 0; i < threads.size(); ++i)
    t.lanes.push_back({processes[i % processes.size()], threads[i]});
  t.names = any_texts();
  t.categories = any_texts();
  const int n = *rc::gen::inRange(0, 30);
  const auto index = [](std::size_t size) { return *rc::gen::inRange(0, static_cast<int>(size)); };
  for (int i = 0; i < n; ++i)
    t.add(index(t.lanes.size()), index(t.names.size()), index(t.categories.size()),
          *rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000'000),
          *rc::gen::inRange<std::int64_t>(0, 1'000'000'000));
  return t;
}

// Microseconds of up to 4e9: a double holds them to better than half a nanosecond.
std::int64_t nanoseconds(const Value& microseconds) {
  return std::llround(microseconds.as_double() * 1000);
}

RC_GTEST_PROP(IoChromeTrace, ReadsBackAsItWas, ()) {
  const TraceColumns t = any_trace();
  const Value trace = parse_json(chrome_trace(t), "trace.json");
  std::map<std::int64_t, std::string> processes, threads;
  std::size_t i = 0;
  for (const Value& event : trace.find("traceEvents")->as_array()) {
    const std::string& kind = event.find("ph")->as_text();
    const std::int64_t pid = event.find("pid")->as_int(), tid = event.find("tid")->as_int();
    if (kind == "M") {
      const std::string& what = event.find("name")->as_text();
      if (what == "process_name") processes[pid] = event.find_path("args.name")->as_text();
      if (what == "thread_name") threads[tid] = event.find_path("args.name")->as_text();
      continue;
    }
    RC_ASSERT(kind == "X");
    const auto at = [](int index) { return static_cast<std::size_t>(index); };
    const TraceLane& lane = t.lanes[at(t.lane[i])];
    RC_ASSERT(processes.at(pid) == lane.process);
    RC_ASSERT(threads.at(tid) == lane.thread);
    RC_ASSERT(event.find("name")->as_text() == t.names[at(t.name[i])]);
    RC_ASSERT(event.find("cat")->as_text() == t.categories[at(t.category[i])]);
    RC_ASSERT(nanoseconds(*event.find("ts")) == t.start_ns[i]);
    RC_ASSERT(nanoseconds(*event.find("dur")) == t.duration_ns[i]);
    ++i;
  }
  RC_ASSERT(i == t.size());
}

}  // namespace
}  // namespace greenline::io
