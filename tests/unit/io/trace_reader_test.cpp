#include "io/trace_reader.hpp"

#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "io/chrome_trace.hpp"
#include "io/compress.hpp"
#include "io/file.hpp"
#include "io/tar.hpp"
#include "shared_data.hpp"

namespace greenline::io {
namespace {

std::string in_document(const std::string& events) { return "{\"traceEvents\":[" + events + "]}"; }
TraceRead read(const std::string& events) { return read_trace(in_document(events), "test"); }

std::string kernel(int i) {
  return fmt::format(
      R"({{"ph":"X","cat":"kernel","name":"k{}","pid":0,"tid":7,"ts":{},"dur":2,"args":{{"correlation":{}}}}})",
      i % 3, 10 * i, i);
}
std::string kernels(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += (i > 0 ? ",\n" : "") + kernel(i);
  return text;
}

TEST(TraceReaderTest, ReadsTheArgumentsOfAKernel) {
  const TraceRead r = read(
      R"({"ph":"X","cat":"kernel","name":"ncclKernel\u0020\"A\"","pid":0,"tid":40,"ts":4458677009853.422,
      "dur":2636.669,"args":{"External id":12945,"device":0,"stream":40,"context":1,"correlation":60047,
      "grid":[2, 1,1],"block":[320,1,1],"registers per thread":96,"shared memory":0,
      "Collective name":"allreduce","In msg nelems":6637568,"Out msg nelems":6637568,"Group size":2,
      "dtype":"Float","Process Group Name":"0","Process Group Ranks":"[0, 1]","Seq":4}})");
  const TraceColumns& t = r.trace;
  ASSERT_EQ(t.size(), 1U);
  EXPECT_EQ(t.names[0], "ncclKernel \"A\"");
  EXPECT_EQ(t.start_ns[0], 4458677009853422);
  EXPECT_EQ(t.duration_ns[0], 2636669);
  EXPECT_EQ(t.correlation.at(0), 60047);
  EXPECT_EQ(t.external_id.at(0), 12945);
  ASSERT_EQ(t.work.size(), 1U);
  EXPECT_EQ(t.work[0].device, 0);
  EXPECT_EQ(t.work[0].stream, 40);
  const TraceLaunch& launch = t.launches[static_cast<std::size_t>(t.work[0].launch)];
  EXPECT_EQ(launch.grid[0], 2);
  EXPECT_EQ(launch.block[0], 320);
  EXPECT_EQ(launch.registers_per_thread, 96);
  ASSERT_EQ(t.collectives.size(), 1U);
  const TraceCollective& c = t.collectives[0];
  EXPECT_EQ(t.names[static_cast<std::size_t>(c.name)], "allreduce");
  EXPECT_EQ(t.names[static_cast<std::size_t>(c.group_ranks)], "[0, 1]");
  EXPECT_EQ(c.group_size, 2);
  EXPECT_EQ(c.in_elements, 6637568);
  EXPECT_EQ(c.sequence, 4);
  EXPECT_EQ(r.dirt, TraceDirt{});
  EXPECT_FALSE(r.whole_microseconds);
}

TEST(TraceReaderTest, ReadsOperatorsPythonSyncsAndFlows) {
  const TraceRead r = read(
      R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":2,"ts":0,"dur":5,"args":{
        "External id":3,"Sequence number":7,"Fwd thread id":1,"Input Dims":[[8, 4], [ ]],
        "Input type":["float", "a \" b"]}},
      {"name":"f.py(3): g","cat":"python_function","ph":"X","pid":1,"tid":2,"ts":0,"dur":5,
        "args":{"Python id":4,"Python parent id":null,"Python module id":2}},
      {"ph":"X","cat":"cuda_sync","name":"Stream Wait Event","pid":0,"tid":24,"ts":1,"dur":2,"args":{
        "cuda_sync_kind":"Stream Wait Event","stream":-1,"correlation":1389,"wait_on_stream":20,
        "wait_on_cuda_event_record_corr_id":1385,"wait_on_cuda_event_id":19,"device":0}},
      {"ph":"s","id":6,"pid":1,"tid":2,"ts":1,"cat":"fwdbwd","name":"fwdbwd"},
      {"ph":"f","id":6,"pid":1,"tid":3,"ts":2,"cat":"fwdbwd","name":"fwdbwd","bp":"e"})");
  const TraceColumns& t = r.trace;
  ASSERT_EQ(t.operators.size(), 1U);
  EXPECT_EQ(t.names[static_cast<std::size_t>(t.operators[0].input_dims)], "[[8,4],[]]");
  EXPECT_EQ(t.names[static_cast<std::size_t>(t.operators[0].input_types)], R"(["float","a \" b"])");
  EXPECT_EQ(t.operators[0].sequence, 7);
  ASSERT_EQ(t.python.size(), 1U);
  EXPECT_EQ(t.python[0].id, 4);
  EXPECT_EQ(t.python[0].parent, -1);
  EXPECT_EQ(t.python[0].module, 2);
  ASSERT_EQ(t.syncs.size(), 1U);
  EXPECT_EQ(t.syncs[0].record_correlation, 1385);
  ASSERT_EQ(t.work.size(), 1U);
  EXPECT_EQ(t.work[0].stream, -1);
  ASSERT_EQ(t.flows.size(), 2U);
  EXPECT_EQ(t.flows[1].id, 6);
  EXPECT_TRUE(t.flows[1].binds_enclosing);
  EXPECT_TRUE(r.whole_microseconds);
}

