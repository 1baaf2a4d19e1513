#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/statistics.hpp"
#include "mlperf/score_tree.hpp"
#include "verb/report.hpp"

namespace greenline::mlperf {

void present_tree(verb::Report& report, const ScoreResult& result);

namespace {

namespace units = base::units;

verb::Cell maybe(const std::optional<double>& x, const std::string& why) {
  return x ? verb::make_cell(*x) : verb::Cell(verb::Absent{why});
}
verb::Cell maybe(const std::string& x, const char* why) {
  return x.empty() ? verb::Cell(verb::Absent{why}) : verb::make_cell(x);
}

// "bert-99 Offline"
std::string workload(const Score& s) {
  return s.scenario.empty() ? s.benchmark : s.benchmark + " " + s.scenario;
}

std::size_t num_nodes(const Score& s) { return s.runs.empty() ? 1 : s.runs.front().num_nodes; }

std::optional<base::Rate> rate_of(const Score& s) {
  return s.performance ? std::optional(*s.performance * units::per_s) : std::nullopt;
}

// Where the paths of all sessions begin to differ, after a slash.
std::size_t common_prefix(const ScoreResult& x) {
  if (x.sessions.size() < 2) return 0;
  const std::string &first = x.sessions.front().score.path, &last = x.sessions.back().score.path;
  const auto [end, other] = std::mismatch(first.begin(), first.end(), last.begin(), last.end());
  return first.rfind('/', static_cast<std::size_t>(end - first.begin())) + 1;
}

void present_sessions(verb::Report& r, const ScoreResult& x) {
  const std::size_t prefix = common_prefix(x);
  std::vector<std::string> paths, kinds, workloads, units_of, notes;
  std::vector<verb::Cell> rounds, submitters, systems, efficiency, tokens;
  std::vector<double> metrics, difference, coverage;
  std::vector<base::Power> power;
  std::vector<base::Time> duration;
  std::vector<base::Energy> energy;
  std::vector<std::int64_t> samples, nodes;
  std::vector<std::optional<base::Rate>> performance;
  std::vector<std::optional<base::Carbon>> carbon;
  for (const ScoredSession& session : x.sessions) {
    const Score& s = session.score;
    paths.push_back(s.path.substr(prefix));
    kinds.emplace_back(base::enum_name(s.kind));
    rounds.push_back(maybe(s.round.text(), "no folder is called after one"));
    submitters.push_back(maybe(s.submitter, "not in the path"));
    systems.push_back(maybe(s.system, "not in the path"));
    workloads.push_back(workload(s));
    metrics.push_back(s.metric);
    units_of.push_back(s.unit);
    power.push_back(s.average_power);
    duration.push_back(s.duration);
    energy.push_back(s.native.energy);
    difference.push_back(s.native_difference());
    coverage.push_back(s.native_coverage);
    samples.push_back(static_cast<std::int64_t>(s.num_samples));
    nodes.push_back(static_cast<std::int64_t>(num_nodes(s)));
    performance.push_back(rate_of(s));
    efficiency.push_back(maybe(s.samples_per_joule, s.samples_per_joule_why));
    tokens.push_back(maybe(s.tokens_per_joule, "the log counts no tokens"));
    carbon.push_back(session.carbon ? std::optional(session.carbon->nominal()) : std::nullopt);
    notes.push_back(fmt::format("{}", fmt::join(s.notices, "; ")));
  }
  r.table("sessions", "Sessions")
      .column("system", systems)
      .column("workload", workloads)
      .column("round", rounds)
      .column("metric", metrics)
      .column("unit", units_of)
      .column("average", power, "mean power")
      .column("samples_per_joule", efficiency, "samples per joule")
      .column("native_energy", energy, "energy as an integral")
      .column("native_difference", difference, "against mean × duration", true)
      .column("native_coverage", coverage, "window covered", true)
      .column("operational", carbon, "carbon")
      .column("duration", duration)
      .column("samples", samples, "power samples")
      .column("nodes", nodes)
      .column("performance", performance, "samples a second")
      .column("tokens_per_joule", tokens, "tokens per joule")
      .column("kind", kinds)
      .column("submitter", submitters)
      .column("path", paths)
      .column("note", notes);
}

void present_broken(verb::Report& r, const ScoreResult& x) {
  if (x.broken.empty()) return;
  std::vector<std::string> paths, codes, reasons;
  for (const BrokenSession& b : x.broken) {
    paths.push_back(b.path);
    codes.push_back(b.code);
    reasons.push_back(b.reason);
  }
  r.table("broken", "Sessions without a score")
      .column("path", paths)
      .column("code", codes)
      .column("reason", reasons);
}

// What a system of one scale draws: tiny, inference, training by nodes.
void present_scales(verb::Report& r, const ScoreResult& x) {
  std::map<std::pair<int, std::size_t>, std::vector<double>> by_scale;
  for (const ScoredSession& session : x.sessions) {
    const Score& s = session.score;
    const int rank = s.kind == Kind::tiny ? 0 : s.kind == Kind::inference ? 1 : 2;
    by_scale[{rank, num_nodes(s)}].push_back(s.average_power.in(units::W));
  }
  std::vector<std::string> scales;
  std::vector<std::int64_t> num;
  std::vector<base::Power> low, middle, high;
  for (auto& [scale, watts] : by_scale) {
    std::sort(watts.begin(), watts.end());
    scales.push_back(scale.first == 0   ? "tiny"
                     : scale.first == 1 ? "inference"
                                        : fmt::format("training, {} node{}", scale.second,
                                                      scale.second == 1 ? "" : "s"));
    num.push_back(static_cast<std::int64_t>(watts.size()));
    low.push_back(watts.front() * units::W);
    middle.push_back(base::percentile_of_sorted(watts, 0.5) * units::W);
    high.push_back(watts.back() * units::W);
  }
  r.table("scales", "Power by scale")
      .column("scale", scales)
      .column("sessions", num)
      .column("lowest", low)
      .column("median", middle)
      .column("highest", high);
  r.chart({.key = "scales",
           .title = "Power by scale",
           .kind = verb::ChartKind::bars,
           .x = "scales.scale",
           .y = {"scales.lowest", "scales.median", "scales.highest"},
           .labels = {"lowest", "median", "highest"}});
}

// The best efficiency of each workload in each round, and whose it is. Scenarios are kept apart:
// Offline and Server of one system differ.
void present_rounds(verb::Report& r, const ScoreResult& x) {
  std::map<std::pair<Round, std::string>, const Score*> best;
  for (const ScoredSession& session : x.sessions) {
    const Score& s = session.score;
    if (!s.samples_per_joule || !s.round.is_known()) continue;
    const Score*& held = best[{s.round, workload(s)}];
    if (held == nullptr || *s.samples_per_joule > *held->samples_per_joule) held = &s;
  }
  if (best.empty()) return;
  std::map<std::string, double> first;  // of each workload; rounds ascend
  std::vector<std::string> workloads, rounds, systems;
  std::vector<double> efficiency, gain;
  for (const auto& [key, s] : best) {
    const double value = *s->samples_per_joule;
    rounds.push_back(key.first.text());
    workloads.push_back(key.second);
    systems.push_back(s->system);
    efficiency.push_back(value);
    gain.push_back(value / first.emplace(key.second, value).first->second);
  }
  r.table("rounds", "Best efficiency over rounds")
      .column("workload", workloads)
      .column("round", rounds)
      .column("samples_per_joule", efficiency, "samples per joule")
      .column("gain", gain, "against its first round here")
      .column("system", systems);
  r.notice(
      "best efficiencies of two rounds compare two systems, and a benchmark may have changed "
      "its data between rounds");
  r.chart({.key = "rounds",
           .title = "Best samples per joule over rounds, against the first round of each workload",
           .kind = verb::ChartKind::heat_map,
           .x = "rounds.round",
           .y = {"rounds.workload"},
           .colour = "rounds.gain"});
}

void present_performance(verb::Report& r, const ScoreResult& x) {
  std::vector<std::string> names;
  std::vector<base::Rate> performance;
  std::vector<double> joules;
  std::vector<bool> none;
  for (const ScoredSession& session : x.sessions) {
    const Score& s = session.score;
    if (!s.performance || !s.samples_per_joule) continue;
    names.push_back(fmt::format("{} {}", s.system, workload(s)));
    performance.push_back(*s.performance * units::per_s);
    joules.push_back(1 / *s.samples_per_joule);
    none.push_back(false);
  }
  if (names.empty()) return;
  r.table("performance", "Performance against energy")
      .hidden()
      .column("name", names)
      .column("performance", performance, "samples a second")
      .column("joules_per_sample", joules, "J per sample")
      .column("marked", none);
  r.chart({.key = "performance",
           .title = "Performance against energy",
           .kind = verb::ChartKind::scatter,
           .x = "performance.performance",
           .y = {"performance.joules_per_sample"},
           .x_label = "samples a second",
           .y_label = "J per sample",
           .name = "performance.name",
           .marked = "performance.marked"});
}

}  // namespace

void present_tree(verb::Report& r, const ScoreResult& x) {
  r.title("MLPerf power of " + x.folder);
  r.value("num_scored", x.sessions.size(), {.label = "sessions with a score", .headline = true});
  r.value("num_broken", x.broken.size(), {.label = "without", .headline = true});
  const std::string why = "the folder holds several sessions: see sessions";
  r.absent("metric", {}, why);
  r.absent("unit", {}, why);
  present_sessions(r, x);
  present_broken(r, x);
  if (x.sessions.empty()) return;
  present_scales(r, x);
  present_rounds(r, x);
  present_performance(r, x);
}

}  // namespace greenline::mlperf
