// Rules on the package of a training result, and on the files of a submission.
#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "mlperf/check_rules.hpp"
#include "mlperf/log_text.hpp"

namespace greenline::mlperf {
namespace {

namespace fs = std::filesystem;
using Log = TrainingEvidence::Log;

std::string stem(const std::string& result) { return result.substr(0, result.size() - 4); }

// "node_3.txt" is 3 of "node_"; nothing for other names, and for "node_03.txt".
std::optional<std::int64_t> number_of(const std::string& name, std::string_view prefix) {
  if (!name.starts_with(prefix) || !name.ends_with(".txt")) return std::nullopt;
  const std::string digits = name.substr(prefix.size(), name.size() - prefix.size() - 4);
  const auto number = integer(digits);
  return number && *number >= 0 && fmt::format("{}", *number) == digits ? number : std::nullopt;
}

std::size_t num_logs(const TrainingEvidence& x, const std::string& directory,
                     std::string_view prefix) {
  return static_cast<std::size_t>(std::count_if(x.logs.begin(), x.logs.end(), [&](const Log& l) {
    return l.directory == directory && l.name.starts_with(prefix);
  }));
}

void power_directories(const TrainingEvidence& x, Findings& f) {
  std::set<std::string> wanted;
  for (const std::string& result : x.results) wanted.insert(stem(result));
  const std::set<std::string> there(x.directories.begin(), x.directories.end());
  for (const std::string& name : wanted)
    if (there.find(name) == there.end())
      f.fail({"power/" + name, 0}, "a folder of power logs for " + name + ".txt", "none",
             "add the power logs of the run");
  for (const std::string& name : there)
    if (wanted.find(name) == wanted.end())
      f.fail({"power/" + name, 0}, "a result " + name + ".txt", "none",
             "add the result, or remove the folder");
}

void contiguous_logs(const TrainingEvidence& x, Findings& f) {
  for (const std::string& directory : x.directories)
    for (const char* prefix : {"node_", "sw_"}) {
      std::set<std::int64_t> numbers;
      for (const Log& log : x.logs) {
        if (log.directory != directory || !log.name.starts_with(prefix)) continue;
        if (const auto number = number_of(log.name, prefix))
          numbers.insert(*number);
        else
          f.fail({log.log.file, 0}, fmt::format("{}K.txt with K from 0", prefix),
                 base::quoted(log.name), "rename the log");
      }
      std::int64_t next = 0;
      while (numbers.find(next) != numbers.end()) ++next;
      const bool is_short = static_cast<std::size_t>(next) < numbers.size();
      if (is_short || (numbers.empty() && prefix == std::string_view("node_")))
        f.fail({fmt::format("power/{}/{}{}.txt", directory, prefix, next), 0},
               "logs numbered from 0 without a gap",
               numbers.empty() ? std::string("no log")
                               : fmt::format("{} logs from {} to {}", numbers.size(),
                                             *numbers.begin(), *numbers.rbegin()),
               "add or renumber the logs");
    }
}

void equal_logs(const TrainingEvidence& x, Findings& f) {
  if (x.directories.empty()) throw NotChecked{"there is no power log"};
  for (const char* prefix : {"node_", "sw_"}) {
    const std::size_t first = num_logs(x, x.directories.front(), prefix);
    for (const std::string& directory : x.directories)
      if (const std::size_t num = num_logs(x, directory, prefix); num != first)
        f.fail({"power/" + directory, 0},
               fmt::format("{} logs {}K.txt as in {}", first, prefix, x.directories.front()),
               fmt::format("{}", num), "log every node and switch in every run");
  }
}

void readable_logs(const TrainingEvidence& x, Findings& f) {
  for (const Log& log : x.logs) {
    if (log.log.failure) {
      const base::DataError& e = *log.log.failure;
      f.fail({log.log.file, static_cast<std::uint32_t>(e.where().line)}, "a power log", e.message(),
             "restore the file as it was measured");
      continue;
    }
    if (!log.log.value) continue;
    const PowerLog& power = *log.log.value;
    if (power.num_invalid > 0)
      f.fail({log.log.file, 0}, "readings that are numbers of at least 0 W",
             fmt::format("{} others", power.num_invalid), "look at the meter and measure again");
    if (power.num_malformed > 0)
      f.fail({log.log.file, 0}, "whole lines", fmt::format("{} malformed", power.num_malformed),
             "restore the file as it was measured");
    if (log.name.starts_with("sw_") && !power.interconnect_watts && power.readings.empty())
      f.fail({log.log.file, 0}, "interconnect_power_est or readings", "neither",
             "log the power of the switch");
  }
}

void stop_behind_start(const TrainingEvidence& x, Findings& f) {
  for (const Log& log : x.logs)
    if (log.log.value && log.log.value->start_ns && log.log.value->stop_ns &&
        *log.log.value->stop_ns <= *log.log.value->start_ns)
      f.warn({log.log.file, 0}, "power_measurement_stop after power_measurement_start",
             "no later: the last reading stands for it", "log the time of the stop");
}

std::vector<const Log*> node_logs(const TrainingEvidence& x) {
  std::vector<const Log*> logs;
  for (const Log& log : x.logs)
    if (log.name.starts_with("node_") && log.log.value) logs.push_back(&log);
  if (logs.empty()) throw NotChecked{"no node log can be read"};
  return logs;
}

void sampling_rate(const TrainingEvidence& x, Findings& f) {
  for (const Log* log : node_logs(x)) {
    const auto& readings = log->log.value->readings;
    if (readings.size() < 2) continue;
    std::size_t longest = 1;
    const auto gap = [&](std::size_t i) { return readings[i].time_ns - readings[i - 1].time_ns; };
    for (std::size_t i = 2; i < readings.size(); ++i)
      if (gap(i) > gap(longest)) longest = i;
    const double mean = static_cast<double>(readings.back().time_ns - readings.front().time_ns) /
                        static_cast<double>(readings.size() - 1) / 1e9;
    const double worst = static_cast<double>(gap(longest)) / 1e9;
    if (mean > kLongestMeanPeriod || worst > kLongestGap)
      f.fail({log->log.file, log->log.value->lines[longest]}, "a reading each second",
             fmt::format("one every {:.3f} s, none for {:.3f} s", mean, worst),
             "measure again with a reading each second");
  }
}

void num_readings(const TrainingEvidence& x, Findings& f) {
  for (const Log* log : node_logs(x))
    if (const std::size_t num = log->log.value->readings.size(); num < kFewestSamples)
      f.fail({log->log.file, 0}, fmt::format("at least {} readings", kFewestSamples),
             fmt::format("{}", num), "log for at least a minute");
}

bool has_file(const fs::path& folder, std::string_view prefix) {
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure))
    if (entry->path().filename().string().starts_with(prefix)) return true;
  return false;
}

}  // namespace

