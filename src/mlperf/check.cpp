#include "mlperf/check.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "catalog/catalog.hpp"
#include "io/digest.hpp"
#include "io/file.hpp"
#include "mlperf/check_rules.hpp"

namespace greenline::mlperf {
namespace {

namespace fs = std::filesystem;

// Names of the files or folders of a folder, sorted. A link to a folder is not followed.
std::vector<std::string> names_in(const fs::path& folder, bool folders) {
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::error_code unknown;
    const bool is_folder = entry->is_directory(unknown) && !entry->is_symlink(unknown);
    if (is_folder == folders) names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_result(const std::string& name) {
  return name.starts_with("result_") && name.ends_with(".txt");
}

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct Target {
  std::string folder;
  Kind kind = Kind::automatic;  // automatic: neither session nor result
};

Kind kind_of(const fs::path& folder) {
  const auto folders = names_in(folder, true), files = names_in(folder, false);
  const bool has_power = holds(folders, "power");
  if (has_power && std::any_of(files.begin(), files.end(), is_result)) return Kind::training;
  const bool has_run = holds(folders, "run_1") || holds(folders, "ranging");
  const auto power = has_power ? names_in(folder / "power", false) : std::vector<std::string>();
  if (holds(power, "client.json") || holds(power, "server.json")) return Kind::inference;
  const auto run = has_run ? names_in(folder / "run_1", false) : std::vector<std::string>();
  if (has_run && (has_power || holds(run, "spl.txt"))) return Kind::inference;
  return Kind::automatic;
}

void search(const fs::path& folder, int depth, std::vector<Target>& targets) {
  constexpr int kDeepest = 64;
  const Kind kind = kind_of(folder);
  if (kind != Kind::automatic) {
    targets.push_back({folder.string(), kind});
    return;
  }
  if (depth == kDeepest) return;
  for (const std::string& name : names_in(folder, true)) search(folder / name, depth + 1, targets);
}

std::vector<Target> find_targets(const std::string& given) {
  std::error_code failure;
  if (!fs::is_directory(given, failure))
    throw base::UserError("no-such-folder", fmt::format("{} is no folder", base::quoted(given)),
                          "expected a session, a training result or a tree of submissions");
  fs::path folder = fs::absolute(given).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  const std::string name = folder.filename().string();
  if ((name == "run_1" || name == "ranging" || name == "power") &&
      kind_of(folder.parent_path()) == Kind::inference)
    folder = folder.parent_path();
  std::vector<Target> targets;
  search(folder, 0, targets);
  if (targets.empty())
    throw base::UserError(
        "no-session", fmt::format("{} holds no power session", base::quoted(given)),
        "expected power/server.json beside run_1/ and ranging/, or result_*.txt beside power/");
  std::sort(targets.begin(), targets.end(),
            [](const Target& a, const Target& b) { return a.folder < b.folder; });
  return targets;
}

template <class Parse>
auto read_part(const std::string& folder, std::string file, base::Journal* journal, Parse parse)
    -> Part<decltype(parse(std::string_view(), std::string()))> {
  Part<decltype(parse(std::string_view(), std::string()))> part;
  part.file = std::move(file);
  const std::string path = folder + "/" + part.file;
  try {
    part.value = parse(io::read_file(path, journal), path);
  } catch (const base::DataError& e) {
    part.failure = e;
  } catch (const base::UserError& e) {
    if (e.code() != "no-such-file")
      part.failure = base::DataError(e.code(), e.message(), e.hint(), {path, 0, 0});
  }
  return part;
}

Hashes hashes_of(const std::string& folder) {
  Hashes hashes;
  const auto add = [&](const std::string& below) {
    const fs::path inner = fs::path(folder) / below;
    for (const std::string& name : names_in(inner, false)) {
      const std::string file = below.empty() ? name : below + "/" + name;
      // The bytes as they are stored: io::read_file inflates.
      std::ifstream stream(inner / name, std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
      hashes.emplace(file, io::sha1(bytes));
    }
  };
  add("");
  for (const std::string& name : names_in(folder, true)) add(name);
  return hashes;
}

InferenceEvidence inference_evidence(const std::string& folder, CheckRound round,
                                     const RoundFacts& facts, const CheckRequest& request) {
  const auto read = [&](const char* file, auto parse) {
    return read_part(folder, file, request.settings.journal.get(), parse);
  };
  const auto session = [](std::string_view text, const std::string& name) {
    return parse_session_file(text, name);
  };
  const auto loadgen = [](std::string_view text, const std::string& name) {
    return parse_loadgen(text, name);
  };
  const auto spl = [](std::string_view text, const std::string& name) {
    return parse_spl(text, name);
  };
  const auto ptd = [](std::string_view text, const std::string&) { return parse_ptd_log(text); };
  InferenceEvidence x;
  x.folder = folder;
  x.round = round;
  x.compat = request.compat;
  x.facts = facts;
  x.client = read("power/client.json", session);
  x.server = read("power/server.json", session);
  x.ranging_log = read("ranging/mlperf_log_detail.txt", loadgen);
  x.testing_log = read("run_1/mlperf_log_detail.txt", loadgen);
  x.ranging_spl = read("ranging/spl.txt", spl);
  x.testing_spl = read("run_1/spl.txt", spl);
  x.ptd_log = read("power/ptd_logs.txt", ptd);
  x.hashes = hashes_of(folder);
  return x;
}

TrainingEvidence training_evidence(const std::string& folder, base::Journal* journal) {
  TrainingEvidence x;
  x.folder = folder;
  for (const std::string& name : names_in(folder, false))
    if (is_result(name)) x.results.push_back(name);
  x.directories = names_in(fs::path(folder) / "power", true);
  for (const std::string& directory : x.directories)
    for (const std::string& name : names_in(fs::path(folder) / "power" / directory, false)) {
      if (!(name.starts_with("node_") || name.starts_with("sw_")) || !name.ends_with(".txt"))
        continue;
      x.logs.push_back({directory, name,
                        read_part(folder, fmt::format("power/{}/{}", directory, name), journal,
                                  [](std::string_view text, const std::string& file) {
                                    return parse_power_log(text, file);
                                  })});
    }
  return x;
}

// "inference_v1.1" among the folders of the path.
CheckRound round_of_path(const std::string& folder) {
  const std::string round = names_of_path(folder).round.text();
  for (const base::EnumName& n : enum_names(CheckRound::automatic))
    if (round == n.name) return static_cast<CheckRound>(n.value);
  return CheckRound::current;
}

}  // namespace

std::span<const base::EnumName> enum_names(CheckRound) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(CheckRound::automatic), "auto", "that of a folder's name, else current"},
      {static_cast<int>(CheckRound::v1_1), "v1.1", "PTD 1.9.1 and 1.9.2"},
      {static_cast<int>(CheckRound::v3_0), "v3.0", "PTD 1.10.0"},
      {static_cast<int>(CheckRound::current), "current", "PTD 1.11.1"}};
  return kNames;
}

