#include "trace/graph.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/file.hpp"
#include "io/trace_reader.hpp"
#include "shared_data.hpp"
#include "trace/anonymise.hpp"
#include "trace/breakdown.hpp"
#include "trace/critical_path.hpp"
#include "trace/replay.hpp"
#include "trace/stragglers.hpp"

namespace greenline::trace {
namespace {

io::TraceColumns columns(const std::string& events) {
  return io::read_trace("{\"traceEvents\":[" + events + "]}", "test").trace;
}

std::string event(const char* category, const char* name, int lane, int start, int duration,
                  int correlation) {
  return std::string("{\"ph\":\"X\",\"cat\":\"") + category + "\",\"name\":\"" + name +
         "\",\"pid\":" + (lane < 10 ? "1" : "0") + ",\"tid\":" + std::to_string(lane) +
         ",\"ts\":" + std::to_string(start) + ",\"dur\":" + std::to_string(duration) +
         ",\"args\":{\"correlation\":" + std::to_string(correlation) +
         ",\"stream\":" + std::to_string(lane) + "}}";
}

// 0-10 us an operator that launches at 2; the kernel runs 6-20; the thread synchronises from 12 to
// 23, so it returns for 3 us once the device is done.
const std::string kSmall = event("cpu_op", "aten::add", 1, 0, 10, 0) + "," +
                           event("cuda_runtime", "cudaLaunchKernel", 1, 2, 3, 5) + "," +
                           event("kernel", "add", 17, 6, 14, 5) + "," +
                           event("cuda_runtime", "cudaStreamSynchronize", 1, 12, 11, 6);

TEST(GraphTest, ByHand) {
  const io::TraceColumns trace = columns(kSmall);
  const Graph g = execution_graph(trace, device_work(trace, Orphans::drop));
  // origin; own time of the operator, the call, and the operator again; kernel; gap; the call that
  // waits, and its return.
  ASSERT_EQ(g.tasks.size(), 8U);
  EXPECT_EQ(g.counts.host_gaps, 1);
  EXPECT_EQ(g.counts.launches, 1);
  EXPECT_EQ(g.counts.synchronisations, 1);
  EXPECT_EQ(g.counts.inferred_synchronisations, 1);  // no cuda_sync events say the stream
  EXPECT_EQ(g.tasks.back().kind, TaskKind::host_return);
  EXPECT_EQ(g.tasks.back().start_ns, 20'000);
  EXPECT_EQ(g.tasks.back().length(), 3'000);
}

TEST(GraphTest, PathThroughLaunchAndWait) {
  const auto x = critical_path_of({}, {}, columns(kSmall));
  EXPECT_EQ(x.times.total(), 23'000);
  EXPECT_EQ(x.times.launch_delay, 4'000);
  EXPECT_EQ(x.times.computation, 14'000);
  EXPECT_EQ(x.times.host, 5'000);  // 2 us before the call, whose launch it was, and the return
  EXPECT_EQ(x.times.host_gaps, 0);
}

// A longer kernel makes the wait longer: it is no work of the host.
TEST(GraphTest, AWaitIsResolvedWhileSimulating) {
  const io::TraceColumns trace = columns(kSmall);
  Graph g = execution_graph(trace, device_work(trace, Orphans::drop));
  for (Task& task : g.tasks)
    if (task.kind == TaskKind::kernel) task.end_ns += 100'000;
  EXPECT_NEAR(timeline_of(g).run().makespan.base_value(), 123e-6, 1e-15);
  for (Task& task : g.tasks)
    if (task.kind == TaskKind::kernel) task.end_ns = task.start_ns;
  // The thread gets to its synchronisation at 12 us and returns in 3.
  EXPECT_NEAR(timeline_of(g).run().makespan.base_value(), 15e-6, 1e-15);
}

// Ends are sums of at most some 1e5 doubles of seconds: 1e-9 of a step is far above their rounding.
TEST(ReplayTest, EverySharedTraceReplaysAsMeasured) {
  GL_SHARED_OR_SKIP(shared);
  int num_traces = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared + "/data/traces")) {
    const std::string path = entry.path();
    if (!path.ends_with(".json.gz") && !path.ends_with("dlrm_kineto.tar.gz")) continue;
    ReplayRequest request;
    request.files = {path};
    ReplayResult x;
    try {
      x = replay(request);
    } catch (const base::DataError&) {
      continue;  // without GPU events, or no trace
    }
    for (const RankReplay& rank : x.ranks) {
      if (rank.counts.device_tasks < 50) continue;
      ++num_traces;
      EXPECT_LE(std::abs(rank.error()), 1e-9) << path;
      EXPECT_LE(rank.max_start_share(), 1e-9) << path;
      EXPECT_GE(rank.makespan, rank.busiest_stream) << path;
      EXPECT_EQ(rank.counts.without_cause, 0) << path;
    }
  }
  EXPECT_GE(num_traces, 14 + 8);  // files, and the ranks of one more
}

TEST(StragglersTest, EightRanksOfARecommender) {
  GL_SHARED_OR_SKIP(shared);
  StragglersRequest request;
  request.files = {shared + "/data/traces/param/dlrm_kineto.tar.gz"};
  const StragglersResult x = stragglers(request);
  ASSERT_EQ(x.collectives.size(), 8U);
  const std::int64_t pure[8] = {11, 8, 8, 8, 87, 11, 23, 69};
  const std::int64_t last[8] = {7, 7, 7, 7, 7, 5, 5, 4};
  for (std::size_t i = 0; i < 8; ++i) {
    // Stamps are whole microseconds.
    EXPECT_EQ(x.collectives[i].pure_communication, pure[i] * 1000) << i;
    EXPECT_EQ(x.collectives[i].last_rank, last[i]) << i;
    EXPECT_LE(x.collectives[i].end_skew, 7000) << i;
  }
  EXPECT_EQ(x.pure_communication, 1'800'000);
  EXPECT_EQ(x.collective_kernel, 48'542'000);
}

// Names go, and nothing that a breakdown says.
TEST(AnonymiseTest, TimingAndClassesStay) {
  GL_SHARED_OR_SKIP(shared);
  const std::string path = shared + "/data/traces/hta/nccl_parser_config/nccl_data.json.gz";
  const io::TraceRead read = io::read_trace(io::read_file(path), path);
  const AnonymiseResult x = anonymised(read.trace, false);
  EXPECT_GT(x.names_replaced, 100);
  io::TraceRead without;
  without.trace = *x.trace;
  const RankBreakdown a = break_down({}, read, Orphans::drop);
  const RankBreakdown b = break_down({}, without, Orphans::drop);
  EXPECT_EQ(a.times.computation, b.times.computation);
  EXPECT_EQ(a.times.overlapped, b.times.overlapped);
  EXPECT_EQ(a.times.idle, b.times.idle);
  ASSERT_EQ(a.classes.size(), b.classes.size());
  for (std::size_t i = 0; i < a.classes.size(); ++i) {
    EXPECT_EQ(a.classes[i].its_class, b.classes[i].its_class);
    EXPECT_EQ(a.classes[i].total, b.classes[i].total);
  }
  for (const std::string& name : x.trace->names) EXPECT_EQ(name.find("vectorized"), name.npos);
}

CriticalPathResult shared_path(const std::string& file, CriticalPathRequest request = {}) {
  for (const auto& entry : std::filesystem::directory_iterator(file))
    request.files = {entry.path()};
  return find_critical_path(request);
}

TEST(CriticalPathTest, LaunchDelayKernelGapAndCallStack) {
  GL_SHARED_OR_SKIP(shared);
  CriticalPathRequest request;
  request.annotation = "[param|pytorch.model.alex_net|0|0|0|measure|forward]";
  request.instance = 1;
  request.to = 5604;
  const auto x = shared_path(shared + "/data/traces/hta/critical_path/simple_add", request);
  EXPECT_EQ(x.times.launch_delay, 27'000);
  EXPECT_EQ(x.times.kernel_gap, 7'000);
  const auto relu = std::find_if(x.segments.begin(), x.segments.end(),
                                 [](const PathSegment& s) { return s.name == "aten::relu_"; });
  ASSERT_GE(x.segments.end() - relu, 5);
  const std::int64_t own[5] = {15, 14, 17, 15, 32};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(relu[i].length, own[i] * 1000) << i;
}

TEST(CriticalPathTest, WaitsThatTheTraceNames) {
  GL_SHARED_OR_SKIP(shared);
  const std::string folder = shared + "/data/traces/hta/critical_path/";
  const auto one = shared_path(folder + "cuda_event_sync");
  EXPECT_EQ(one.counts.synchronisations, 2);  // a copy that blocks, and the event
  EXPECT_EQ(one.counts.inferred_synchronisations, 1);
  EXPECT_EQ(one.counts.against_order, 0);
  const auto two = shared_path(folder + "cuda_event_sync_multi_stream");
  EXPECT_EQ(two.counts.events, 1);  // stream 24 waits for stream 20
  EXPECT_EQ(two.counts.inferred_events, 0);
  EXPECT_EQ(two.counts.against_order, 0);
}

}  // namespace
}  // namespace greenline::trace
