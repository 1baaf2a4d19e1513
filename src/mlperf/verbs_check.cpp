#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "mlperf/check.hpp"
#include "verb/fields.hpp"
#include "verb/report.hpp"

namespace greenline::mlperf {
namespace {

// In the order of the rules, each once.
std::string rules_with(const CheckedSession& s, VerdictStatus status) {
  std::vector<std::string> rules;
  for (const Verdict& v : s.verdicts)
    if (v.status == status && (rules.empty() || rules.back() != v.rule)) rules.push_back(v.rule);
  return fmt::format("{}", fmt::join(rules, " "));
}

std::size_t num(const CheckResult& x, VerdictStatus status) {
  std::size_t n = 0;
  for (const CheckedSession& s : x.sessions) n += s.num(status);
  return n;
}

void present_sessions(verb::Report& r, const CheckResult& x) {
  std::vector<std::string> paths, kinds, rounds, statuses, failed, warned;
  std::vector<std::int64_t> passes, warnings, fails, skipped;
  for (const CheckedSession& s : x.sessions) {
    const auto count = [&](VerdictStatus status) {
      return static_cast<std::int64_t>(s.num(status));
    };
    paths.push_back(s.path);
    kinds.emplace_back(base::enum_name(s.kind));
    rounds.emplace_back(base::enum_name(s.round));
    statuses.emplace_back(s.is_passed() ? "passed" : "failed");
    failed.push_back(rules_with(s, VerdictStatus::fail));
    warned.push_back(rules_with(s, VerdictStatus::warning));
    passes.push_back(count(VerdictStatus::pass));
    warnings.push_back(count(VerdictStatus::warning));
    fails.push_back(count(VerdictStatus::fail));
    skipped.push_back(count(VerdictStatus::not_checked));
  }
  r.table("sessions", "Sessions")
      .column("path", paths)
      .column("kind", kinds)
      .column("round", rounds)
      .column("status", statuses)
      .column("failed_rules", failed, "rules that fail")
      .column("warned_rules", warned, "rules that warn")
      .column("passes", passes)
      .column("fails", fails)
      .column("warnings", warnings)
      .column("not_checked", skipped, "not checked");
}

void present_verdicts(verb::Report& r, const CheckResult& x) {
  const bool is_one = x.sessions.size() == 1;
  std::vector<std::string> sessions, rules, titles, statuses, files, expected, got, mends, notes;
  std::vector<verb::Cell> lines;
  for (const CheckedSession& s : x.sessions)
    for (const Verdict& v : s.verdicts) {
      if (!is_one && (v.status == VerdictStatus::pass || v.status == VerdictStatus::not_checked))
        continue;
      sessions.push_back(s.path);
      rules.push_back(v.rule);
      titles.push_back(v.title);
      statuses.emplace_back(base::enum_name(v.status));
      files.push_back(v.file);
      lines.push_back(v.line > 0 ? verb::make_cell(std::int64_t{v.line})
                                 : verb::Cell(verb::Absent{"of no one line"}));
      expected.push_back(v.expected);
      got.push_back(v.got);
      mends.push_back(v.mend);
      notes.push_back(v.note);
    }
  auto table = r.table("verdicts", is_one ? "Verdicts" : "Failures and warnings");
  table.column("rule", rules)
      .column("status", statuses)
      .column("file", files)
      .column("line", lines)
      .column("expected", expected)
      .column("got", got)
      .column("mend", mends)
      .column("note", notes)
      .column("title", titles, "when it passes");
  if (!is_one) table.column("session", sessions);
  if (is_one) table.whole();
}

// One sentence for each finding: the columns of the table do not fit a terminal side by side.
void present_findings(verb::Report& r, const CheckedSession& s) {
  constexpr std::size_t kMost = 20;
  std::size_t num = 0;
  for (const Verdict& v : s.verdicts) {
    if (v.status != VerdictStatus::fail && v.status != VerdictStatus::warning) continue;
    if (++num > kMost) continue;
    const std::string place = v.line > 0 ? fmt::format("{}:{}", v.file, v.line) : v.file;
    r.notice(fmt::format("{} {}: {}{}expected {}, got {}; {}{}", base::enum_name(v.status), v.rule,
                         place, place.empty() ? "" : ": ", v.expected, v.got, v.mend,
                         v.note.empty() ? "" : " (" + v.note + ")"));
  }
  if (num > kMost) r.notice(fmt::format("and {} more: see verdicts", num - kMost));
}

}  // namespace

void describe(verb::Fields& f, CheckRequest& r) {
  f(r.folder, "folder", "a session, a training result, or a whole tree of submissions")
      .positional()
      .required()
      .placeholder("DIR");
  f(r.round, "round", "round whose rules apply").chosen();
  f(r.compat, "compat", "whose reading of the rules").chosen();
}

void present(verb::Report& r, const CheckResult& x) {
  r.title("MLPerf power rules: " + x.folder);
  r.text("status", x.is_passed() ? "passed" : "failed", {.headline = true});
  r.value("num_sessions", x.sessions.size(), {.label = "sessions"});
  r.value("num_failed_sessions",
          static_cast<std::int64_t>(
              std::count_if(x.sessions.begin(), x.sessions.end(),
                            [](const CheckedSession& s) { return !s.is_passed(); })),
          {.label = "sessions that fail", .headline = true});
  r.value("num_fails", num(x, VerdictStatus::fail), {.label = "failures"});
  r.value("num_warnings", num(x, VerdictStatus::warning), {.label = "warnings"});
  r.value("num_not_checked", num(x, VerdictStatus::not_checked), {.label = "rules not checked"});
  r.text("compat", base::enum_name(x.compat));
  if (x.sessions.size() == 1) {
    r.text("failed_rules", rules_with(x.sessions.front(), VerdictStatus::fail),
           {.label = "rules that fail"});
    r.text("round", base::enum_name(x.sessions.front().round));
  }
  present_sessions(r, x);
  present_verdicts(r, x);
  if (x.sessions.size() == 1) present_findings(r, x.sessions.front());
  if (x.compat == Compatibility::mlcommons)
    r.notice(
        "judged as the checker of MLCommons does, with its defects: of runs below 1,600 s no "
        "warning of the power daemon counts, logs an hour ahead pass, files that are not required "
        "are not looked at");
}

}  // namespace greenline::mlperf
