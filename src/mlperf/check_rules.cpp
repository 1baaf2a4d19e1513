#include "mlperf/check_rules.hpp"

#include <sstream>

#include <fmt/format.h>

namespace greenline::mlperf {
namespace {

constexpr std::string_view kSha1Of = "SHA-1 of ";

template <class Evidence>
std::vector<Verdict> judge_rule(const Rule<Evidence>& rule, const Evidence& evidence,
                                CheckRound round) {
  Findings findings;
  std::string why;
  try {
    rule.check(evidence, findings);
  } catch (const NotChecked& e) {
    why = e.why;
  } catch (const base::DataError& e) {
    findings.fail({e.where().file, static_cast<std::uint32_t>(e.where().line)}, rule.title,
                  e.message(), e.hint().empty() ? "restore the file as it was measured" : e.hint());
  }
  const std::string note = findings.note();
  std::vector<Verdict> verdicts = findings.take();
  if (verdicts.empty()) {
    Verdict v;
    v.status = why.empty() ? VerdictStatus::pass : VerdictStatus::not_checked;
    verdicts.push_back(v);
  }
  for (Verdict& v : verdicts) {
    v.rule = rule.id;
    v.title = rule.title;
    v.note = v.status == VerdictStatus::not_checked ? why : note;
    if (v.status == VerdictStatus::fail && round < rule.fails_from) {
      v.status = VerdictStatus::warning;
      v.note = fmt::format("no rule of round {}", base::enum_name(round));
    }
  }
  return verdicts;
}

template <class Evidence>
std::vector<Verdict> judge(std::span<const Rule<Evidence>> rules, const Evidence& evidence,
                           CheckRound round, bool only_upstream) {
  std::vector<Verdict> all;
  for (const Rule<Evidence>& rule : rules) {
    if (only_upstream && !rule.is_upstream) continue;
    for (Verdict& v : judge_rule(rule, evidence, round)) {
      // Errors of readers name the whole path.
      if (v.file.starts_with(evidence.folder + "/")) v.file.erase(0, evidence.folder.size() + 1);
      all.push_back(std::move(v));
    }
  }
  return all;
}

void submission_files(const InferenceEvidence& x, Findings& f) {
  check_submission_files(x.folder, f);
}

}  // namespace

std::span<const Rule<InferenceEvidence>> inference_rules() {
  using enum CheckRound;
  static constexpr Rule<InferenceEvidence> kRules[] = {
      {"required_fields_check", "client.json and server.json can be read and are whole", true, v1_1,
       check_required_fields},
      {"client_sources_check", "the client ran programs of the round", true, v1_1,
       check_client_sources},
      {"server_sources_check", "the server ran programs of the round", true, v1_1,
       check_server_sources},
      {"ptd_messages_check", "the power daemon is accepted and did what it was told", true, v1_1,
       check_ptd_messages},
      {"uuid_check", "UUIDs of client and server are equal", true, v1_1, check_uuid},
      {"session_name_check", "session names of client and server are equal", true, v1_1,
       check_session_name},
      {"phases_check", "clocks agree, and LoadGen ran inside the phases", true, v1_1, check_phases},
      {"duration_check", "the test is not shorter than ranging", true, v1_1, check_duration},
      {"mean_power_check", "the test draws no less than ranging", true, current, check_mean_power},
      {"messages_check", "client and server saw the same messages", true, v1_1, check_messages},
      {"results_check", "files are there and as they were measured", true, v1_1, check_results},
      {"ptd_logs_check", "the power daemon logged no error and no uncertainty above 1 %", true,
       v1_1, check_ptd_logs},
      {"ptd_config_check", "the analyzer is accepted and its channels are configured", true, v1_1,
       check_ptd_config},
      {"debug_check", "the server did not run in debug mode", true, v1_1, check_debug},
      {"ranges_check", "the test used the ranges that ranging found", false, v1_1, check_ranges},
      {"sample_values_check", "every sample of the test is a power", false, v1_1,
       check_sample_values},
      {"sampling_rate_check", "a sample each second", false, v1_1, check_sampling_rate},
      {"num_samples_check", "at least 60 samples", false, v1_1, check_num_samples},
      {"submission_files_check", "analyzer and power settings are described", false, v1_1,
       submission_files}};
  return kRules;
}

RoundFacts round_facts(const catalog::Catalog& facts, CheckRound round) {
  RoundFacts x;
  std::string entry = std::string("mlperf-round-") + base::enum_name(round);
  for (char& c : entry)
    if (c == '.') c = '-';
  std::istringstream versions(facts.text(entry + ".ptd_versions"));
  for (std::string version; versions >> version;) x.ptd_versions.push_back(version);
  for (int i = 1;; ++i) {
    Hashes list;
    for (const catalog::Fact& fact : facts.facts_of(fmt::format("{}-sources-{}", entry, i)))
      if (fact.quantity.starts_with(kSha1Of))
        list.emplace(fact.quantity.substr(kSha1Of.size()), facts.text(fact.id));
    if (list.empty()) break;
    x.sources.push_back(std::move(list));
  }
  x.basis = round == CheckRound::current
                ? "by the list released with the checker"
                : fmt::format("observed: what sessions of {} have, not a released list",
                              base::enum_name(round));
  return x;
}

std::vector<Verdict> judge_inference(const InferenceEvidence& x) {
  return judge(inference_rules(), x, x.round, x.is_compat());
}
std::vector<Verdict> judge_training(const TrainingEvidence& x, CheckRound round) {
  return judge(training_rules(), x, round, false);
}

}  // namespace greenline::mlperf
