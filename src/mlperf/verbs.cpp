#include "mlperf/verbs.hpp"

#include "mlperf/check.hpp"
#include "mlperf/score_tree.hpp"
#include "mlperf/selftest.hpp"
#include "verb/fields.hpp"
#include "verb/registry.hpp"
#include "verb/report.hpp"

namespace greenline::mlperf {
namespace {

namespace units = base::units;

verb::DerivationInput input(const char* symbol, const char* key, base::AnyQuantity value,
                            const char* source = "computed") {
  return {symbol, key, value, source};
}

verb::Derivation metric_derivation(const Score& s) {
  verb::Derivation d{.formula = s.formula,
                     .inputs = {input("average", "average_w", s.average_power)}};
  if (s.formula.find("duration") != std::string::npos)
    d.inputs.push_back(input("duration", "duration_s", s.duration));
  if (s.formula.find("queries") != std::string::npos)
    d.inputs.push_back(input("queries", "queries", *s.queries, "mlperf_log_detail.txt"));
  return d;
}

void present_names(verb::Report& r, const Score& s) {
  const auto text = [&](const char* key, const std::string& value, const char* why) {
    if (value.empty())
      r.absent(key, {}, why);
    else
      r.text(key, value);
  };
  r.text("kind", base::enum_name(s.kind));
  text("round", s.round.text(), "no folder is called after one, as inference_v3.0: see --round");
  text("submitter", s.submitter, "the folder stands in no tree of submissions");
  text("system", s.system, "the folder stands in no tree of submissions");
  text("benchmark", s.benchmark, "the folder stands in no tree of submissions");
  if (s.kind == Kind::inference) r.text("scenario", s.scenario);
}

void present_efficiency(verb::Report& r, const Score& s) {
  if (s.samples_per_joule)
    r.value("samples_per_joule", *s.samples_per_joule,
            {.label = "samples per joule", .headline = true});
  else
    r.absent("samples_per_joule", {}, s.samples_per_joule_why, {.label = "samples per joule"});
  if (s.tokens_per_joule)
    r.value("tokens_per_joule", *s.tokens_per_joule, {.label = "tokens per joule"});
  if (s.performance)
    r.value("performance", *s.performance * units::per_s, {.label = "samples a second"});
  if (s.queries) r.value("queries", *s.queries);
}

void present_energy(verb::Report& r, const ScoredSession& x) {
  const Score& s = x.score;
  r.value("average", x.average_power,
          {.label = "mean power",
           .why = "by the rule of the metric; the interval is the meter's",
           .headline = true});
  r.value("duration", s.duration,
          {.label = s.kind == Kind::training ? "time to train" : "length of the window"});
  r.value(
      "energy", s.energy,
      {.label = "mean power × duration",
       .derivation = verb::Derivation{.formula = "average × duration",
                                      .inputs = {input("average", "average_w", s.average_power),
                                                 input("duration", "duration_s", s.duration)}}});
  r.value("native_energy", x.native_energy,
          {.label = "energy as an integral",
           .why = "each sample is the mean since the one before; those at an edge count in part",
           .headline = true});
  r.value("native_difference", s.native_difference(),
          {.label = "integral against mean × duration", .as_percent = true});
  r.value("native_coverage", s.native_coverage,
          {.label = "of the window covered by samples", .as_percent = true});
}

void present_samples(verb::Report& r, const Score& s) {
  r.value("samples", s.num_samples, {.label = "power samples in the window"});
  r.value("samples_recorded", s.num_recorded, {.label = "power samples in the trace"});
  r.value("samples_invalid", s.num_invalid, {.label = "NaN, -1 or 0 in the window"});
  r.value("sample_period", s.sample_period, {.label = "a sample every"});
  r.value("longest_gap", s.native.longest_gap, {.label = "longest time between two"});
  if (s.begin)
    r.value("begin", *s.begin, {.label = s.kind == Kind::training ? "first run began" : "from"});
}

void present_runs(verb::Report& r, const Score& s) {
  r.value("scaling_factor", s.scaling_factor, {.label = "scaling factor"});
  r.value("dropped", s.num_dropped, {.label = "fastest and slowest runs that do not count"});
  std::vector<std::string> names;
  std::vector<base::Time> times;
  std::vector<base::Energy> nodes, interconnect, native;
  std::vector<std::int64_t> num_nodes, num_switches, degenerate;
  std::vector<bool> converged, counted;
  for (const TrainingRun& run : s.runs) {
    names.push_back(run.name);
    times.push_back(run.time);
    nodes.push_back(run.node_energy);
    interconnect.push_back(run.interconnect_energy);
    native.push_back(run.native.energy);
    num_nodes.push_back(static_cast<std::int64_t>(run.num_nodes));
    num_switches.push_back(static_cast<std::int64_t>(run.num_switches));
    degenerate.push_back(static_cast<std::int64_t>(run.num_degenerate));
    converged.push_back(run.is_converged);
    counted.push_back(run.is_counted);
  }
  r.table("runs", "Runs by time")
      .column("run", names)
      .column("time", times)
      .column("node_energy", nodes, "nodes")
      .column("interconnect_energy", interconnect, "interconnect")
      .column("native_energy", native, "as an integral")
      .column("nodes", num_nodes, "node logs")
      .column("switches", num_switches, "switch logs")
      .column("degenerate_stops", degenerate, "stops no later than starts")
      .column("converged", converged)
      .column("counted", counted);
}

void present_windows(verb::Report& r, const Score& s) {
  r.value("inferences", *s.inferences, {.label = "inferences of a window"});
  std::vector<std::int64_t> numbers, samples;
  std::vector<base::Time> lengths;
  std::vector<base::Energy> energies;
  std::vector<double> microjoules, per_inference;
  for (const TinyWindow& w : s.windows) {
    numbers.push_back(w.number);
    samples.push_back(static_cast<std::int64_t>(w.num_samples));
    lengths.push_back(w.length());
    energies.push_back(w.microjoules * 1e-6 * units::J);
    microjoules.push_back(w.microjoules);
    per_inference.push_back(w.microjoules / static_cast<double>(*s.inferences));
  }
  r.table("windows", "Measured windows")
      .column("window", numbers)
      .column("length", lengths)
      .column("samples", samples)
      .column("energy", energies)
      .column("microjoules", microjoules, "µJ")
      .column("microjoules_per_inference", per_inference, "µJ/inference");
}

void present_one(verb::Report& r, const ScoreResult& all) {
  const ScoredSession& x = all.sessions.front();
  const Score& s = x.score;
  r.title("MLPerf power: " + (s.benchmark.empty() ? s.path : s.benchmark + " " + s.scenario));
  verb::ValueOptions metric{.label = "metric, " + s.unit, .headline = true};
  if (!s.formula.empty()) metric.derivation = metric_derivation(s);
  r.value("metric", s.metric, metric);
  r.text("unit", s.unit);
  present_names(r, s);
  present_energy(r, x);
  present_efficiency(r, s);
  present_samples(r, s);
  if (x.carbon)
    r.value("operational", *x.carbon,
            {.label = "carbon of the energy on " + all.grid, .headline = true});
  if (s.kind == Kind::training) present_runs(r, s);
  if (s.kind == Kind::tiny) present_windows(r, s);
  for (const std::string& notice : s.notices) r.notice(notice);
}

}  // namespace

// Of a tree; verbs_tree.cpp.
void present_tree(verb::Report& report, const ScoreResult& result);

void describe(verb::Fields& f, ScoreRequest& r) {
  f(r.folder, "folder", "a run, performance or scenario folder, or a whole tree of submissions")
      .positional()
      .required()
      .placeholder("DIR");
  f(r.kind, "kind", "score only sessions of this kind").chosen();
  f(r.round, "round", "round whose rules decide the unit; that of the folder's name when left out")
      .placeholder("v3.0");
  f(r.scenario, "scenario", "scenario of the metric, instead of the directory's").chosen();
  f(r.trace_shift, "trace_shift", "added to the times of the power samples, to mend a clock")
      .bounds(-48.0 * units::h, 48.0 * units::h);
  f(r.grid, "grid", "hourly grid file, region, country or intensity, for carbon")
      .placeholder("FILE|REGION");
  f(r.pue, "pue", "power usage effectiveness of the building, for carbon; never in the metric")
      .bounds(1.0, 10.0);
}

void present(verb::Report& r, const ScoreResult& x) {
  if (x.sessions.size() == 1 && x.broken.empty())
    present_one(r, x);
  else
    present_tree(r, x);
  if (x.grid.empty()) return;
  if (x.pue == 1) r.not_included("cooling and power distribution of the building: see --pue");
  r.not_included("making of the devices");
}

void register_verbs(verb::Registry& registry) {
  registry.add<ScoreRequest, ScoreResult>(
      {.noun = "mlperf",
       .name = "score",
       .heading = verb::Heading::account,
       .summary = "the power metric of MLPerf sessions, and their energy",
       .description =
           "Reads the logs of inference, training and tiny power sessions, computes the metric as "
           "the round's rules do, and beside it the energy as an integral of the samples. A tree "
           "of submissions becomes a table; sessions that can't be scored are listed with their "
           "reason.",
       .examples = {{"greenline mlperf score closed/Dell/results/R750/resnet50/Offline",
                     "one scenario"},
                    {"greenline mlperf score submissions -o scores.csv", "a whole tree"}}},
      score);
  registry.add<CheckRequest, CheckResult>(
      {.noun = "mlperf",
       .name = "check",
       .heading = verb::Heading::account,
       .summary = "whether MLPerf power sessions are valid by the rules of a round",
       .description =
           "Judges inference sessions (programs, power daemon, clocks, messages, hashes, samples) "
           "and the power logs of training results. Each verdict names rule, file, line, what was "
           "expected, what came and the mend; a broken file is a verdict, not an error. The status "
           "is failed when a rule fails; warnings do not count.",
       .examples =
           {{"greenline mlperf check closed/Dell/results/R750/resnet50/Offline --round v1.1",
             "one session"},
            {"greenline mlperf check submissions --fail-if 'num_failed_sessions > 0'",
             "a tree as a gate"}}},
      check);
  registry.add_selftest("mlperf", selftest);
}

}  // namespace greenline::mlperf
