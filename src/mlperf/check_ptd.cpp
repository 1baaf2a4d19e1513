// Rules on the power daemon and its analyzer.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "mlperf/check_rules.hpp"
#include "mlperf/log_text.hpp"

namespace greenline::mlperf {
namespace {

using base::quoted;

// Analyzers that SPEC and the rules accept, and the daemon's number of each
// (mlcommons_power_dev).
struct Model {
  std::string_view name;
  std::int64_t device_type;
};
constexpr Model kModels[] = {{"YokogawaWT210", 8},
                             {"YokogawaWT500", 35},
                             {"YokogawaWT500_multichannel", 48},
                             {"YokogawaWT310", 49},
                             {"YokogawaWT310E", 49},
                             {"YokogawaWT330", 52},
                             {"YokogawaWT330E", 52},
                             {"YokogawaWT330_multichannel", 77},
                             {"YokogawaWT210_DC", 508},
                             {"YokogawaWT310_DC", 549},
                             {"YokogawaWT330_DC", 586}};
constexpr std::int64_t kTwoChannels = 77;

std::string join_models() {
  std::vector<std::string_view> names;
  for (const Model& m : kModels) names.push_back(m.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Place at(const InferenceEvidence& x, const SessionMessage& m) {
  return {x.server.file, static_cast<std::uint32_t>(m.line)};
}

const SessionMessage* first(const std::vector<SessionMessage>& all, std::string_view command) {
  const auto m = std::find_if(all.begin(), all.end(),
                              [&](const SessionMessage& x) { return x.command == command; });
  return m == all.end() ? nullptr : &*m;
}

std::vector<const SessionMessage*> starting(const std::vector<SessionMessage>& all,
                                            std::string_view command) {
  std::vector<const SessionMessage*> found;
  for (const SessionMessage& m : all)
    if (m.command.starts_with(command)) found.push_back(&m);
  return found;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return parts;
}

// "YokogawaWT330E,1000,…,version=1.9.2-3976349f-20201208,OS=…"
void check_identity(const InferenceEvidence& x, const SessionMessage& m, Findings& f) {
  const std::string model = m.reply.substr(0, m.reply.find(','));
  std::string version;
  if (const std::size_t begin = m.reply.find("version="); begin != std::string::npos)
    version = m.reply.substr(begin + 8, m.reply.find_first_of("-,", begin) - begin - 8);
  const auto& versions = x.facts.ptd_versions;
  if (std::find(versions.begin(), versions.end(), version) == versions.end())
    f.fail(at(x, m),
           fmt::format("PTD version {} in round {}", fmt::join(versions, " or "),
                       base::enum_name(x.round)),
           quoted(version), "measure with that version of the power daemon");
  if (std::none_of(std::begin(kModels), std::end(kModels),
                   [&](const Model& known) { return known.name == model; }))
    f.fail(at(x, m), "one of " + join_models(), quoted(model), "use an accepted analyzer");
}

void check_replies(const InferenceEvidence& x, Findings& f) {
  struct Reply {
    std::string_view command, reply;
  };
  static constexpr Reply kReplies[] = {
      {"SR,A", "Range A changed"},
      {"SR,V", "Range V changed"},
      {"Go,1000,",
       "Starting untimed measurement, maximum 500000 samples at 1000ms with 0 rampup samples"},
      {"Stop", "Stopping untimed measurement"}};
  for (const Reply& expected : kReplies) {
    std::size_t num_stops = 0;
    for (const SessionMessage* m : starting(x.server.need().ptd_messages, expected.command)) {
      std::string_view reply = expected.reply;
      // The third Stop only makes sure that nothing runs.
      if (m->command == "Stop" && num_stops++ == 2) reply = "Error: no measurement to stop";
      if (m->reply != reply)
        f.fail(at(x, *m), fmt::format("reply {} to {}", quoted(reply), quoted(m->command)),
               quoted(m->reply), "measure again: the analyzer did not do what it was told");
    }
  }
}

// "0,10.000000" of "Ranges,0,10.000000,1,150.000000": fixed at 10; anything else was automatic.
std::optional<std::string> initial_range(const SessionMessage& ranges, std::size_t field) {
  const auto fields = split(ranges.reply, ',');
  const auto value = fields.size() > field + 1 ? decimal(fields[field + 1]) : std::nullopt;
  if (!value) return std::nullopt;
  return fields[field] == "0" && *value > 0 ? fields[field + 1] : "Auto";
}

// Ranging and testing each set both ranges; what comes then restores what was.
void check_restored(const InferenceEvidence& x, Findings& f) {
  const auto& messages = x.server.need().ptd_messages;
  const SessionMessage* ranges = first(messages, "RR");
  if (ranges == nullptr) {
    f.fail({x.server.file, x.server.need().line("ptd_messages")}, "a message RR", "none",
           "measure again: the ranges before the measurement are unknown");
    return;
  }
  struct Setting {
    const char* command;
    std::size_t field;
    bool may_be_fourth;
  };
  for (const Setting s : {Setting{"SR,A", 1, true}, Setting{"SR,V", 3, false}}) {
    const auto set = starting(messages, s.command);
    const auto range = initial_range(*ranges, s.field);
    if (!range) {
      f.fail(at(x, *ranges), "Ranges,<fixed>,<A>,<fixed>,<V>", quoted(ranges->reply),
             "measure again: the ranges before the measurement are unknown");
      return;
    }
    const std::string initial = fmt::format("{},{}", s.command, *range);
    if (set.size() < 3) {
      f.fail({x.server.file, x.server.need().line("ptd_messages")},
             fmt::format("a third message {}, {}", s.command, quoted(initial)),
             fmt::format("{}", set.size()), "measure again: the initial range was not restored");
      continue;
    }
    if (set[2]->command == initial ||
        (s.may_be_fourth && set.size() > 3 && set[3]->command == initial))
      continue;
    f.fail(at(x, *set[2]), fmt::format("{}, the range before the measurement", quoted(initial)),
           quoted(set[2]->command), "measure again: the initial range was not restored");
  }
}

struct Window {
  std::int64_t begin = 0, end = 0;  // ns
  bool holds(std::int64_t t) const { return begin < t && t < end; }
};

Window load_window(const Part<LoadgenLog>& log) {
  try {
    return {log.need().time_ns("power_begin"), log.need().time_ns("power_end")};
  } catch (const base::DataError& e) {
    throw NotChecked{log.file + ": " + e.message()};  // phases_check tells
  }
}

// From "Go with mark '<session>_ranging'" to the "Completed test" behind it.
std::optional<Window> ranging_window(const InferenceEvidence& x) {
  const std::string go = fmt::format("Go with mark '{}_ranging'", x.server.need().session_name);
  std::optional<Window> window;
  for (const PtdLine& line : x.ptd_log.need()) {
    if (!line.time_ns) continue;
    if (!window && line.text == go) window = Window{*line.time_ns, 0};
    if (window && line.text == "Completed test") {
      window->end = *line.time_ns;
      return window;
    }
  }
  return std::nullopt;
}

void check_activated(const InferenceEvidence& x, const Window& ranging, Findings& f) {
  for (const PtdLine& line : x.ptd_log.need()) {
    if (line.text.find("Uncertainty checking for Yokogawa") == std::string::npos ||
        !line.text.ends_with("is activated"))
      continue;
    if (!line.time_ns || *line.time_ns >= ranging.begin)
      f.fail({x.ptd_log.file, line.line}, "uncertainty checking active before ranging starts",
             "activated later, or without a time", "measure again with uncertainty checking");
    return;
  }
  f.fail({x.ptd_log.file, 0}, "a line \"Uncertainty checking for Yokogawa… is activated\"", "none",
         "measure again with uncertainty checking");
}

// What follows "ERROR:" or "WARNING:".
std::optional<std::string_view> behind(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + word.size());
  while (text.starts_with(' ')) text.remove_prefix(1);
  return text;
}

// Of an analyzer that is looking for its range.
bool is_common_in_ranging(std::string_view error) {
  static constexpr std::string_view kCommon[] = {
      "Can't evaluate uncertainty of this sample!", "Bad watts reading nan from ",
      "Bad amps reading nan from ", "Bad pf reading nan from ", "Bad volts reading nan from "};
  return std::any_of(std::begin(kCommon), std::end(kCommon),
                     [&](std::string_view c) { return error.starts_with(c); });
}

// "Uncertainty 1.53%, which is above 1.00% limit for the last sample!"
bool is_above_limit(std::string_view warning) {
  return warning.find("Uncertainty ") != std::string_view::npos &&
         warning.find("%, which is above 1.00% limit") != std::string_view::npos;
}

void judge_error(const InferenceEvidence& x, const PtdLine& line, std::int64_t time_ns,
                 std::string_view error, const Window& ranging, Findings& f) {
  const Place place{x.ptd_log.file, line.line};
  if (error == "USB.")
    f.warn(place, "no error", quoted(line.text),
           "accepted: look at the connection of the analyzer");
  else if (!ranging.holds(time_ns))
    f.fail(place, "errors only while ranging", quoted(line.text), "measure again");
  else if (!is_common_in_ranging(error))
    f.warn(place, "no error but those of an analyzer that looks for its range", quoted(line.text),
           "look into it; accepted while ranging");
}

void judge_lines(const InferenceEvidence& x, const Window& ranging, const Window& load,
                 Findings& f) {
  // The log is in UTC; upstream adds the server's zone to it.
  const std::int64_t zone_ns =
      x.is_compat() ? x.server.need().timezone_s.value_or(0) * 1'000'000'000 : 0;
  std::int64_t time_ns = 0;  // lines without one continue the line before
  for (const PtdLine& line : x.ptd_log.need()) {
    if (x.is_compat() && !f.empty()) return;  // upstream stops at the first, be it a warning
    time_ns = line.time_ns.value_or(time_ns);
    if (const auto warning = behind(line.text, "WARNING:");
        warning && load.holds(time_ns + zone_ns)) {
      const Place place{x.ptd_log.file, line.line};
      if (is_above_limit(*warning))
        f.fail(place, "uncertainty of at most 1.00 % while testing", quoted(line.text),
               "measure again with ranges that fit the load");
      else
        f.warn(place, "no warning while testing", quoted(line.text), "look into it");
    }
    if (const auto error = behind(line.text, "ERROR:"))
      judge_error(x, line, time_ns, *error, ranging, f);
  }
}

}  // namespace

void check_ptd_messages(const InferenceEvidence& x, Findings& f) {
  const SessionFile& server = x.server.need();
  f.note(x.facts.basis);
  const SessionMessage* identify = first(server.ptd_messages, "Identify");
  if (identify == nullptr || identify->reply.empty())
    f.fail({x.server.file, server.line("ptd_messages")}, "an answer to Identify", "none",
           "measure again: the analyzer is unknown");
  else
    check_identity(x, *identify, f);
  check_replies(x, f);
  check_restored(x, f);
}

void check_ptd_logs(const InferenceEvidence& x, Findings& f) {
  x.ptd_log.own();
  const Window load = load_window(x.testing_log);
  const auto ranging = ranging_window(x);
  if (!ranging) {
    f.fail({x.ptd_log.file, 0},
           fmt::format("\"Go with mark '{}_ranging'\" and \"Completed test\"",
                       x.server.need().session_name),
           "none", "take the log from the same session");
    return;
  }
  check_activated(x, *ranging, f);
  if (x.is_compat() && !f.empty()) return;
  // Upstream adds 800 meant as milliseconds to seconds: of runs below 1,600 s nothing is left.
  const std::int64_t margin_ns = x.is_compat() ? 800'000'000'000 : 0;
  judge_lines(x, *ranging, {load.begin + margin_ns, load.end - margin_ns}, f);
}

void check_ptd_config(const InferenceEvidence& x, Findings& f) {
  const SessionFile& server = x.server.need();
  const Place place{x.server.file, server.line("ptd_config")};
  if (server.devices.empty()) f.fail(place, "a device", "none", "measure again");
  for (const PtdDevice& d : server.devices) {
    if (std::none_of(std::begin(kModels), std::end(kModels),
                     [&](const Model& m) { return m.device_type == d.device_type; }))
      f.fail(place, "the device type of one of " + join_models(), fmt::format("{}", d.device_type),
             "use an accepted analyzer");
    if (d.device_type != kTwoChannels) continue;
    const auto flag = std::find(d.command.begin(), d.command.end(), "-c");
    const bool has_two = flag != d.command.end() && flag + 1 != d.command.end() &&
                         split(*(flag + 1), ',').size() == 2;
    if (!has_two || d.channels.size() != 2)
      f.fail(place, "two channels, the first and how many, for device type 77",
             fmt::format(
                 "{} and -c {}", d.channels.size(),
                 flag != d.command.end() && flag + 1 != d.command.end() ? *(flag + 1) : "missing"),
             "configure the analyzer with channel = first,number");
  }
}

}  // namespace greenline::mlperf