TEST(TraceReaderTest, KeysMayStandInAnyOrderAndTheDocumentMayBeAnArray) {
  const TraceColumns after =
      read_trace("{\"traceEvents\":[" + kernels(5) + "],\"a\":{\"traceEvents\":[1]},\"b\":\"}]\"}",
                 "test")
          .trace;
  const TraceColumns before =
      read_trace("\xEF\xBB\xBF {\"a\":{\"traceEvents\":[1]},\"b\":\"}]\",\"traceEvents\" : [" +
                     kernels(5) + "]}",
                 "test")
          .trace;
  EXPECT_EQ(after, before);
  EXPECT_EQ(after.members.size(), 2U);
  EXPECT_EQ(read_trace("[" + kernels(5) + "]", "test").trace.start_ns, after.start_ns);
}

TEST(TraceReaderTest, LanesHaveTheNamesOfTheMetadata) {
  const TraceRead r =
      read(kernel(0) +
           R"(,{"ph":"M","name":"process_name","pid":0,"tid":0,"args":{"name":"python"}},
      {"ph":"M","name":"process_labels","pid":0,"tid":0,"args":{"labels":"GPU 0"}},
      {"name":"thread_name","ph":"M","pid":0,"tid":7,"args":{"name":"stream 7"}},
      {"name":"thread_sort_index","ph":"M","pid":0,"tid":7,"args":{"sort_index":70}})");
  ASSERT_EQ(r.trace.lanes.size(), 1U);
  EXPECT_EQ(r.trace.lanes[0].process, "python");
  EXPECT_EQ(r.trace.lanes[0].labels, "GPU 0");
  EXPECT_EQ(r.trace.lanes[0].thread, "stream 7");
  EXPECT_EQ(r.trace.lanes[0].thread_order, 70);
  EXPECT_EQ(r.num_metadata, 4);
}

TEST(TraceReaderTest, DirtIsCountedAndTheRestIsUsed) {
  const TraceRead r = read(kernel(0) + R"(,
      {"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":1},
      {"ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,"dur":1},
      {"ph":"X","cat":"kernel","name":"c","pid":0,"tid":7,"ts":1,"dur":-1},
      {"ph":"X","cat":"kernel","name":"d","pid":0,"tid":7,"ts":1,"dur":1e308},
      {"ph":"X","cat":"kernel","name":"e","pid":0,"tid":7,"ts":NaN,"dur":1},
      {"ph":"X","cat":"kernel","name":"f","pid":0,"tid":"stream 7","ts":"1.5","dur":"2"},
      {"ph":"X","cat":"kernel","pid":0,"tid":7,"ts":1,"dur":1,"args":{"correlation":1.5}},
      3, null, [1,[2]], {"name":"no phase"},)" +
                           kernel(1));
  TraceDirt d;
  d.without_duration = 1;
  d.without_time = 2;
  d.negative_durations = 1;
  d.out_of_range_times = 1;
  d.text_times = 2;
  d.text_lanes = 1;
  d.unnamed_events = 1;
  d.bad_arguments = 1;
  d.broken_events = 4;
  EXPECT_EQ(r.dirt, d);
  EXPECT_EQ(r.trace.size(), 4U);
}

