// Rules on what client and server of a measurement wrote.
#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "mlperf/check_rules.hpp"
#include "mlperf/log_text.hpp"

namespace greenline::mlperf {
namespace {

using base::quoted;

constexpr const char* kMeasureAgain = "measure again: a session is not edited";

Place place(const Part<SessionFile>& part, const std::string& member) {
  return {part.file, part.value ? part.value->line(member) : 0};
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

void require_members(const Part<SessionFile>& part, bool is_server, Findings& f) {
  std::vector<std::string> members = {"version", "timezone", "modules",      "sources", "messages",
                                      "uuid",    "results",  "session_name", "phases"};
  if (is_server) members.insert(members.end(), {"ptd_messages", "ptd_config"});
  const SessionFile& file = part.own();
  for (const std::string& member : members)
    if (!file.has(member))
      f.fail({part.file, 0}, fmt::format("a member {}", quoted(member)), "none", kMeasureAgain);
  for (const char* mode : {"ranging", "testing"})
    if (file.has("phases") && file.phases.find(mode) == file.phases.end())
      f.fail(place(part, "phases"), fmt::format("a member {} of phases", quoted(mode)), "none",
             kMeasureAgain);
}

// In how many files two lists differ, and the first of them.
struct Difference {
  std::size_t num = 0;
  std::string file, expected, got;
};

Difference difference(const Hashes& known, const Hashes& got) {
  Difference d;
  const auto note = [&](const std::string& file, const std::string& a, const std::string& b) {
    if (d.num++ == 0) d.file = file, d.expected = a, d.got = b;
  };
  for (const auto& [file, hash] : known) {
    const auto found = got.find(file);
    if (found == got.end())
      note(file, hash, "no such file");
    else if (lower(found->second) != hash)
      note(file, hash, found->second);
  }
  for (const auto& [file, hash] : got)
    if (known.find(file) == known.end()) note(file, "no such file", hash);
  return d;
}

void check_sources(const InferenceEvidence& x, const Part<SessionFile>& part, Findings& f) {
  const SessionFile& file = part.need();
  f.note(x.facts.basis);
  if (x.facts.sources.empty())
    throw NotChecked{"no list of sources is known for round " +
                     std::string(base::enum_name(x.round))};
  Difference nearest;
  for (const Hashes& known : x.facts.sources) {
    const Difference d = difference(known, file.sources);
    if (d.num == 0) return;
    if (nearest.num == 0 || d.num < nearest.num) nearest = d;
  }
  const std::string member = "sources." + nearest.file;
  f.fail(place(part, file.has(member) ? member : "sources"),
         fmt::format("{} {}", nearest.file, nearest.expected),
         fmt::format("{}; {} file{} differ from the nearest known list", quoted(nearest.got),
                     nearest.num, nearest.num == 1 ? "" : "s"),
         "measure with programs of a release for the round, unchanged");
}

void compare_texts(const InferenceEvidence& x, const char* member, std::string SessionFile::*text,
                   Findings& f) {
  const std::string &client = x.client.need().*text, &server = x.server.need().*text;
  if (client.empty() || lower(client) != lower(server))
    f.fail(place(x.client, member),
           fmt::format("{} as in {}", quoted(server.empty() ? "a text" : server), x.server.file),
           quoted(client), "take both files from the same session");
}

// The digits behind a greeting, "" for anything else.
std::string_view protocol_version(std::string_view text, std::string_view greeting) {
  if (!text.starts_with(greeting)) return {};
  text.remove_prefix(greeting.size());
  return integer(text) ? text : std::string_view();
}

}  // namespace

void check_required_fields(const InferenceEvidence& x, Findings& f) {
  // A file that is missing is for results_check to tell; the other is judged all the same.
  bool is_any = false;
  for (const auto* part : {&x.client, &x.server})
    if (part->value || part->failure) {
      require_members(*part, part == &x.server, f);
      is_any = true;
    }
  if (!is_any) throw NotChecked{"power/client.json and power/server.json are missing"};
}

void check_client_sources(const InferenceEvidence& x, Findings& f) {
  check_sources(x, x.client, f);
}
void check_server_sources(const InferenceEvidence& x, Findings& f) {
  check_sources(x, x.server, f);
}

void check_uuid(const InferenceEvidence& x, Findings& f) {
  compare_texts(x, "uuid.client", &SessionFile::client_uuid, f);
  compare_texts(x, "uuid.server", &SessionFile::server_uuid, f);
}

void check_session_name(const InferenceEvidence& x, Findings& f) {
  const std::string &client = x.client.need().session_name, &server = x.server.need().session_name;
  if (client.empty() || client != server)
    f.fail(place(x.client, "session_name"),
           fmt::format("{} as in {}", quoted(server.empty() ? "a name" : server), x.server.file),
           quoted(client), "take both files from the same session");
}

void check_messages(const InferenceEvidence& x, Findings& f) {
  const auto &client = x.client.need().messages, &server = x.server.need().messages;
  if (client.size() != server.size())
    f.fail(place(x.client, "messages"),
           fmt::format("{} messages as in {}", server.size(), x.server.file),
           fmt::format("{}", client.size()), kMeasureAgain);
  for (std::size_t i = 0; i < std::min(client.size(), server.size()); ++i) {
    const SessionMessage &c = client[i], &s = server[i];
    const Place at{x.client.file, static_cast<std::uint32_t>(c.line)};
    if (c.command != s.command) {
      f.fail(at, fmt::format("command {} as in {}", quoted(s.command), x.server.file),
             quoted(c.command), kMeasureAgain);
      return;  // the rest is shifted
    }
    if (c.command != "time" && c.reply != s.reply)
      f.fail(at, fmt::format("reply {} as in {}", quoted(s.reply), x.server.file), quoted(c.reply),
             kMeasureAgain);
  }
  if (server.empty()) {
    if (client.empty())
      f.fail(place(x.server, "messages"), "a greeting", "no message", kMeasureAgain);
    return;
  }
  const auto c = protocol_version(server[0].command, "mlcommons/power client v");
  const auto s = protocol_version(server[0].reply, "mlcommons/power server v");
  if (c.empty() || c != s)
    f.fail({x.server.file, static_cast<std::uint32_t>(server[0].line)},
           "client and server of one version of the protocol",
           fmt::format("{} and {}", quoted(server[0].command), quoted(server[0].reply)),
           "use client and server of one release");
}

void check_results(const InferenceEvidence& x, Findings& f) {
  static constexpr std::array kFiles = {"power/client.log",
                                        "power/ptd_logs.txt",
                                        "power/server.log",
                                        "ranging/mlperf_log_detail.txt",
                                        "ranging/mlperf_log_summary.txt",
                                        "ranging/spl.txt",
                                        "run_1/mlperf_log_detail.txt",
                                        "run_1/mlperf_log_summary.txt",
                                        "run_1/spl.txt"};
  const auto is_required = [](const std::string& file) {
    return std::find(kFiles.begin(), kFiles.end(), file) != kFiles.end();
  };
  for (const char* file : {"power/client.json", "power/server.json"})
    if (x.hashes.find(file) == x.hashes.end())
      f.fail({file, 0}, "the file", "none", "add it from the same session");

  std::map<std::string, std::pair<std::string, const Part<SessionFile>*>> recorded;
  for (const auto* part : {&x.client, &x.server}) {
    if (!part->value) continue;
    for (const auto& [file, hash] : part->value->results) {
      if (x.is_compat() && !is_required(file)) continue;
      const auto [held, is_new] = recorded.emplace(file, std::pair(lower(hash), part));
      if (!is_new && held->second.first != lower(hash))
        f.fail(place(*part, "results." + file),
               fmt::format("{} as in {}", held->second.first, held->second.second->file), hash,
               "take both files from the same session");
    }
  }
  for (const auto& [file, entry] : recorded) {
    const auto found = x.hashes.find(file);
    const Place at = place(*entry.second, "results." + file);
    if (found == x.hashes.end())
      f.fail({file, 0},
             fmt::format("the file, with SHA-1 {} ({}:{})", entry.first, at.file, at.line), "none",
             "add it from the same session");
    else if (found->second != entry.first)
      f.fail({file, 0}, fmt::format("SHA-1 {} ({}:{})", entry.first, at.file, at.line),
             found->second, "restore the file as it was measured");
  }
  for (const char* file : kFiles) {
    if (recorded.find(file) != recorded.end()) continue;
    if (x.hashes.find(file) == x.hashes.end())
      f.fail({file, 0}, "the file", "none", "add it from the same session");
    else if (x.client.value && x.server.value)
      f.fail({file, 0}, "its SHA-1 in the results of client.json or server.json", "none",
             kMeasureAgain);
  }
}

void check_debug(const InferenceEvidence& x, Findings& f) {
  if (x.server.need().is_debug)
    f.fail(place(x.server, "debug"), "false", "true", "measure without the debug mode");
}

}  // namespace greenline::mlperf
