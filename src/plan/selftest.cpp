// `greenline selftest plan`: published memory, parameter counts, utilisation and times beside ours.
#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/file.hpp"
#include "plan/iteration.hpp"
#include "plan/memory.hpp"
#include "plan/pipeline.hpp"
#include "plan/search.hpp"
#include "plan/utilisation.hpp"
#include "plan/validation.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::CheckRow;
using catalog::Catalog;
using Rows = std::vector<CheckRow>;

// Korthikanti et al., the published closed forms in GiB, and MFU and HFU in percent of their
// selective runs.
struct PublishedPlan {
  const char* model;
  const char* strategy;
  std::int64_t interleave, micro_batch, global_batch;
  double states, activations_none, activations_selective;
  double mfu, hfu;
  const char* run;  // anchor with the measured time behind mfu and hfu
};
constexpr PublishedPlan kKorthikanti[] = {
    {"megatron-22b", "tp8,pp1,dp1", 1, 4, 4, 45.5625, 59.25, 9.5625, 41.65, 43.81,
     "korthikanti-22b-8-selective"},
    {"megatron-175b", "tp8,pp8,dp1", 3, 1, 64, 45.5625, 66.84375, 12.3515625, 51.39, 52.77,
     "korthikanti-175b-64-selective"},
    {"megatron-530b", "tp8,pp35,dp1", 3, 1, 280, 31.640625, 114.0234375, 23.076171875, 56.05, 56.96,
     "korthikanti-530b-280-selective"},
    {"megatron-1t", "tp8,pp64,dp1", 1, 1, 512, 32.958984375, 131.25, 26.5625, 56.27, 57.01,
     "korthikanti-1t-512-selective"},
};

struct Planned {
  Problem problem;
  Configuration configuration;
};

Planned plan_of(const Catalog& facts, const PublishedPlan& x, Recompute recompute,
                bool sequence_parallel) {
  Planned r;
  r.problem.shape = catalog::model_shape(facts, x.model);
  r.problem.system = catalog::system(facts, "dgx-a100-80");
  r.problem.machine = model::machine(facts, r.problem.system, catalog::Precision::fp16);
  r.problem.global_batch = x.global_batch;
  r.problem.sequence_length = r.problem.shape.sequence_length;
  r.problem.attention = model::Attention::materialised;
  r.configuration.strategy = parse_strategy(x.strategy, 0);
  r.configuration.strategy.sequence_parallel = sequence_parallel;
  r.configuration.recompute = recompute;
  r.configuration.micro_batch = x.micro_batch;
  r.configuration.interleave = x.interleave;
  r.problem.devices = r.configuration.strategy.devices();
  return r;
}

void memory_rows(const Catalog& facts, Rows& rows) {
  for (const PublishedPlan& x : kKorthikanti) {
    const Planned none = plan_of(facts, x, Recompute::none, false);
    const Planned selective = plan_of(facts, x, Recompute::selective, true);
    const Memory a = korthikanti_memory(none.problem, none.configuration);
    const Memory b = korthikanti_memory(selective.problem, selective.configuration);
    auto add = [&](const char* what, double expected, base::Data got) {
      // Sums of products of small integers and powers of two: any difference is a wrong formula.
      rows.push_back({"korthikanti2022: memory", fmt::format("{} {}", x.model, what), expected,
                      got.in(units::GiB), "GiB", 1e-12, true, true, "korthikanti2022", ""});
    };
    add("weights, gradients and optimizer", x.states, a.weights + a.gradients + a.optimizer);
    add("activations, nothing recomputed", x.activations_none, a.activations);
    add("activations, sequence parallel and selective", x.activations_selective, b.activations);
  }
}

