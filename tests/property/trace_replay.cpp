// Laws of the execution graph: it replays as measured, whatever the order of events and the origin
// of time.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "io/trace_reader.hpp"
#include "trace/replay.hpp"

namespace greenline::trace {
namespace {

std::string event(const char* category, const char* name, int lane, std::int64_t start,
                  std::int64_t end, int correlation) {
  return std::string("{\"ph\":\"X\",\"cat\":\"") + category + "\",\"name\":\"" + name +
         "\",\"pid\":" + (lane < 5 ? "1" : "0") + ",\"tid\":" + std::to_string(lane) +
         ",\"ts\":" + std::to_string(start) + ",\"dur\":" + std::to_string(end - start) +
         ",\"args\":{\"correlation\":" + std::to_string(correlation) + "}}";
}

// One thread that launches on two streams and synchronises with the one that it used last.
std::vector<std::string> run_of(const std::vector<int>& draws, std::int64_t origin) {
  std::vector<std::string> events;
  std::int64_t now = origin, free[2] = {origin, origin};
  int stream = 0, correlation = 1;
  events.push_back(event("cpu_op", "first", 1, now, now + 1, 0));
  for (const int draw : draws) {
    now += 1 + draw % 7;
    ++correlation;
    if (draw % 5 == 0) {
      const std::int64_t end = std::max(now, free[stream]) + 2;
      events.push_back(event("cuda_runtime", "cudaStreamSynchronize", 1, now, end, correlation));
      now = end;
      continue;
    }
    stream = draw % 2;
    events.push_back(event("cuda_runtime", "cudaLaunchKernel", 1, now, now + 3, correlation));
    const std::int64_t start = std::max(now + 2, free[stream]) + draw % 3;
    free[stream] = start + draw % 40;
    events.push_back(event("kernel", "k", 7 + stream, start, free[stream], correlation));
    now += 3;
  }
  return events;
}

RankReplay replayed(const std::vector<std::string>& events) {
  std::string text;
  for (const std::string& e : events) text += (text.empty() ? "" : ",") + e;
  return replay_rank({}, io::read_trace("{\"traceEvents\":[" + text + "]}", "t").trace,
                     Orphans::drop);
}

const auto kDraws = rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 1000));

RC_GTEST_PROP(TraceReplayProperty, AsMeasured, ()) {
  auto draws = *kDraws;
  draws.push_back(1);  // at least one kernel
  const RankReplay x = replayed(run_of(draws, 0));
  RC_ASSERT(x.max_start_error < 1e-12);
  RC_ASSERT(x.makespan >= x.busiest_stream - 1e-15);
  // All of the path, from the first task to the last end.
  RC_ASSERT(std::abs(static_cast<double>(x.path.total()) / 1e9 - x.makespan) < 1e-12);
}

RC_GTEST_PROP(TraceReplayProperty, OrderAndOriginDoNotMatter, ()) {
  auto draws = *kDraws;
  draws.push_back(1);
  const RankReplay x = replayed(run_of(draws, 0));
  auto events = run_of(draws, 1'700'000'000'000'000);
  std::reverse(events.begin(), events.end());
  const RankReplay y = replayed(events);
  RC_ASSERT(x.num_tasks == y.num_tasks);
  RC_ASSERT(x.num_edges == y.num_edges);
  RC_ASSERT(x.path.total() == y.path.total());
  RC_ASSERT(x.path.host_gaps == y.path.host_gaps);
  RC_ASSERT(x.makespan == y.makespan);
}

}  // namespace
}  // namespace greenline::trace