TEST(TraceReaderTest, BrokenEventsCostThemselvesOnly) {
  for (const std::string broken :
       {R"({"ph":"X","cat":"kernel","name":"a"b","pid":0,"tid":7,"ts":1,"dur":1})",
        R"({"ph":"X","cat":"kernel","name":"a,"pid":0,"tid":7,"ts":1,"dur":1})",
        R"({"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":1 "dur":1})",
        R"({"ph":"X","cat":"kernel","name":"a\q","pid":0,"tid":7,"ts":1,"dur":1})",
        R"({"ph":"X","cat":"kernel","name":"a","args":{"x":[1,2},"pid":0,"ts":1,"dur":1})"}) {
    const TraceRead r = read(kernels(3) + ",\n" + broken + ",\n" + kernels(4));
    EXPECT_EQ(r.trace.size(), 7U) << broken;
    EXPECT_EQ(r.dirt.broken_events, 1) << broken;
    EXPECT_FALSE(r.dirt.truncated) << broken;
  }
  // Without its bracket an event takes the next one with it.
  const TraceRead open =
      read(kernels(3) + R"(,{"ph":"X","cat":"kernel","name":"a","pid":0,)" + kernels(4));
  EXPECT_EQ(open.trace.size(), 6U);
  EXPECT_EQ(open.dirt.broken_events, 1);
}

TEST(TraceReaderTest, BytesThatNoTextMayHoldAreMended) {
  const TraceRead r = read(kernels(2) +
                           ",{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"a\xFF\x01z\",\"pid\":0,"
                           "\"tid\":7,\"ts\":1,\"dur\":1}," +
                           kernels(2));
  EXPECT_EQ(r.trace.size(), 5U);
  EXPECT_EQ(r.dirt.mended_events, 1);
  EXPECT_GE(r.trace.find_name("a\xEF\xBF\xBD z"), 0);
}

TEST(TraceReaderTest, ACutFileKeepsItsWholeEvents) {
  const std::string whole = in_document(kernels(6));
  const std::size_t first = whole.find("{\"ph\""), second = whole.find("{\"ph\"", first + 1);
  std::size_t longest = 0;
  for (std::size_t size = second; size < whole.size() - 1; ++size) {
    const TraceRead r = read_trace(whole.substr(0, size), "cut");
    EXPECT_TRUE(r.dirt.truncated) << size;
    EXPECT_EQ(r.dirt.broken_events, 0) << size;
    EXPECT_GE(r.trace.size(), longest);
    longest = r.trace.size();
  }
  EXPECT_EQ(longest, 6U);
  EXPECT_FALSE(read_trace(whole, "whole").dirt.truncated);
}

TEST(TraceReaderTest, DeepArgumentsArePassedOver) {
  for (const std::size_t depth : {1000U, 1'000'000U}) {
    const std::string deep = std::string(depth, '[') + std::string(depth, ']');
    const TraceRead r =
        read(R"({"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":1,"dur":1,"args":{"x":)" +
             deep + "}}," + kernel(1));
    EXPECT_EQ(r.trace.size(), 2U);
    EXPECT_EQ(r.dirt, TraceDirt{});
  }
}

TEST(TraceReaderTest, WhatIsNoTraceIsRefused) {
  const auto code = [](const std::string& text) -> std::string {
    try {
      read_trace(text, "x");
    } catch (const base::DataError& error) {
      return error.code();
    }
    return "";
  };
  EXPECT_EQ(code(""), "not-a-trace");
  EXPECT_EQ(code("3"), "not-a-trace");
  EXPECT_EQ(code("{\"nodes\":[]}"), "not-a-trace");
  EXPECT_EQ(code("{\"traceEvents\":3}"), "not-a-trace");
  EXPECT_EQ(code("{\"a\":"), "bad-json");
  EXPECT_EQ(code("{a:1}"), "bad-json");
  EXPECT_EQ(code("{\"traceEvents\":[]}"), "");
}

