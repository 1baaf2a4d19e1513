// The breakdown of a trace against the obvious one, which looks at every nanosecond, and what must
// not change it.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/parallel.hpp"
#include "io/chrome_trace.hpp"
#include "io/trace_reader.hpp"
#include "trace/breakdown.hpp"

namespace greenline::trace {
namespace {

struct Piece {
  int stream, kind;              // kind: 0 computes, 1 communicates, 2 copies, 3 fills
  std::int64_t start, duration;  // ns
};

std::vector<Piece> any_pieces() {
  std::vector<Piece> pieces;
  const int n = *rc::gen::inRange(1, 25);
  for (int i = 0; i < n; ++i)
    pieces.push_back({*rc::gen::inRange(0, 4), *rc::gen::inRange(0, 4),
                      *rc::gen::inRange<std::int64_t>(1, 300),
                      *rc::gen::inRange<std::int64_t>(0, 90)});
  return pieces;
}

std::string text_of(const std::vector<Piece>& pieces, std::int64_t shift_ns) {
  constexpr const char* kCategories[] = {"kernel", "kernel", "gpu_memcpy", "gpu_memset"};
  constexpr const char* kNames[] = {"gemm", "ncclDevKernel", "Memcpy", "Memset"};
  std::string text = "{\"traceEvents\":[";
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& p = pieces[i];
    const std::int64_t start = p.start + shift_ns;
    text += fmt::format(
        R"({}{{"ph":"X","cat":"{}","name":"{}","pid":0,"tid":{},"ts":{}.{:03},"dur":0.{:03}}})",
        i > 0 ? ",\n" : "", kCategories[p.kind], kNames[p.kind], p.stream, start / 1000,
        start % 1000, p.duration);
  }
  return text + "]}";
}

std::vector<std::int64_t> figures(const RankBreakdown& x) {
  const DeviceTimes& t = x.times;
  std::vector<std::int64_t> out = {
      t.computation,    t.exposed_computation, t.overlapped, t.exposed_communication,
      t.exposed_memcpy, t.exposed_memset,      t.busy,       t.idle,
      t.total};
  for (const KernelRow& k : x.kernels) out.insert(out.end(), {k.number, k.total, k.longest});
  for (const StreamRow& s : x.streams) out.insert(out.end(), {s.number, s.busy});
  return out;
}

RankBreakdown of(const std::string& text) {
  return break_down({}, io::read_trace(text, "test"), Orphans::drop);
}

RC_GTEST_PROP(TraceBreakdown, IsThatOfEveryNanosecond, ()) {
  const std::vector<Piece> pieces = any_pieces();
  std::int64_t first = 1000, last = 0;
  for (const Piece& p : pieces)
    first = std::min(first, p.start), last = std::max(last, p.start + p.duration);
  DeviceTimes t;
  for (std::int64_t ns = first; ns < last; ++ns) {
    bool computes = false, communicates = false, copies = false, fills = false;
    for (const Piece& p : pieces) {
      if (ns < p.start || ns >= p.start + p.duration) continue;
      (p.kind == 1 ? communicates : p.kind == 2 ? copies : p.kind == 3 ? fills : computes) = true;
    }
    t.computation += computes || fills;
    t.exposed_computation += computes && !communicates;
    t.overlapped += computes && communicates;
    t.exposed_communication += communicates && !computes;
    t.exposed_memcpy += copies && !computes && !communicates && !fills;
    t.exposed_memset += fills && !computes && !communicates;
    t.busy += computes || communicates || copies || fills;
    t.idle += !computes && !communicates && !copies && !fills;
    ++t.total;
  }
  RankBreakdown expected;
  expected.times = t;
  const auto got = figures(of(text_of(pieces, 0))), wanted = figures(expected);
  RC_ASSERT(std::vector(got.begin(), got.begin() + 9) == wanted);
}

RC_GTEST_PROP(TraceBreakdown, DoesNotDependOnOrderOrAConstant, ()) {
  std::vector<Piece> pieces = any_pieces();
  const auto expected = figures(of(text_of(pieces, 0)));
  // At the size of an epoch a double of microseconds would lose this nanosecond.
  for (const std::int64_t shift : {std::int64_t{1}, std::int64_t{1'712'867'402'367'683'000},
                                   std::int64_t{1'712'867'402'367'683'001}})
    RC_ASSERT(figures(of(text_of(pieces, shift))) == expected);
  const auto seed = *rc::gen::inRange(1, 1000);
  for (std::size_t i = pieces.size(); i > 1; --i)
    std::swap(pieces[i - 1], pieces[static_cast<std::size_t>(seed) * 7919 % i]);
  RC_ASSERT(figures(of(text_of(pieces, 0))) == expected);
  const std::string written = io::chrome_trace(io::read_trace(text_of(pieces, 0), "test").trace);
  RC_ASSERT(figures(of(written)) == expected);
}

}  // namespace
}  // namespace greenline::trace
