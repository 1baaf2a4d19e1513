// Traces to columns beside a walk with simdjson that keeps nothing, in the same run, on the same
// bytes and on one thread each. The traces are those of GREENLINE_SHARED; without it a made one.
// Ratios are printed at the end; parse.py measures json and pandas of Python on the same files.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <simdjson.h>

#include "base/parallel.hpp"
#include "io/file.hpp"
#include "io/trace_reader.hpp"

namespace {

namespace od = simdjson::ondemand;
using Clock = std::chrono::steady_clock;

struct Trace {
  std::string name, text;
};

std::string made_trace() {
  std::string text = "{\"traceEvents\":[";
  for (int i = 0; i < 100'000; ++i)
    text += fmt::format(
        R"({}{{"ph":"X","cat":"kernel","name":"kernel{}","pid":0,"tid":7,"ts":{}.125,"dur":3.5,"args":{{"External id":{},"device":0,"stream":7,"correlation":{}}}}})",
        i > 0 ? ",\n" : "", i % 200, 10 * i, i, i);
  return text + "]}";
}

// The four largest.
const std::vector<Trace>& traces() {
  static const std::vector<Trace> all = [] {
    std::vector<Trace> found;
    const char* shared = std::getenv("GREENLINE_SHARED");
    if (shared == nullptr) return std::vector<Trace>{{"made", made_trace()}};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(shared) / "data/traces"))
      if (const std::string path = entry.path().string();
          path.ends_with(".json.gz") && entry.file_size() > 700'000)
        found.push_back({entry.path().filename().string(), greenline::io::read_file(path)});
    std::sort(found.begin(), found.end(),
              [](const Trace& a, const Trace& b) { return a.text.size() > b.text.size(); });
    found.resize(std::min<std::size_t>(found.size(), 4));
    return found;
  }();
  return all;
}

// Every event, every member, every argument: its first byte and its length.
std::size_t walk(od::parser& parser, const simdjson::padded_string& text) {
  std::size_t sum = 0;
  auto document = parser.iterate(text);
  for (auto event : document["traceEvents"])
    for (auto field : event.get_object()) {
      od::field member;
      if (std::move(field).get(member) != simdjson::SUCCESS) return 0;
      sum += static_cast<unsigned char>(member.key().raw()[0]);
      od::value value = member.value();
      if (value.raw_json_token()[0] != '{') {
        sum += value.raw_json_token().size();
        continue;
      }
      for (auto argument : value.get_object()) {
        od::field inner;
        if (std::move(argument).get(inner) != simdjson::SUCCESS) return 0;
        sum += static_cast<unsigned char>(inner.key().raw()[0]) +
               inner.value().raw_json_token().size();
      }
    }
  return sum;
}

template <class F>
double best_seconds(F f) {
  constexpr int kRounds = 7;
  double best = 1e9;
  for (int i = 0; i < kRounds; ++i) {
    const auto start = Clock::now();
    f();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

void parse(benchmark::State& state) {
  greenline::base::set_num_threads(1);
  for (auto _ : state)
    for (const Trace& trace : traces()) {
      const simdjson::padded_string padded(trace.text);
      // A file is read once, so both begin without memory; `warm` has it all from the rounds
      // before.
      od::parser parser;
      const double warm = best_seconds([&] { benchmark::DoNotOptimize(walk(parser, padded)); });
      const double bare = best_seconds([&] {
        od::parser fresh;
        benchmark::DoNotOptimize(walk(fresh, padded));
      });
      greenline::io::TraceRead read;
      const double ours =
          best_seconds([&] { read = greenline::io::read_trace(trace.text, trace.name); });
      const std::size_t events =
          read.trace.size() + read.trace.flows.size() + static_cast<std::size_t>(read.num_metadata);
      const double megabytes = static_cast<double>(trace.text.size()) / 1e6;
      std::printf(
          "%-50s %6.1f MB  walk %5.0f MB/s (warm %5.0f)  parse %5.0f MB/s  ratio %.2f (%.2f)  %.1f "
          "bytes/event\n",
          trace.name.c_str(), megabytes, megabytes / bare, megabytes / warm, megabytes / ours,
          bare / ours, warm / ours,
          static_cast<double>(read.trace.event_bytes()) / static_cast<double>(events));
    }
  greenline::base::set_num_threads(0);
}
BENCHMARK(parse)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