std::span<const base::EnumName> enum_names(Compatibility) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Compatibility::none), "none", "the rules as they are written"},
      {static_cast<int>(Compatibility::mlcommons), "mlcommons",
       "the rules as the checker of MLCommons applies them, with its defects"}};
  return kNames;
}

std::span<const base::EnumName> enum_names(VerdictStatus) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(VerdictStatus::pass), "pass", ""},
      {static_cast<int>(VerdictStatus::warning), "warning", ""},
      {static_cast<int>(VerdictStatus::fail), "fail", ""},
      {static_cast<int>(VerdictStatus::not_checked), "not_checked", ""}};
  return kNames;
}

std::size_t CheckedSession::num(VerdictStatus status) const {
  return static_cast<std::size_t>(std::count_if(
      verdicts.begin(), verdicts.end(), [&](const Verdict& v) { return v.status == status; }));
}

bool CheckResult::is_passed() const {
  return std::all_of(sessions.begin(), sessions.end(),
                     [](const CheckedSession& s) { return s.is_passed(); });
}

CheckResult check(const CheckRequest& request, base::Progress&) {
  const std::vector<Target> targets = find_targets(request.folder);
  const catalog::Catalog facts(request.settings);
  std::map<CheckRound, RoundFacts> by_round;
  CheckResult result;
  result.folder = request.folder;
  result.compat = request.compat;
  for (const Target& target : targets) {
    CheckedSession session;
    session.path = target.folder;
    session.kind = target.kind;
    session.round =
        request.round == CheckRound::automatic ? round_of_path(target.folder) : request.round;
    if (by_round.find(session.round) == by_round.end())
      by_round.emplace(session.round, round_facts(facts, session.round));
    result.sessions.push_back(std::move(session));
  }
  base::Journal* journal = request.settings.journal.get();
  base::parallel_for(result.sessions.size(), [&](std::size_t i) {
    CheckedSession& s = result.sessions[i];
    s.verdicts =
        s.kind == Kind::training
            ? judge_training(training_evidence(s.path, journal), s.round)
            : judge_inference(inference_evidence(s.path, s.round, by_round.at(s.round), request));
  });
  return result;
}

}  // namespace greenline::mlperf