// …/<submitter>/results/<system>/… has …/<submitter>/measurements/<system>/… beside it, and the
// files stand in any of the folders there.
void check_submission_files(const std::string& folder, Findings& f) {
  std::vector<std::string> below;  // of results, the deepest first
  fs::path path = folder;
  while (path.has_relative_path() && path.filename() != "results") {
    below.push_back(path.filename().string());
    path = path.parent_path();
  }
  const fs::path root = path.parent_path() / "measurements";
  std::error_code failure;
  if (path.filename() != "results" || !fs::is_directory(root, failure))
    throw NotChecked{"there is no folder measurements beside results"};
  for (const char* name : {"analyzer_table.", "power_settings."}) {
    fs::path at = root;
    bool is_there = has_file(at, name);
    for (auto part = below.rbegin(); part != below.rend() && !is_there; ++part)
      is_there = has_file(at /= *part, name);
    if (!is_there)
      f.fail({}, fmt::format("a file {}* in {}", name, root.string()), "none",
             "describe the analyzer and its settings there");
  }
}

namespace {
void submission_files(const TrainingEvidence& x, Findings& f) {
  check_submission_files(x.folder, f);
}
}  // namespace

std::span<const Rule<TrainingEvidence>> training_rules() {
  using enum CheckRound;
  static constexpr Rule<TrainingEvidence> kRules[] = {
      {"power_directories_check", "each result has power logs", true, v1_1, power_directories},
      {"power_logs_check", "node and switch logs are numbered from 0", true, v1_1, contiguous_logs},
      {"equal_power_logs_check", "all runs have as many node and switch logs", true, v1_1,
       equal_logs},
      {"readable_power_logs_check", "power logs can be read", false, v1_1, readable_logs},
      {"stop_check", "logging stops after it starts", false, v1_1, stop_behind_start},
      {"sampling_rate_check", "a reading each second", false, v1_1, sampling_rate},
      {"num_samples_check", "at least 60 readings", false, v1_1, num_readings},
      {"submission_files_check", "analyzer and power settings are described", false, v1_1,
       submission_files}};
  return kRules;
}

}  // namespace greenline::mlperf
