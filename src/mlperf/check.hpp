// `mlperf check`: is a power session valid by the rules of its round?
//
// The rules are those of the checker of MLCommons (mlcommons_power_dev), one row of a table each
// (check_rules.hpp), and ours about samples. A session that is broken in any way gets verdicts, not
// errors. `Compatibility::mlcommons` judges as that checker does, with its defects and without our
// rules; docs/methods/mlperf-power.md lists them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/enum_name.hpp"
#include "base/journal.hpp"
#include "base/progress.hpp"
#include "mlperf/score.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::mlperf {

// In order of time.
enum class CheckRound { automatic, v1_1, v3_0, current };
std::span<const base::EnumName> enum_names(CheckRound);

enum class Compatibility { none, mlcommons };
std::span<const base::EnumName> enum_names(Compatibility);

enum class VerdictStatus { pass, warning, fail, not_checked };
std::span<const base::EnumName> enum_names(VerdictStatus);

struct Verdict {
  std::string rule, title;  // "uuid_check", "UUIDs of client and server are equal"
  VerdictStatus status = VerdictStatus::pass;
  std::string file;        // relative to the session's folder; "" where the rule is of no one file
  std::uint32_t line = 0;  // from 1; 0 where there is none
  std::string expected, got, mend;
  std::string note;  // what else there is to know: why a rule was not checked, what it rests on
};

struct CheckedSession {
  std::string path;
  Kind kind = Kind::inference;
  CheckRound round = CheckRound::current;
  std::vector<Verdict> verdicts;  // by rule in the order of the table, at least one each
  std::size_t num(VerdictStatus status) const;
  bool is_passed() const { return num(VerdictStatus::fail) == 0; }
};

struct CheckRequest {
  base::Settings settings;
  std::string folder;
  CheckRound round = CheckRound::automatic;  // that of a folder's name, else current
  Compatibility compat = Compatibility::none;
};

struct CheckResult {
  std::string folder;
  Compatibility compat = Compatibility::none;
  std::vector<CheckedSession> sessions;  // by path
  bool is_passed() const;
};

// Every inference session and training result of a folder and of those below it; `run_1`, `ranging`
// and `power` stand for the session that they belong to. UserError "no-such-folder", "no-session".
CheckResult check(const CheckRequest& request, base::Progress& progress = base::no_progress());

void describe(verb::Fields& fields, CheckRequest& request);
void present(verb::Report& report, const CheckResult& result);

}  // namespace greenline::mlperf
