// A real session passes; each single fault in a copy of it fails by the rule that it breaks.
#include "mlperf/check.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "io/digest.hpp"
#include "mlperf/check_rules.hpp"
#include "mlperf/session_file.hpp"
#include "shared_data.hpp"

namespace greenline::mlperf {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSession =
    "/data/power/inference_v1.1/closed/NVIDIA/results/AGX_Xavier_TRT_MaxQ/resnet50/SingleStream/"
    "performance";
constexpr const char *kClient = "power/client.json", *kServer = "power/server.json";
constexpr const char *kPtd = "power/ptd_logs.txt", *kSpl = "run_1/spl.txt";
constexpr const char *kDetail = "run_1/mlperf_log_detail.txt",
                     *kRangingDetail = "ranging/mlperf_log_detail.txt";

using Files = std::map<std::string, std::string>;  // of a session, by relative path

Files read_session(const std::string& folder) {
  Files files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    files[fs::relative(entry.path(), folder).string()] = {std::istreambuf_iterator<char>(stream),
                                                          {}};
  }
  return files;
}

class TempFolder {
 public:
  TempFolder() : path_(fs::temp_directory_path() / fmt::format("greenline-check-{}", getpid())) {
    fs::remove_all(path_);
  }
  ~TempFolder() { fs::remove_all(path_); }
  void write(const Files& files) const {
    fs::remove_all(path_);
    for (const auto& [name, bytes] : files) {
      fs::create_directories((path_ / name).parent_path());
      std::ofstream(path_ / name, std::ios::binary) << bytes;
    }
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

// Edits. Each has to find what it changes.
void replace(Files& files, const std::string& file, const std::string& from, const std::string& to,
             bool last = false) {
  std::string& text = files.at(file);
  const std::size_t at = last ? text.rfind(from) : text.find(from);
  ASSERT_NE(at, std::string::npos) << file << " lacks " << from;
  text.replace(at, from.size(), to);
}

// The recorded SHA-1 of a file becomes what the file has now.
void record(Files& files, const Files& original) {
  for (const auto& [name, bytes] : original) {
    const auto now = files.find(name);
    if (now == files.end() || now->second == bytes) continue;
    for (const char* session : {kClient, kServer}) {
      if (files.find(session) == files.end()) continue;
      std::string& text = files[session];
      const std::string old = io::sha1(bytes);
      if (const std::size_t at = text.find(old); at != std::string::npos)
        text.replace(at, old.size(), io::sha1(now->second));
    }
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Rows of the test's trace that lie in the load window, edited or dropped (an empty text).
void edit_rows(Files& files, const std::function<std::string(std::size_t, std::string)>& edit) {
  const SplTrace trace = parse_spl(files.at(kSpl), kSpl);
  const LoadgenLog log = parse_loadgen(files.at(kDetail), kDetail);
  const auto begin = log.time_ns("power_begin"), end = log.time_ns("power_end");
  std::vector<std::string> lines = lines_of(files.at(kSpl));
  std::size_t i = 0;
  for (const SplSample& s : trace.samples)
    if (begin < s.time_ns && s.time_ns < end) lines[s.line - 1] = edit(i++, lines[s.line - 1]);
  std::string text;
  for (const std::string& line : lines)
    if (!line.empty()) text += line + "\n";
  files[kSpl] = text;
}

std::string with_watts(const std::string& row, const std::string& watts) {
  const std::size_t begin = row.find("Watts,") + 6;
  return row.substr(0, begin) + watts + row.substr(row.find(',', begin));
}

double watts_of(const std::string& row) { return std::stod(row.substr(row.find("Watts,") + 6)); }

// A phase of the server, moved to `seconds` after the client's.
void move_phase(Files& files, const char* mode, std::size_t i, double seconds) {
  const SessionFile client = parse_session_file(files.at(kClient), kClient);
  const SessionFile server = parse_session_file(files.at(kServer), kServer);
  replace(files, kServer, fmt::format("{}", server.phases.at(mode)[i].wall_s),
          fmt::format("{}", client.phases.at(mode)[i].wall_s + seconds), true);
}

// Both ends of the load, by the text of the hour.
void move_load(Files& files, const char* file, const std::string& from, const std::string& to) {
  for (const char* key : {"power_begin", "power_end"}) {
    std::string& text = files.at(file);
    const std::size_t at = text.find(fmt::format("\"key\": \"{}\"", key));
    ASSERT_NE(at, std::string::npos);
    const std::size_t hour = text.find(from, at);
    ASSERT_LT(hour, text.find('\n', at)) << key;
    text.replace(hour, from.size(), to);
  }
}

void add_ptd_line(Files& files, const std::string& before, const std::string& line) {
  replace(files, kPtd, before, line + "\n" + before);
}

void drop_line(Files& files, const std::string& file, const std::string& part) {
  std::string text;
  bool is_found = false;
  for (const std::string& line : lines_of(files.at(file)))
    if (line.find(part) == std::string::npos)
      text += line + "\n";
    else
      is_found = true;
  ASSERT_TRUE(is_found) << part;
  files[file] = text;
}

// The text of the first line of the daemon's log at or after the minute, to insert before.
std::string line_at(const Files& files, const std::string& minute) {
  for (const std::string& line : lines_of(files.at(kPtd)))
    if (line.starts_with(minute)) return line;
  ADD_FAILURE() << "no line at " << minute;
  return "";
}

struct Mutation {
  const char* name;
  const char* rules;  // that fail, in the order of the table; "~rule" only warns
  std::function<void(Files&)> mutate;
  bool is_recorded = true;  // the hashes follow the change, so that no other rule is broken
};

constexpr const char* kAbove =
    "WARNING: Uncertainty 1.53%, which is above 1.00% limit for the last sample!";

void add_missing_files(std::vector<Mutation>& all) {
  for (const char* file : {"power/client.json", "power/server.json", "power/client.log",
                           "power/server.log", kPtd, kDetail, kSpl, "run_1/mlperf_log_summary.txt",
                           kRangingDetail, "ranging/spl.txt", "ranging/mlperf_log_summary.txt"})
    all.push_back({file, "results_check", [file](Files& f) { f.erase(file); }});
}

void add_session_files(std::vector<Mutation>& all) {
  const std::vector<Mutation> list = {
      {"one hex digit of a recorded hash", "results_check",
       [](Files& f) { replace(f, kClient, "2a77c298c56a", "2a77c298c56b"); }},
      {"one byte of a trace", "results_check",
       [](Files& f) { replace(f, kSpl, "Watts,8.", "Watts,9."); }, false},
      {"two files of other hashes for one", "results_check",
       [](Files& f) {
         replace(f, kServer, "\"power/server.log\"",
                 "\"power/client.log\": \"0000000000000000000000000000000000000000\",\n"
                 "\"power/server.log\"");
       }},
      {"a recorded file that is not there", "results_check",
       [](Files& f) {
         replace(f, kServer, "\"power/server.log\"",
                 "\"run_1/ptd_out.txt\": \"da39a3ee5e6b4b0d3255bfef95601890afd80709\",\n"
                 "\"power/server.log\"");
       }},
      {"a source of the client", "client_sources_check",
       [](Files& f) { replace(f, kClient, "4c2b78fb4849", "4c2b78fb4848"); }},
      {"a source of the server", "server_sources_check",
       [](Files& f) { replace(f, kServer, "3210db56eb0f", "3210db56eb0e"); }},
      {"another source file", "client_sources_check",
       [](Files& f) { replace(f, kClient, "\"lib/client.py\": \"4c", "\"lib/clienx.py\": \"4c"); }},
      {"uuid of the client", "uuid_check",
       [](Files& f) { replace(f, kClient, "2f8750d8-74f0", "2f8750d8-74f1", true); }},
      {"uuid of the server", "uuid_check",
       [](Files& f) { replace(f, kServer, "54b6578d-d278", "54b6578d-d279", true); }},
      {"uuids swapped", "uuid_check",
       [](Files& f) {
         replace(f, kServer, "2f8750d8-74f0-4e18-9f48-c62c9a456ddc", "x", true);
         replace(f, kServer, "54b6578d-d278-4d61-9e65-7c9de585eb40",
                 "2f8750d8-74f0-4e18-9f48-c62c9a456ddc", true);
         replace(f, kServer, "\"x\"", "\"54b6578d-d278-4d61-9e65-7c9de585eb40\"", true);
       }},
      {"name of the session", "session_name_check",
       [](Files& f) {
         replace(f, kClient, "\"session_name\": \"2021-08-04_04-27-59",
                 "\"session_name\": \"2021-08-04_04-27-58");
       }},
      {"a command", "messages_check",
       [](Files& f) { replace(f, kClient, "59,start,testing", "59,start,tasting"); }},
      {"a reply", "messages_check",
       [](Files& f) { replace(f, kClient, "\"reply\": \"OK\"", "\"reply\": \"Error\"", true); }},
      {"versions of the protocol", "messages_check",
       [](Files& f) {
         replace(f, kClient, "power server v3", "power server v2");
         replace(f, kServer, "power server v3", "power server v2");
       }},
      {"no messages", "messages_check",
       [](Files& f) { replace(f, kClient, "\"messages\": [", "\"messages\": [], \"other\": ["); }},
      {"debug", "debug_check",
       [](Files& f) { replace(f, kServer, "\"ptd_config\"", "\"debug\": true, \"ptd_config\""); }},
      {"half a client.json", "required_fields_check",
       [](Files& f) { f[kClient].resize(f[kClient].size() / 2); }},
      {"an empty server.json", "required_fields_check", [](Files& f) { f[kServer].clear(); }},
      {"a member of another type", "required_fields_check",
       [](Files& f) { replace(f, kClient, "\"messages\": [", "\"messages\": 3, \"other\": ["); }},
      {"no phases", "required_fields_check",
       [](Files& f) { replace(f, kServer, "\"phases\"", "\"phazes\""); }}};
  all.insert(all.end(), list.begin(), list.end());
}

void add_daemon(std::vector<Mutation>& all) {
  const auto server = [](const char* from, const char* to, bool last = false) {
    return [=](Files& f) { replace(f, kServer, from, to, last); };
  };
  const std::vector<Mutation> list = {
      {"PTD version", "ptd_messages_check", server("version=1.9.2", "version=1.8.1")},
      {"analyzer", "ptd_messages_check", server("YokogawaWT330E,", "YokogawaWT3000,")},
      {"reply to SR,A", "ptd_messages_check", server("Range A changed", "Error")},
      {"reply to SR,V", "ptd_messages_check", server("Range V changed", "Error")},
      {"reply to Go", "ptd_messages_check", server("at 1000ms", "at 2000ms")},
      {"reply to Stop", "ptd_messages_check", server("Stopping untimed", "Stopping timed")},
      {"reply to the third Stop", "ptd_messages_check",
       server("Error: no measurement to stop", "Stopping untimed measurement")},
      {"amps not restored", "ptd_messages_check", server("SR,A,10.000000", "SR,A,5.000000")},
      {"volts not restored", "ptd_messages_check", server("SR,V,Auto", "SR,V,300.000000", true)},
      {"ranges unknown", "ptd_messages_check",
       server("Ranges,0,10.000000,1,150.000000", "Ranges,0,ten")},
      {"a wrong range of amps", "ranges_check", server("SR,A,0.321000", "SR,A,0.500000")},
      {"a wrong range of volts", "ranges_check", server("SR,V,120.810000", "SR,V,240.000000")},
      {"device type", "ptd_config_check", server("\"device_type\": 52", "\"device_type\": 0")},
      {"one channel of two", "ptd_config_check",
       server("\"device_type\": 52", "\"device_type\": 77")},
      {"an uncertainty above 1 % in the test", "ptd_logs_check",
       [](Files& f) {
         add_ptd_line(f, line_at(f, "08-04-2021 11:49:"),
                      std::string("08-04-2021 11:45:00.000: ") + kAbove);
       }},
      {"an error in the test", "ptd_logs_check",
       [](Files& f) {
         add_ptd_line(f, line_at(f, "08-04-2021 11:49:"),
                      "08-04-2021 11:45:00.000: ERROR: Bad watts reading nan from WT330E");
       }},
      {"a warning in the test", "~ptd_logs_check",
       [](Files& f) {
         add_ptd_line(f, line_at(f, "08-04-2021 11:49:"),
                      "08-04-2021 11:45:00.000: WARNING: Uncertainty unknown for the last "
                      "measurement sample!");
       }},
      {"an error of the connection", "~ptd_logs_check",
       [](Files& f) {
         add_ptd_line(f, line_at(f, "08-04-2021 11:49:"), "08-04-2021 11:45:00.000: ERROR: USB.");
       }},
      {"uncertainty not checked", "ptd_logs_check",
       [](Files& f) { drop_line(f, kPtd, "Uncertainty checking for"); }},
      {"uncertainty checked too late", "ptd_logs_check",
       [](Files& f) {
         replace(f, kPtd, "08-04-2021 11:28:17.426: Unc", "08-04-2021 11:38:17.426: Unc");
       }},
      {"no ranging in the log", "ptd_logs_check",
       [](Files& f) { replace(f, kPtd, "59_ranging'", "58_ranging'"); }}};
  all.insert(all.end(), list.begin(), list.end());
}

void add_clocks(std::vector<Mutation>& all) {
  const std::vector<Mutation> list = {
      {"+801 ms", "phases_check", [](Files& f) { move_phase(f, "testing", 1, 0.801); }},
      {"-801 ms", "phases_check", [](Files& f) { move_phase(f, "ranging", 3, -0.801); }},
      {"+799 ms", "", [](Files& f) { move_phase(f, "testing", 1, 0.799); }},
      {"-799 ms", "", [](Files& f) { move_phase(f, "ranging", 3, -0.799); }},
      {"summer time", "phases_check num_samples_check",
       [](Files& f) { move_load(f, kDetail, " 11:", " 12:"); }},
      {"an hour behind", "phases_check num_samples_check",
       [](Files& f) { move_load(f, kDetail, " 11:", " 10:"); }},
      {"ranging an hour ahead", "phases_check",
       [](Files& f) { move_load(f, kRangingDetail, " 11:", " 12:"); }},
      {"no power_begin", "phases_check",
       [](Files& f) { replace(f, kDetail, "\"power_begin\"", "\"power_begun\""); }},
      {"a time that is none", "phases_check",
       [](Files& f) { move_load(f, kDetail, "08-04-2021", "13-04-2021"); }}};
  all.insert(all.end(), list.begin(), list.end());
}

void add_samples(std::vector<Mutation>& all) {
  const auto rows = [](std::function<std::string(std::size_t, std::string)> edit) {
    return [edit](Files& f) { edit_rows(f, edit); };
  };
  const auto one = [&](const char* watts) {
    return rows([watts](std::size_t i, const std::string& row) {
      return i == 300 ? with_watts(row, watts) : row;
    });
  };
  const std::vector<Mutation> list = {
      {"NaN watts", "sample_values_check", one("nan")},
      {"-1 watts", "sample_values_check", one("-1.000000")},
      {"0 watts", "sample_values_check", one("0.000000")},
      {"a thousands separator", "sample_values_check", one("1,010.0")},
      {"a mark of another session", "sample_values_check", rows([](std::size_t i, std::string row) {
         return i == 7 ? row.substr(0, row.find("Mark,")) + "Mark,2020-01-01_00-00-00_testing"
                       : row;
       })},
      {"a trace that ends inside a row", "sample_values_check",
       [](Files& f) { f[kSpl].resize(f[kSpl].size() - 20); }},
      {"a trace that ends inside a number", "sample_values_check",
       [](Files& f) { f[kSpl].resize(f[kSpl].rfind("Watts,") + 9); }},
      {"an empty trace", "sample_values_check", [](Files& f) { f[kSpl].clear(); }},
      {"a sample every two seconds", "sampling_rate_check",
       rows([](std::size_t i, std::string row) { return i % 2 == 0 ? row : std::string(); })},
      {"a gap of two seconds", "sampling_rate_check",
       rows([](std::size_t i, std::string row) { return i == 300 ? std::string() : row; })},
      {"a trace that ends early", "sampling_rate_check",
       rows([](std::size_t i, std::string row) { return i >= 590 ? std::string() : row; })},
      {"59 samples", "sampling_rate_check num_samples_check",
       rows([](std::size_t i, std::string row) { return i >= 59 ? std::string() : row; })},
      {"10 % less power than ranging", "~mean_power_check", rows([](std::size_t, std::string row) {
         return with_watts(row, fmt::format("{:.6f}", watts_of(row) * 0.9));
       })}};
  all.insert(all.end(), list.begin(), list.end());
}

std::vector<Mutation> mutations() {
  std::vector<Mutation> all;
  add_missing_files(all);
  add_session_files(all);
  add_daemon(all);
  add_clocks(all);
  add_samples(all);
  return all;
}

// "phases_check ~duration_check": the rules that fail and warn, in the order of the table.
std::string broken(const CheckedSession& session) {
  std::string rules, last;
  for (const Verdict& v : session.verdicts) {
    if (v.status != VerdictStatus::fail && v.status != VerdictStatus::warning) continue;
    const std::string rule = (v.status == VerdictStatus::warning ? "~" : "") + v.rule;
    if (rule != last) rules += (rules.empty() ? "" : " ") + rule;
    last = rule;
  }
  return rules;
}

CheckedSession checked(const std::string& folder, CheckRound round,
                       Compatibility compat = Compatibility::none) {
  const CheckResult x = check({.settings = {}, .folder = folder, .round = round, .compat = compat});
  EXPECT_EQ(x.sessions.size(), 1u);
  return x.sessions.front();
}

TEST(Check, GivenSessionsPassTheirRound) {
  GL_SHARED_OR_SKIP(shared);
  const CheckResult x = check({.settings = {},
                               .folder = shared + "/data/power/inference_v1.1",
                               .round = CheckRound::v1_1,
                               .compat = Compatibility::none});
  EXPECT_EQ(x.sessions.size(), 38u);
  for (const CheckedSession& s : x.sessions) EXPECT_TRUE(s.is_passed()) << s.path << broken(s);
}

TEST(Check, TheCurrentRoundRefusesSourcesAndDaemon) {
  GL_SHARED_OR_SKIP(shared);
  const CheckedSession s = checked(shared + kSession, CheckRound::current);
  EXPECT_EQ(broken(s), "client_sources_check server_sources_check ptd_messages_check");
  EXPECT_EQ(s.num(VerdictStatus::fail), 3u);
}

TEST(Check, EachFaultFailsByItsRule) {
  GL_SHARED_OR_SKIP(shared);
  const Files original = read_session(shared + kSession);
  const TempFolder temp;
  const std::vector<Mutation> all = mutations();
  EXPECT_GE(all.size(), 60u);
  for (const Mutation& m : all) {
    SCOPED_TRACE(m.name);
    Files files = original;
    m.mutate(files);
    EXPECT_NE(files, original);
    if (m.is_recorded) record(files, original);
    temp.write(files);
    const CheckedSession s = checked(temp.path(), CheckRound::v1_1);
    EXPECT_EQ(broken(s), m.rules);
    for (const Verdict& v : s.verdicts)
      if (v.status == VerdictStatus::fail) {
        EXPECT_FALSE(v.expected.empty() || v.got.empty() || v.mend.empty()) << v.rule;
      }
  }
}

// What the checker of MLCommons lets pass, and we do not.
TEST(Check, CompatibilityHasTheDefectsUpstream) {
  GL_SHARED_OR_SKIP(shared);
  const Files original = read_session(shared + kSession);
  const TempFolder temp;
  for (const Mutation& m : mutations()) {
    const std::string name = m.name;
    if (name != "an uncertainty above 1 % in the test" && name != "summer time" &&
        name != "a recorded file that is not there")
      continue;
    SCOPED_TRACE(name);
    Files files = original;
    m.mutate(files);
    record(files, original);
    temp.write(files);
    EXPECT_FALSE(checked(temp.path(), CheckRound::v1_1).is_passed());
    const CheckedSession s = checked(temp.path(), CheckRound::v1_1, Compatibility::mlcommons);
    // Of the trace there is nothing left an hour later; upstream does not look.
    EXPECT_EQ(broken(s), "");
  }
}

TEST(Check, ConfigurationMayBeAList) {
  GL_SHARED_OR_SKIP(shared);
  Files files = read_session(shared + kSession);
  std::string& text = files[kServer];
  const std::size_t begin = text.find('{', text.find("\"ptd_config\""));
  const std::size_t end = text.find('}', begin);
  text.insert(end + 1, "]");
  text.insert(begin, "[");
  const TempFolder temp;
  temp.write(files);
  EXPECT_EQ(broken(checked(temp.path(), CheckRound::v1_1)), "");
}

// No bytes of a session bring the check down: each file cut at many places.
TEST(Check, CutFilesGiveVerdicts) {
  GL_SHARED_OR_SKIP(shared);
  const Files original = read_session(shared + kSession);
  const TempFolder temp;
  for (const auto& [name, bytes] : original)
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, bytes.size() / 3}) {
      SCOPED_TRACE(fmt::format("{} of {} bytes", name, size));
      Files files = original;
      files[name].resize(size);
      temp.write(files);
      EXPECT_FALSE(checked(temp.path(), CheckRound::v1_1).is_passed());
    }
}

TEST(Check, PublishedTrainingLogsSampleTooRarely) {
  GL_SHARED_OR_SKIP(shared);
  const CheckedSession s =
      checked(shared + "/data/power/training_v4.0/smc-ac-power/results/1xSMC-H100-SXM-80GB/bert",
              CheckRound::automatic);
  EXPECT_EQ(s.kind, Kind::training);
  EXPECT_EQ(broken(s), "~stop_check sampling_rate_check");
}

}  // namespace
}  // namespace greenline::mlperf
