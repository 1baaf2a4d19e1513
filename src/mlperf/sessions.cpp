#include "mlperf/sessions.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "io/file.hpp"
#include "io/json.hpp"
#include "mlperf/inference.hpp"
#include "mlperf/tiny.hpp"
#include "mlperf/training.hpp"

namespace greenline::mlperf {
namespace {

namespace fs = std::filesystem;

constexpr const char *kSpl = "spl.txt", *kDetail = "mlperf_log_detail.txt";
constexpr const char *kTrace = "trace1-energy.bin", *kTimestamps = "trace1-timestamps.json";

std::string absolute(const std::string& folder) {
  std::string path = fs::absolute(folder).lexically_normal().string();
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

bool is_there(const fs::path& path) {
  std::error_code failure;
  return fs::exists(path, failure);
}

bool is_result_file(const std::string& name) {
  return name.starts_with("result_") && name.ends_with(".txt");
}

// Names of the files of a folder and of its folders, sorted.
struct Listing {
  std::vector<std::string> files, folders;
  bool has(std::string_view file) const {
    return std::find(files.begin(), files.end(), file) != files.end();
  }
  bool has_folder(std::string_view folder) const {
    return std::find(folders.begin(), folders.end(), folder) != folders.end();
  }
};

Listing list(const fs::path& folder) {
  Listing listing;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::error_code unknown;  // a link is followed to a file, never into a folder
    const bool is_folder = entry->is_directory(unknown) && !entry->is_symlink(unknown);
    (is_folder ? listing.folders : listing.files).push_back(entry->path().filename().string());
  }
  std::sort(listing.files.begin(), listing.files.end());
  std::sort(listing.folders.begin(), listing.folders.end());
  return listing;
}

Kind kind_of(const fs::path& folder, const Listing& listing) {
  if (listing.has(kTrace) || listing.has(kTimestamps)) return Kind::tiny;
  if (listing.has(kSpl)) return Kind::inference;
  if (listing.has(kDetail) && is_there(folder.parent_path() / "power" / "server.json"))
    return Kind::inference;
  if (listing.has_folder("power") &&
      std::any_of(listing.files.begin(), listing.files.end(), is_result_file))
    return Kind::training;
  return Kind::automatic;
}

void search(const fs::path& folder, Kind only, int depth, std::vector<Session>& sessions) {
  constexpr int kDeepest = 64;
  const Listing listing = list(folder);
  const Kind kind = kind_of(folder, listing);
  if (kind != Kind::automatic && (only == Kind::automatic || only == kind))
    sessions.push_back({kind, folder.string()});
  if (kind == Kind::training || depth == kDeepest) return;
  for (const std::string& name : listing.folders)
    if (name != "ranging") search(folder / name, only, depth + 1, sessions);
}

Score score_inference(const std::string& folder, const ScoreOptions& options,
                      base::Journal* journal) {
  const auto file = [&](const char* name) { return folder + "/" + name; };
  const LoadgenLog log = parse_loadgen(io::read_file(file(kDetail), journal), file(kDetail));
  const SplTrace trace = parse_spl(io::read_file(file(kSpl), journal), file(kSpl));
  Scenario scenario = options.scenario;
  std::string notice;
  if (scenario == Scenario::automatic)
    if (const auto named = directory_scenario(folder)) scenario = *named;
  if (scenario == Scenario::automatic) {
    const auto effective = scenario_named(log.text("effective_scenario"));
    if (!effective)
      throw base::DataError("missing-key", "neither folder nor log name a scenario",
                            "give --scenario", {file(kDetail), 0, 0});
    scenario = *effective;
    notice = fmt::format("no folder names a scenario: the {} of the log is taken",
                         scenario_name(scenario));
  }
  Score score = inference_score(log, trace, scenario, options);
  if (!notice.empty()) score.notices.push_back(std::move(notice));
  if (fs::path(folder).filename() == "ranging")
    score.notices.push_back("this is the ranging run: it sets the analyzer and is no result");
  return score;
}

// "node_3.txt" is number 3 of "node_"; nothing for other names.
bool is_power_log(const std::string& name, std::string_view prefix) {
  return name.starts_with(prefix) && name.ends_with(".txt");
}

TrainingRun read_run(const fs::path& folder, const std::string& result, base::Time shift,
                     std::string& benchmark, base::Journal* journal) {
  const std::string name = result.substr(0, result.size() - 4);
  const std::string file = (folder / result).string();
  const RunLog run = parse_run_log(io::read_file(file, journal), file);
  const fs::path power = folder / "power" / name;
  std::vector<PowerLog> nodes, switches;
  for (const std::string& log : list(power).files)
    for (auto [prefix, logs] : {std::pair{"node_", &nodes}, std::pair{"sw_", &switches}})
      if (is_power_log(log, prefix)) {
        const std::string path = (power / log).string();
        logs->push_back(parse_power_log(io::read_file(path, journal), path));
      }
  if (nodes.empty())
    throw base::DataError("no-readings", fmt::format("{} has no power log of a node", name),
                          "expected node_0.txt and so on", {power.string(), 0, 0});
  TrainingRun x = training_run(run, nodes, switches, shift);
  x.name = name;
  benchmark = run.benchmark;
  return x;
}

// {"scaling_factor": 1.0347}, the factor of reference convergence points.
std::optional<double> scaling_factor(const fs::path& folder, base::Journal* journal) {
  const std::string file = (folder / "scaling.json").string();
  if (!is_there(file)) return std::nullopt;
  const io::Value value = io::parse_json(io::read_file(file, journal), file);
  const io::Value* factor = value.find("scaling_factor");
  if (factor == nullptr || !factor->is_number() || !(factor->as_double() > 0))
    throw base::DataError("bad-scaling", "expected an object with a scaling_factor above 0", "",
                          factor == nullptr ? base::Location{file, 0, 0} : factor->where());
  return factor->as_double();
}

Score score_training(const std::string& folder, const ScoreOptions& options,
                     base::Journal* journal) {
  std::vector<std::string> results;
  for (const std::string& name : list(folder).files)
    if (is_result_file(name)) results.push_back(name);
  std::vector<TrainingRun> runs(results.size());
  std::vector<std::string> benchmarks(results.size());
  base::parallel_for(results.size(), [&](std::size_t i) {
    runs[i] = read_run(folder, results[i], options.trace_shift, benchmarks[i], journal);
  });
  std::string benchmark = benchmarks.empty() ? "" : benchmarks.front();
  if (benchmark.empty()) benchmark = fs::path(folder).filename().string();
  return training_score(std::move(runs), benchmark, scaling_factor(folder, journal), folder);
}

Score score_tiny(const std::string& folder, base::Journal* journal) {
  const auto read = [&](const char* name, auto parse) {
    const std::string file = folder + "/" + name;
    return parse(io::read_file(file, journal), file);
  };
  const EnergyTrace trace = read(kTrace, [](const std::string& text, const std::string& file) {
    return parse_energy_trace(text, file);
  });
  const std::vector<double> timestamps =
      read(kTimestamps, [](const std::string& text, const std::string& file) {
        return parse_timestamps(text, file);
      });
  const TinyLog log = read(
      "log.txt", [](const std::string& text, const std::string&) { return parse_tiny_log(text); });
  Score score = tiny_score(trace, timestamps, log);
  // …/<submitter>/<system>/<benchmark>/energy: a tree without a folder "results".
  const fs::path bench = fs::path(folder).parent_path();
  if (fs::path(folder).filename() == "energy") {
    score.benchmark = bench.filename().string();
    score.system = bench.parent_path().filename().string();
  }
  return score;
}

}  // namespace

std::vector<Session> find_sessions(const std::string& folder, Kind only) {
  std::error_code failure;
  if (!fs::is_directory(folder, failure))
    throw base::UserError("no-such-folder", fmt::format("{} is no folder", base::quoted(folder)),
                          "expected a run, a scenario or a tree of submissions");
  std::vector<Session> sessions;
  search(absolute(folder), only, 0, sessions);
  if (sessions.empty())
    throw base::UserError(
        "no-session", fmt::format("{} holds no power session", base::quoted(folder)),
        "expected spl.txt beside mlperf_log_detail.txt, result_*.txt beside power/, or "
        "trace1-energy.bin");
  std::sort(sessions.begin(), sessions.end(),
            [](const Session& a, const Session& b) { return a.folder < b.folder; });
  return sessions;
}

Score score_session(const Session& session, const ScoreOptions& options, base::Journal* journal) {
  const PathNames names = names_of_path(session.folder);
  ScoreOptions with_round = options;
  if (!options.round.is_known()) with_round.round = names.round;
  Score score =
      session.kind == Kind::inference  ? score_inference(session.folder, with_round, journal)
      : session.kind == Kind::training ? score_training(session.folder, with_round, journal)
                                       : score_tiny(session.folder, journal);
  score.path = session.folder;
  score.round = with_round.round;
  score.submitter = names.submitter;
  if (score.system.empty()) score.system = names.system;
  if (score.benchmark.empty() || session.kind == Kind::inference) score.benchmark = names.benchmark;
  return score;
}

}  // namespace greenline::mlperf