// Many pieces: the cuts, and what looks like one within an argument.
TEST(TraceReaderTest, PiecesAndThreadsDoNotShow) {
  std::string events;
  for (int i = 0; i < 30'000; ++i) {
    if (i > 0) events += ",\n";
    if (i % 7 == 3)
      events += fmt::format(
          R"({{"ph":"X","cat":"c","name":"n{}","pid":1,"tid":1,"ts":{},"dur":1,"args":{{"list":[{{"ph":"X"}},
{{"ph":"Y","text":"}},\n{{\"ph\""}},
{{"ph":"Z"}}]}}}})",
          i % 100, i);
    else
      events += kernel(i);
  }
  base::set_num_threads(1);
  const TraceRead one = read(events);
  base::set_num_threads(4);
  const TraceRead four = read(events);
  base::set_num_threads(0);
  EXPECT_EQ(one.trace.size(), 30'000U);
  EXPECT_EQ(one.dirt, TraceDirt{});
  EXPECT_EQ(one.trace, four.trace);
  for (std::size_t i = 0; i < one.trace.size(); ++i)
    ASSERT_EQ(one.trace.start_ns[i], static_cast<std::int64_t>(i) * (i % 7 == 3 ? 1000 : 10'000));
  // One broken event in the middle of it.
  const std::size_t middle = events.find("{\"ph\"", events.size() / 2);
  const std::size_t at = events.find("\"name\"", middle);
  const TraceRead broken = read(events.substr(0, at) + "\"" + events.substr(at));
  EXPECT_GE(broken.trace.size(), 29'996U);
  EXPECT_GE(broken.dirt.broken_events, 1);
}

TEST(TraceReaderTest, WideIdsKeepTheirValue) {
  const TraceRead r = read(
      R"({"ph":"X","name":"a","pid":0,"tid":0,"ts":0,"dur":0,"args":{"correlation":-5}},
      {"ph":"X","name":"b","pid":0,"tid":0,"ts":0,"dur":0,"args":{"correlation":9223372036854775807}},
      {"ph":"X","name":"c","pid":0,"tid":0,"ts":0,"dur":0,"args":{"correlation":2147483647}},
      {"ph":"X","name":"d","pid":0,"tid":0,"ts":0,"dur":0,"args":{"correlation":-5}})");
  EXPECT_EQ(r.trace.correlation.at(0), -5);
  EXPECT_EQ(r.trace.correlation.at(1), 9223372036854775807);
  EXPECT_EQ(r.trace.correlation.at(2), 2147483647);
  EXPECT_EQ(r.trace.correlation.code(0), r.trace.correlation.code(3));
  EXPECT_EQ(r.trace.correlation.find(-5), r.trace.correlation.code(0));
  EXPECT_EQ(r.trace.correlation.find(17), 18U);
}

// Every trace at hand: nothing is lost on the way out and in again, and the table is small.
TEST(TraceReaderTest, RealTracesAreTheSameTableWhenWrittenAndReadAgain) {
  GL_SHARED_OR_SKIP(shared);
  std::size_t num_traces = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared + "/data/traces")) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".json.gz") || path.ends_with("_et.json.gz")) continue;
    const TraceRead first = read_trace(read_file(path), path);
    EXPECT_EQ(first.dirt.broken_events + first.dirt.bad_arguments + first.dirt.without_time, 0)
        << path;
    const TraceRead again = read_trace(chrome_trace(first.trace), path);
    EXPECT_EQ(first.trace, again.trace) << path;
    ++num_traces;
    const std::size_t all = first.trace.size() + first.trace.flows.size() +
                            static_cast<std::size_t>(first.num_metadata);
    if (first.trace.size() > 2000) {
      EXPECT_LE(first.trace.event_bytes(), 64 * all) << path;
    }
  }
  EXPECT_GE(num_traces, 20U);
}

const std::string kFrame(
    "\x28\xb5\x2f\xfd\x04\x58\x6d\x00\x00\x38\x68\x65\x6c\x6c\x6f\x20"
    "\x0a\x01\x00\xa9\x4b\x11\x1a\x48\x72\xab",
    26);

// A frame with its checksum, of the zstd command: "hello hello hello hello hello\n".
TEST(ZstdTest, FramesAndTheirDamage) {
  const std::string bytes = kFrame;
  const auto code = [](std::string_view text, std::size_t most) -> std::string {
    try {
      unzstd(text, "x", most);
    } catch (const base::DataError& error) {
      return error.code();
    }
    return "";
  };
  ASSERT_TRUE(is_zstd(bytes));
  EXPECT_EQ(unzstd(bytes, "x", 1000), "hello hello hello hello hello\n");
  EXPECT_EQ(unzstd(bytes + bytes, "x", 1000).size(), 60U);
  EXPECT_EQ(code(bytes, 10), "too-large");
  for (std::size_t size = 4; size < bytes.size(); ++size)
    EXPECT_EQ(code(std::string_view(bytes).substr(0, size), 1000), "truncated-zstd") << size;
  std::string wrong = bytes;
  wrong.back() = static_cast<char>(wrong.back() ^ 1);
  EXPECT_EQ(code(wrong, 1000), "bad-zstd");
}

}  // namespace
}  // namespace greenline::io
