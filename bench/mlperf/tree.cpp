// A whole tree of MLPerf sessions: `mlperf score` beside a plain Python pass over the same logs
// (plain.py), in the same run. The tree is $GREENLINE_SHARED/data/power, or a made one where that
// is not set. Compare times_python.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "base/parallel.hpp"
#include "mlperf/score_tree.hpp"
#include "mlperf/sessions.hpp"

namespace {

namespace fs = std::filesystem;
using namespace greenline;

// 60 runs of 800 samples, logs as long as those of a real run.
void write_sessions(const fs::path& tree) {
  for (int session = 0; session < 60; ++session) {
    const fs::path run = tree / ("closed/Made/results/system_" + std::to_string(session)) /
                         "resnet50/Offline/performance/run_1";
    fs::create_directories(run);
    std::ofstream detail(run / "mlperf_log_detail.txt"), spl(run / "spl.txt");
    for (int i = 0; i < 130; ++i)
      detail << ":::MLLOG {\"key\": \"requested_" << i << "\", \"value\": " << i
             << ", \"time_ms\": 0.1, \"namespace\": \"mlperf::logging\", \"event_type\": "
                "\"POINT_IN_TIME\", \"metadata\": {\"is_error\": false, \"line_no\": 1}}\n";
    for (const char* entry : {"power_begin\", \"value\": \"08-04-2021 11:00:30.500\"",
                              "power_end\", \"value\": \"08-04-2021 11:12:30.500\"",
                              "effective_scenario\", \"value\": \"Offline\""})
      detail << ":::MLLOG {\"key\": \"" << entry << ", \"time_ms\": 1}\n";
    for (int i = 0; i < 800; ++i) {
      char line[256];
      std::snprintf(line, sizeof line,
                    "Time,08-04-2021 11:%02d:%02d.%03d,Watts,%d.250000,Volts,120.500000,"
                    "Amps,0.170840,PF,0.396000,Mark,2021-08-04_04-27-59_testing\n",
                    i / 60, i % 60, i % 7, 200 + i % 90);
      spl << line;
    }
  }
}

const std::string& tree() {
  static const std::string folder = [] {
    const char* shared = std::getenv("GREENLINE_SHARED");
    if (shared != nullptr) return std::string(shared) + "/data/power";
    const fs::path made =
        fs::temp_directory_path() / ("greenline_bench_mlperf_" + std::to_string(getpid()));
    write_sessions(made);
    static const struct Remover {
      fs::path path;
      ~Remover() { fs::remove_all(path); }
    } remover{made};
    return made.string();
  }();
  return folder;
}

struct PythonPass {
  double seconds = 0, sum = 0;
};

// Measured once, in this run.
const PythonPass& python() {
  static const PythonPass pass = [] {
    const std::string command =
        "python3 '" GREENLINE_BENCH "/mlperf/plain.py' --passes 3 '" + tree() + "'";
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("python3 does not start");
    PythonPass p;
    int sessions = 0;
    char line[4096] = {};
    const bool has_line = std::fgets(line, sizeof line, pipe) != nullptr;
    const int read = std::sscanf(line, "{\"seconds\": %lf, \"sessions\": %d, \"sum\": %lf}",
                                 &p.seconds, &sessions, &p.sum);
    if (pclose(pipe) != 0 || !has_line || read != 3)
      throw std::runtime_error("bench/mlperf/plain.py failed");
    return p;
  }();
  return pass;
}

void compare(benchmark::State& state, double sum, std::chrono::steady_clock::duration passed) {
  const double seconds =
      std::chrono::duration<double>(passed).count() / static_cast<double>(state.iterations());
  if (std::fabs(sum - python().sum) > 1e-9 * python().sum)
    state.SkipWithError("the metrics are not those of plain.py");
  state.counters["python_ms"] = python().seconds * 1000;
  state.counters["times_python"] = python().seconds / seconds;
}

// All that the verb does: hashes of the inputs, the catalogue and intervals too.
void whole_verb(benchmark::State& state) {
  base::set_num_threads(static_cast<int>(state.range(0)));
  double sum = 0;
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) {
    mlperf::ScoreRequest request;
    request.folder = tree();
    sum = 0;
    for (const auto& session : mlperf::score(request).sessions) sum += session.score.metric;
  }
  compare(state, sum, std::chrono::steady_clock::now() - start);
  base::set_num_threads(0);
}

// Reading and scoring alone, as the Python does.
void scores_only(benchmark::State& state) {
  base::set_num_threads(static_cast<int>(state.range(0)));
  double sum = 0;
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) {
    const std::vector<mlperf::Session> found = mlperf::find_sessions(tree());
    std::vector<double> metrics(found.size());
    base::parallel_for(found.size(), [&](std::size_t i) {
      metrics[i] = mlperf::score_session(found[i], {}).metric;
    });
    sum = 0;
    for (const double metric : metrics) sum += metric;
  }
  compare(state, sum, std::chrono::steady_clock::now() - start);
  base::set_num_threads(0);
}

BENCHMARK(whole_verb)->Arg(1)->Arg(0)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(scores_only)->Arg(1)->Arg(0)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