void parameter_rows(const Catalog& facts, Rows& rows) {
  constexpr std::pair<const char*, double> kFormula[] = {
      {"megatron-1.7b", 1.65},   {"megatron-3.6b", 3.56},   {"megatron-7.5b", 7.47},
      {"megatron-18b", 18.45},   {"megatron-39b", 39.10},   {"megatron-76b", 76.05},
      {"megatron-145b", 145.62}, {"megatron-310b", 310.13}, {"megatron-530b", 529.60},
      {"megatron-1t", 1008.04}};
  for (const auto& [model, billions] : kFormula)
    rows.push_back({"narayanan2021: parameters by formula", model, billions,
                    model::megatron_parameters(catalog::model_shape(facts, model)) / 1e9, "billion",
                    0.01, false, true, "narayanan2021", ""});
  constexpr std::pair<const char*, double> kExact[] = {
      {"llama2-7b", 6738415616}, {"llama2-13b", 13015864320}, {"llama2-70b", 68976648192},
      {"llama3-8b", 8030261248}, {"llama3-70b", 70553706496}, {"llama3-405b", 405853388800}};
  for (const auto& [model, count] : kExact)
    rows.push_back({"parameters of published checkpoints", model, count,
                    model::count_parameters(catalog::model_shape(facts, model)).total(), "", 0,
                    false, true, std::string(model).starts_with("llama2") ? "llama2" : "llama3herd",
                    ""});
}

void utilisation_rows(const Catalog& facts, Rows& rows) {
  for (const PublishedPlan& x : kKorthikanti) {
    const Planned p = plan_of(facts, x, Recompute::selective, true);
    const base::Time measured =
        facts.get<base::Time>(fmt::format("anchor.{}.iteration_time", x.run));
    const base::Work possible =
        static_cast<double>(p.problem.devices) * p.problem.machine.matmul_peak * measured;
    auto add = [&](const char* what, double expected, base::Work flops) {
      // Printed to two digits, from a time printed to two.
      rows.push_back({"korthikanti2022: utilisation at the measured time",
                      fmt::format("{} {}", x.model, what), expected, 100 * (flops / possible), "%",
                      0.01, false, true, "korthikanti2022", ""});
    };
    add("MFU", x.mfu,
        model::model_flops(p.problem.shape, p.problem.sequence_length,
                           static_cast<double>(p.problem.global_batch)));
    add("HFU", x.hfu, executed_flops(p.problem, p.configuration, Compat::korthikanti));
  }
}

constexpr double kTimeTolerance = 0.2;

bool is_gated(const MeasuredRun& run) {
  static const std::set<std::string> kTorchTitan = {"torchtitan-llama3-8b-8-compile",
                                                    "torchtitan-llama3-8b-128-compile",
                                                    "torchtitan-llama3-70b-256-bf16"};
  return run.source == "korthikanti2022" || kTorchTitan.contains(run.name);
}

CheckRow time_row(const MeasuredRun& run, std::string table, bool gated) {
  const base::Time ours = iteration(run.problem, run.configuration).total();
  CheckRow row{std::move(table),
               run.name,
               run.iteration.in(units::s),
               ours.in(units::s),
               "s",
               kTimeTolerance,
               true,
               gated,
               run.source,
               ""};
  if (run.is_rate) {
    row.expected = run.tokens_per_device() / row.expected;
    row.got = run.tokens_per_device() / row.got;
    row.unit = "token/s per device";
  }
  return row;
}

// LLaMA-1 65B says devices, batch and rate but no strategy: ours is the fastest that fits.
void llama_row(const Catalog& facts, Rows& rows, base::Progress& progress) {
  const catalog::Fact* rate = facts.peek("anchor.llama1-65b-run.tokens_per_s_per_device");
  if (rate == nullptr) return;
  MeasuredRun run;
  Problem& p = run.problem;
  p.shape = catalog::model_shape(facts, "llama1-65b");
  p.system = catalog::system(facts, "dgx-a100-80");
  p.machine = model::machine(facts, p.system, catalog::Precision::bf16);
  p.devices = facts.integer("anchor.llama1-65b-run.devices");
  p.global_batch = facts.integer("anchor.llama1-65b-run.global_batch");
  p.sequence_length = facts.integer("anchor.llama1-65b-run.sequence_length");
  run.configuration = search(p, {}, progress).best;
  run.name = "llama1-65b on 2048 devices, fastest strategy";
  run.source = rate->source;
  run.is_rate = true;
  run.iteration = run.tokens_per_device() / rate->value.value * units::s;
  CheckRow row = time_row(run, "llama1: tokens per second", false);
  row.note =
      "the paper does not say the strategy; ours: " + strategy_text(run.configuration.strategy);
  rows.push_back(std::move(row));
}

