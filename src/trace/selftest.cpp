#include "trace/selftest.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "io/file.hpp"
#include "trace/breakdown.hpp"

namespace greenline::trace {
namespace {

using base::CheckRow;
namespace fs = std::filesystem;

constexpr double kTolerance = 5e-8;  // s

CheckRow row(std::string name, double expected, std::int64_t got_ns, double tolerance,
             std::string source) {
  CheckRow r;
  r.table = "GPU time of a trace";
  r.name = std::move(name);
  r.expected = expected;
  r.got = static_cast<double>(got_ns) / 1e9;
  r.unit = "s";
  r.tolerance = tolerance;
  r.relative = false;
  r.source = std::move(source);
  return r;
}

// Two streams: 0-10 us computes, 5-20 communicates, 18-25 copies, 30-31 fills.
std::vector<CheckRow> by_hand() {
  constexpr const char* kTrace =
      R"({"traceEvents":[
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":0,"dur":10},
{"ph":"X","cat":"kernel","name":"ncclDevKernel","pid":0,"tid":20,"ts":5,"dur":15},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoH","pid":0,"tid":21,"ts":18,"dur":7},
{"ph":"X","cat":"gpu_memset","name":"Memset","pid":0,"tid":7,"ts":30,"dur":1}]})";
  const DeviceTimes t = break_down({}, io::read_trace(kTrace, "by hand"), Orphans::drop).times;
  const auto hand = [](const char* name, double us, std::int64_t got) {
    return row(std::string("by hand: ") + name, us * 1e-6, got, 1e-15, "");
  };
  return {hand("computation", 11, t.computation),
          hand("overlapped", 5, t.overlapped),
          hand("exposed communication", 10, t.exposed_communication),
          hand("exposed copies", 5, t.exposed_memcpy),
          hand("idle", 5, t.idle),
          hand("total", 31, t.total)};
}

std::string csv_of(const std::string& trace) {
  for (const char* end : {".json.gz", ".json.zst", ".json"})
    if (trace.ends_with(end))
      return trace.substr(0, trace.size() - std::string_view(end).size()) + "_csv/gpu_timeline.csv";
  return "";
}

std::vector<std::string> pairs_in(const std::string& path) {
  std::vector<std::string> traces;
  std::error_code failure;
  if (!fs::is_directory(path, failure)) {
    if (!io::is_file(csv_of(path)))
      throw base::UserError("no-oracle", "no gpu_timeline.csv beside this trace",
                            fmt::format("expected {}", base::quoted(csv_of(path))), {path, 0, 0});
    return {path};
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(path, failure)) {
    const std::string csv = csv_of(entry.path().string());
    if (!csv.empty() && io::is_file(csv)) traces.push_back(entry.path().string());
  }
  std::sort(traces.begin(), traces.end());
  if (traces.empty())
    throw base::UserError("no-oracle", "the folder has no trace with a gpu_timeline.csv",
                          "expected X.json.gz and X_csv/gpu_timeline.csv", {path, 0, 0});
  return traces;
}

void compare(const std::string& trace, base::Journal& journal, std::vector<CheckRow>& rows) {
  BreakdownRequest request;
  request.files = {trace};
  const DeviceTimes t = breakdown(request).ranks.front().times;
  const std::string csv = csv_of(trace);
  const io::CsvTable table = io::parse_csv(io::read_file(csv, &journal), csv);
  const std::vector<double> milliseconds = table.numbers("time ms");
  const std::pair<const char*, std::int64_t> kOurs[] = {
      {"computation_time", t.computation},
      {"exposed_comm_time", t.exposed_communication},
      {"exposed_memcpy_time", t.exposed_memcpy},
      {"busy_time", t.busy},
      {"idle_time", t.idle},
      {"total_time", t.total},
  };
  const std::string name = fs::path(trace).filename().string();
  for (std::size_t i = 0; i < table.num_rows(); ++i)
    for (const auto& [key, ours] : kOurs)
      if (table.cell(i, table.column("type")) == key)
        rows.push_back(row(fmt::format("{}: {}", name, key), milliseconds[i] / 1e3, ours,
                           kTolerance, "tracelens2026"));
}

}  // namespace

std::vector<CheckRow> selftest(const base::SelftestRequest& request, base::Progress& progress) {
  std::vector<std::string> folders = request.oracles;
  std::vector<CheckRow> rows;
  if (folders.empty()) {
    rows = by_hand();
    const std::string shared = request.root + "/data/traces/tracelens";
    std::error_code failure;
    if (!request.root.empty() && fs::is_directory(shared, failure))
      folders.push_back(shared);
    else
      request.settings.journal->notice(
          "rows on real traces are left out: --root and GREENLINE_SHARED name no folder with "
          "data/traces/tracelens");
  }
  std::vector<std::string> traces;
  for (const std::string& folder : folders)
    for (std::string& trace : pairs_in(folder)) traces.push_back(std::move(trace));
  progress.stage("traces", traces.size());
  for (const std::string& trace : traces) {
    compare(trace, *request.settings.journal, rows);
    progress.advance();
  }
  return rows;
}

}  // namespace greenline::trace
