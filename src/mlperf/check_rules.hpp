// The rules of `mlperf check`, and what they look at.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "catalog/catalog.hpp"
#include "mlperf/check.hpp"
#include "mlperf/loadgen.hpp"
#include "mlperf/ptd_log.hpp"
#include "mlperf/session_file.hpp"
#include "mlperf/spl.hpp"
#include "mlperf/training_log.hpp"

namespace greenline::mlperf {

// Thrown by a rule that can't be judged.
struct NotChecked {
  std::string why;
};

// A file of a session: parsed, missing, or why it can't be parsed.
template <class T>
struct Part {
  std::string file;  // relative to the session's folder
  std::optional<T> value;
  std::optional<base::DataError> failure;  // nothing: the file is missing

  // NotChecked unless there is a value.
  const T& need() const {
    if (!value) throw NotChecked{file + (failure ? " can't be read" : " is missing")};
    return *value;
  }
  // For the one rule that answers for the file: its DataError. A missing file is of results_check.
  const T& own() const {
    if (failure) throw *failure;
    return need();
  }
};

using Hashes = std::map<std::string, std::string>;  // file to SHA-1, lower case

// What a round accepts (data/mlperf_rounds.csv).
struct RoundFacts {
  std::vector<Hashes> sources;            // of client and server programs
  std::string basis;                      // "observed in sessions of the round, …"
  std::vector<std::string> ptd_versions;  // of the power daemon
};
RoundFacts round_facts(const catalog::Catalog& facts, CheckRound round);

struct InferenceEvidence {
  std::string folder;
  CheckRound round = CheckRound::current;
  Compatibility compat = Compatibility::none;
  RoundFacts facts;
  Part<SessionFile> client, server;
  Part<LoadgenLog> ranging_log, testing_log;
  Part<SplTrace> ranging_spl, testing_spl;
  Part<std::vector<PtdLine>> ptd_log;
  Hashes hashes;  // of the files of the folder and its folders
  bool is_compat() const { return compat == Compatibility::mlcommons; }
};

struct TrainingEvidence {
  std::string folder;
  std::vector<std::string> results;      // "result_0.txt", sorted
  std::vector<std::string> directories;  // of power/, sorted
  struct Log {
    std::string directory, name;  // "result_0", "node_0.txt"
    Part<PowerLog> log;
  };
  std::vector<Log> logs;  // node_*.txt and sw_*.txt
};

struct Place {
  std::string file;
  std::uint32_t line = 0;
};

// What a rule has found. Nothing: it passes.
class Findings {
 public:
  void fail(Place place, std::string expected, std::string got, std::string mend) {
    add(VerdictStatus::fail, std::move(place), std::move(expected), std::move(got),
        std::move(mend));
  }
  void warn(Place place, std::string expected, std::string got, std::string mend) {
    add(VerdictStatus::warning, std::move(place), std::move(expected), std::move(got),
        std::move(mend));
  }
  void note(std::string text) { note_ = std::move(text); }  // goes to each verdict of the rule

  bool empty() const { return verdicts_.empty(); }
  const std::string& note() const { return note_; }
  std::vector<Verdict> take() { return std::move(verdicts_); }

 private:
  void add(VerdictStatus status, Place place, std::string expected, std::string got,
           std::string mend) {
    verdicts_.push_back({"", "", status, std::move(place.file), place.line, std::move(expected),
                         std::move(got), std::move(mend), ""});
  }
  std::vector<Verdict> verdicts_;
  std::string note_;
};

template <class Evidence>
struct Rule {
  const char* id;         // as the function upstream is called, where it has the rule
  const char* title;      // what holds when it passes
  bool is_upstream;       // also runs with --compat mlcommons
  CheckRound fails_from;  // in earlier rounds its findings are warnings
  void (*check)(const Evidence&, Findings&);
};

std::span<const Rule<InferenceEvidence>> inference_rules();
std::span<const Rule<TrainingEvidence>> training_rules();

// Never throws but InternalError.
std::vector<Verdict> judge_inference(const InferenceEvidence& evidence);
std::vector<Verdict> judge_training(const TrainingEvidence& evidence, CheckRound round);

// What client and server wrote: check_session.cpp.
void check_required_fields(const InferenceEvidence& x, Findings& f);
void check_client_sources(const InferenceEvidence& x, Findings& f);
void check_server_sources(const InferenceEvidence& x, Findings& f);
void check_uuid(const InferenceEvidence& x, Findings& f);
void check_session_name(const InferenceEvidence& x, Findings& f);
void check_messages(const InferenceEvidence& x, Findings& f);
void check_results(const InferenceEvidence& x, Findings& f);
void check_debug(const InferenceEvidence& x, Findings& f);
// The power daemon and its analyzer: check_ptd.cpp.
void check_ptd_messages(const InferenceEvidence& x, Findings& f);
void check_ptd_logs(const InferenceEvidence& x, Findings& f);
void check_ptd_config(const InferenceEvidence& x, Findings& f);
// Clocks, windows and samples: check_samples.cpp.
void check_phases(const InferenceEvidence& x, Findings& f);
void check_duration(const InferenceEvidence& x, Findings& f);
void check_mean_power(const InferenceEvidence& x, Findings& f);
void check_ranges(const InferenceEvidence& x, Findings& f);
void check_sample_values(const InferenceEvidence& x, Findings& f);
void check_sampling_rate(const InferenceEvidence& x, Findings& f);
void check_num_samples(const InferenceEvidence& x, Findings& f);
// Of a submission, given any folder in it: check_training.cpp.
void check_submission_files(const std::string& folder, Findings& f);

// A sample for each second: the mean of 1 s may be off by the clock of the meter, one gap by the
// time that the daemon takes to answer.
inline constexpr double kLongestMeanPeriod = 1.05, kLongestGap = 1.5;  // s
inline constexpr std::size_t kFewestSamples = 60;

}  // namespace greenline::mlperf