// Llama 3 405B on devices at their full power, the only such runs whose layout is published: no
// constant was fitted to them. The interleaving is not stated; ours is one layer a chunk, which
// makes the smallest bubble.
void llama3_rows(const Catalog& facts, Rows& rows) {
  for (const char* name : {"llama3-405b-8192", "llama3-405b-16384"}) {
    const std::string anchor = fmt::format("anchor.{}.", name);
    if (facts.peek(anchor + "achieved_flops") == nullptr) continue;
    Problem p;
    p.shape = catalog::model_shape(facts, "llama3-405b");
    p.system = catalog::system(facts, "dgx-h100");
    p.machine = model::machine(facts, p.system, catalog::Precision::bf16);
    p.devices = facts.integer(anchor + "devices");
    p.global_batch = facts.integer(anchor + "global_batch");
    p.sequence_length = facts.integer(anchor + "sequence_length");
    Configuration c;
    c.strategy = parse_strategy(facts.text(anchor + "strategy") + ",zero1,sp", p.devices);
    c.interleave = p.shape.layers / c.strategy.pipeline_parallel;
    const base::Work flops =
        model::model_flops(p.shape, p.sequence_length, static_cast<double>(p.global_batch));
    const base::WorkRate ours = flops / (static_cast<double>(p.devices) * iteration(p, c).total());
    rows.push_back({"llama3herd: achieved rate at 700 W", name,
                    facts.get<base::WorkRate>(anchor + "achieved_flops").in(units::TFLOP_per_s),
                    ours.in(units::TFLOP_per_s), "TFLOP/s per device", kTimeTolerance, true, false,
                    "llama3herd",
                    fmt::format("interleaving and sharding are not stated; ours: {}, {} chunks",
                                strategy_text(c.strategy), c.interleave)});
  }
}

std::vector<std::string> vtrain_files(const base::SelftestRequest& r) {
  std::vector<std::string> files;
  for (const std::string& path : r.oracles)
    files.push_back(std::filesystem::is_directory(path)
                        ? (std::filesystem::path(path) / "vtrain_multi.csv").string()
                        : path);
  if (!files.empty()) return files;
  const std::string given =
      (std::filesystem::path(r.root) / "oracles" / "vtrain_multi.csv").string();
  if (!r.root.empty() && io::is_file(given)) return {given};
  r.settings.journal->notice(
      "the multi-node runs of vtrain2024 are not part of the package: give --oracle FILE or --root "
      "DIR to see them");
  return {};
}

void time_rows(const Catalog& facts, const base::SelftestRequest& r, Rows& rows,
               base::Progress& progress) {
  for (const MeasuredRun& run : anchor_runs(facts))
    rows.push_back(time_row(run, run.source + ": " + (run.is_rate ? "rate" : "iteration time"),
                            is_gated(run)));
  llama_row(facts, rows, progress);
  llama3_rows(facts, rows);
  for (const std::string& file : vtrain_files(r))
    for (const MeasuredRun& run : vtrain_runs(facts, file, *r.settings.journal))
      rows.push_back(time_row(run, "vtrain2024: " + run.problem.shape.id, false));
}

// The closed form of the pipeline against its schedule, task by task, with the stage times of the
// published runs.
void pipeline_rows(const Catalog& facts, Rows& rows) {
  for (const PublishedPlan& x : kKorthikanti) {
    const Planned plan = plan_of(facts, x, Recompute::selective, true);
    const Strategy& s = plan.configuration.strategy;
    std::vector<base::Time> times;
    std::vector<StageWork> work;
    for (std::int64_t i = 0; i < s.pipeline_parallel; ++i) {
      const StageTime t = stage_time(plan.problem, plan.configuration, i);
      times.push_back(t.total());
      work.push_back({t.total() - t.backward, t.backward});
    }
    const std::int64_t batches = num_micro_batches(plan.problem, plan.configuration);
    const model::Timeline schedule = pipeline_schedule(work, batches, x.interleave);
    // Stages with embedding or head differ a little from the others; the closed form spreads them
    // evenly.
    rows.push_back({"pipeline: closed form and schedule", x.model,
                    schedule.run().makespan.in(units::s),
                    pipeline_time(times, batches, x.interleave).in(units::s), "s", 0.01, true, true,
                    "narayanan2021", ""});
  }
}

void collective_rows(const Catalog& facts, Rows& rows) {
  struct Size {
    const char* name;
    double mebibytes;
  };
  constexpr Size kSizes[] = {{"1mib", 1},   {"4mib", 4},     {"16mib", 16},
                             {"64mib", 64}, {"256mib", 256}, {"1gib", 1024}};
  constexpr std::pair<const char*, const char*> kNodes[] = {{"nvlink3-8xa100", "dgx-a100-80"},
                                                            {"nvlink2-8xv100", "dgx-v100"}};
  for (const auto& [network, node] : kNodes) {
    const model::Machine m =
        model::machine(facts, catalog::system(facts, node), catalog::Precision::fp16);
    for (const Size& size : kSizes) {
      const std::string id = fmt::format("{}.allreduce_{}", network, size.name);
      if (facts.peek(id) == nullptr) continue;
      rows.push_back({"vtrain2024: all-reduce inside a node", fmt::format("{} {}", node, size.name),
                      facts.get<base::Time>(id).in(units::us),
                      model::all_reduce(m, {8, 8}, size.mebibytes * units::MiB).in(units::us), "us",
                      kTimeTolerance, true, false, "vtrain2024", ""});
    }
  }
}

void device_memory_rows(const Catalog& facts, Rows& rows) {
  for (const MeasuredRun& run : anchor_runs(facts)) {
    const std::string id = fmt::format("anchor.{}.memory", run.name);
    if (facts.peek(id) == nullptr) continue;
    rows.push_back({"torchtitan: peak device memory", run.name,
                    facts.get<base::Data>(id).in(units::GiB),
                    fullest_stage(run.problem, run.configuration).total().in(units::GiB), "GiB",
                    kTimeTolerance, true, false, run.source, ""});
  }
}

}  // namespace

Rows selftest(const base::SelftestRequest& r, base::Progress& progress) {
  static const std::vector<std::string> kKinds = {"memory", "parameters", "utilisation",
                                                  "time",   "pipeline",   "collectives"};
  if (!r.kind.empty() && std::find(kKinds.begin(), kKinds.end(), r.kind) == kKinds.end())
    throw base::unknown_name("kind", r.kind, kKinds);
  const Catalog facts(r.settings);
  const auto wanted = [&](const char* kind) { return r.kind.empty() || r.kind == kind; };
  Rows rows;
  if (wanted("memory")) memory_rows(facts, rows);
  if (wanted("parameters")) parameter_rows(facts, rows);
  if (wanted("utilisation")) utilisation_rows(facts, rows);
  if (wanted("time")) time_rows(facts, r, rows, progress);
  if (wanted("pipeline")) pipeline_rows(facts, rows);
  if (wanted("collectives")) collective_rows(facts, rows);
  if (wanted("memory")) device_memory_rows(facts, rows);
  return rows;
}

}  // namespace greenline::plan
