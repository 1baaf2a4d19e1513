#include "plan/verbs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "plan/calibrate.hpp"
#include "plan/estimate.hpp"
#include "plan/timeline_trace.hpp"
#include "plan/validation.hpp"
#include "verb/fields.hpp"
#include "verb/registry.hpp"
#include "verb/report.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::AnyQuantity;
using verb::Derivation;

verb::DerivationInput input(const char* symbol, const char* key, AnyQuantity value,
                            std::string source) {
  return {symbol, key, value, std::move(source)};
}

// Its tokens are samples.
bool is_recommender(const EstimateResult& x) { return x.sequence_length == 0; }

void present_setting(verb::Report& r, const EstimateResult& x) {
  r.text(
      "model", x.model,
      {.label = "model", .why = base::format_quantity(AnyQuantity(x.parameters)) + " parameters"});
  r.value("parameters", x.parameters, {.label = "parameters"});
  r.text("system", x.system, {.label = "system"});
  r.value("devices", x.devices, {.label = "devices"});
  r.value("nodes", x.nodes, {.label = "nodes"});
  r.text("fidelity", base::enum_name(x.fidelity), {.label = "whose rules"});
  r.text("task", base::enum_name(x.task), {.label = "task"});
  r.text("strategy", x.strategy_text, {.label = "strategy"});
  r.value("micro_batch", x.configuration.micro_batch, {.label = "micro-batch"});
  r.value("micro_batches", x.micro_batches, {.label = "micro-batches in an iteration"});
  r.value("global_batch", x.global_batch, {.label = "global batch"});
  if (is_recommender(x))
    r.absent("sequence_length", {}, "a recommender reads samples", {.label = "sequence length"});
  else
    r.value("sequence_length", x.sequence_length, {.label = "sequence length"});
  r.value("interleave", x.configuration.interleave, {.label = "chunks on each pipeline rank"});
  r.text("schedule", base::enum_name(x.configuration.schedule), {.label = "schedule"});
  r.text("recompute", base::enum_name(x.configuration.recompute), {.label = "recomputation"});
  r.text("precision", x.precision, {.label = "number format"});
  r.value("tokens_per_iteration", x.tokens,
          {.label = is_recommender(x) ? "samples in an iteration" : "tokens in an iteration"});
  if (x.configurations_tried > 1)
    r.value("configurations_tried", x.configurations_tried, {.label = "configurations tried"});
}

void present_verdict(verb::Report& r, const EstimateResult& x) {
  r.text("status", status_name(x.status), {.label = "fits", .why = x.why, .headline = true});
  if (x.status == FitStatus::ok) {
    r.absent("why", {}, "it fits", {.label = "what is short"});
    r.absent("mend", {}, "it fits", {.label = "smallest mend"});
    return;
  }
  r.text("why", x.why, {.label = "what is short"});
  if (x.mend.empty())
    r.absent("mend", {},
             "no change of strategy, recomputation or micro-batch on these devices makes it fit",
             {.label = "smallest mend"});
  else
    r.text("mend", x.mend, {.label = "smallest mend"});
}

void present_time(verb::Report& r, const EstimateResult& x) {
  r.value("iteration", x.iteration,
          {.label = "one iteration",
           .headline = true,
           .derivation = Derivation{.formula = "sum(breakdown.time_s)", .inputs = {}}});
  // What users of inference call it.
  if (x.task == Task::prefill && !is_recommender(x))
    r.value("time_to_first_token", x.iteration, {.label = "time to the first token"});
  if (x.task == Task::decode)
    r.value("time_per_token", x.iteration, {.label = "time of one token more"});
  const char* unit = is_recommender(x) ? "samples per second" : "tokens per second";
  r.value("tokens", x.tokens_per_s,
          {.label = unit,
           .headline = true,
           .derivation = Derivation{
               .formula = "tokens / iteration",
               .inputs = {input("tokens", "tokens_per_iteration", x.tokens, "given"),
                          input("iteration", "iteration_s", x.iteration.nominal(), "computed")}}});
  r.value("tokens_per_s_per_device", x.tokens_per_s_per_device.any().nominal,
          {.label = std::string(unit) + " and device"});
}

void present_utilisation(verb::Report& r, const EstimateResult& x) {
  const auto derivation = [&](const char* key, base::Work flops) {
    return Derivation{
        .formula = "flops / (devices * peak * iteration)",
        .inputs = {input("flops", key, flops, "computed"),
                   input("devices", "devices", static_cast<double>(x.devices), "given"),
                   input("peak", "peak_flop_per_s", x.peak, "datasheet"),
                   input("iteration", "iteration_s", x.iteration.nominal(), "computed")}};
  };
  r.value("mfu", x.mfu,
          {.label = "MFU",
           .why = x.flop_convention,
           .headline = true,
           .as_percent = true,
           .derivation = derivation("required_flop", x.model_flops)});
  r.value("hfu", x.hfu,
          {.label = "HFU",
           .why = "the same, and what recomputation repeats",
           .as_percent = true,
           .derivation = derivation("executed_flop", x.hardware_flops)});
  r.text("flop_convention", x.flop_convention, {.label = "FLOP convention"});
  r.value("required", x.model_flops, {.label = "work that the model requires"});
  r.value("executed", x.hardware_flops, {.label = "executed work"});
  r.value("peak", x.peak, {.label = "dense peak of a device"});
}

void present_breakdown(verb::Report& r, const EstimateResult& x) {
  std::vector<std::string> names;
  std::vector<base::Time> times;
  std::vector<double> shares;
  for (const TimePart& part : x.parts) {
    names.push_back(part.name);
    times.push_back(part.time);
    shares.push_back(part.time / x.iteration.nominal());
  }
  r.table("breakdown", "Where the iteration goes")
      .column("part", names)
      .column("time", times)
      .column("share", shares, "share", true);
  r.chart({.key = "breakdown",
           .title = "Where the iteration goes",
           .kind = verb::ChartKind::bars,
           .x = "breakdown.part",
           .y = {"breakdown.time"},
           .labels = {"time"},
           .x_label = "",
           .y_label = "time"});
  const model::BusyFractions& busy = x.busy;
  r.group("busy", "What a device does", [&] {
    r.value("compute", busy.compute, {.label = "computing", .as_percent = true});
    r.value("memory", busy.memory, {.label = "moving memory", .as_percent = true});
    r.value("network", busy.network, {.label = "waiting for the network", .as_percent = true});
    r.value("idle", busy.idle, {.label = "idle in the bubble", .as_percent = true});
  });
}

void present_memory(verb::Report& r, const EstimateResult& x) {
  const Memory& m = x.memory;
  r.group("memory", fmt::format("Memory of a device on stage {}, the fullest", m.stage), [&] {
    r.value("weights", m.weights, {.label = "weights"});
    r.value("gradients", m.gradients, {.label = "gradients"});
    r.value("optimizer", m.optimizer, {.label = "optimizer state"});
    r.value("activations", m.activations, {.label = "activations"});
    r.value("buffers", m.buffers, {.label = "working buffers"});
    r.value("kv_cache", m.kv_cache, {.label = "keys and values of inference"});
    r.value(
        "total", m.total(),
        {.label = "total",
         .derivation = Derivation{
             .formula = "weights + gradients + optimizer + activations + buffers + kv_cache",
             .inputs = {input("weights", "memory.weights_bytes", m.weights, "computed"),
                        input("gradients", "memory.gradients_bytes", m.gradients, "computed"),
                        input("optimizer", "memory.optimizer_bytes", m.optimizer, "computed"),
                        input("activations", "memory.activations_bytes", m.activations, "computed"),
                        input("buffers", "memory.buffers_bytes", m.buffers, "computed"),
                        input("kv_cache", "memory.kv_cache_bytes", m.kv_cache, "computed")}}});
    r.value("reserve", m.reserve, {.label = "kept for driver and communication"});
    r.value("capacity", m.capacity, {.label = "capacity"});
    r.value("stage", m.stage, {.label = "pipeline stage"});
  });
  r.table("memory_kinds", "Memory by kind")
      .column("kind", std::vector<std::string>{"weights", "gradients", "optimizer", "activations",
                                               "buffers", "KV cache", "reserve"})
      .column("size", std::vector<base::Data>{m.weights, m.gradients, m.optimizer, m.activations,
                                              m.buffers, m.kv_cache, m.reserve})
      .hidden();
  r.chart({.key = "memory",
           .title = "Memory of the fullest device",
           .kind = verb::ChartKind::bars,
           .x = "memory_kinds.kind",
           .y = {"memory_kinds.size"},
           .labels = {"memory"},
           .x_label = "",
           .y_label = "memory"});
}

void present_energy(verb::Report& r, const EstimateResult& x) {
  r.value("device", x.power.device, {.label = "power of a device"});
  r.value("node", x.power.node, {.label = "power of a node", .headline = true});
  r.value("node_full", x.power.node_full, {.label = "power of a node at full load"});
  r.value(
      "it_energy", x.it_energy,
      {.label = "energy of the servers, one iteration",
       .derivation = Derivation{
           .formula = "nodes * node_power * iteration",
           .inputs = {input("nodes", "nodes", x.nodes, "given"),
                      input("node_power", "node_w", x.power.node.nominal(), x.power.node.source()),
                      input("iteration", "iteration_s", x.iteration.nominal(), "computed")}}});
  r.value("energy", x.energy,
          {.label = "energy at the facility meter, one iteration",
           .headline = true,
           .derivation = Derivation{
               .formula = "it_energy * pue",
               .inputs = {input("it_energy", "it_energy_kwh", x.it_energy.nominal(), "computed"),
                          input("pue", "pue", x.pue.nominal(), x.pue.source())}}});
  r.value("pue", x.pue, {.label = "PUE"});
  r.value("intensity", x.intensity, {.label = "carbon intensity of the grid"});
  r.value("carbon", x.carbon,
          {.label = "carbon of one iteration",
           .headline = true,
           .derivation =
               Derivation{.formula = "energy * intensity",
                          .inputs = {input("energy", "energy_kwh", x.energy.nominal(), "computed"),
                                     input("intensity", "intensity_g_per_kwh",
                                           x.intensity.nominal(), x.intensity.source())}}});
}

void present_communication(verb::Report& r, const EstimateResult& x) {
  const Communication& c = x.communication;
  r.value("exposed_communication", c.exposed,
          {.label = "communication that nothing hides", .headline = true});
  constexpr const char* kWhy = "the closed form counts what is exposed; see --timeline";
  if (c.total) {
    r.value("communication", *c.total, {.label = "all communication"});
    r.value("overlapped_communication", std::max(base::Time{}, *c.total - c.exposed),
            {.label = "hidden communication"});
  } else {
    r.absent("communication", base::kTime, kWhy, {.label = "all communication"});
    r.absent("overlapped_communication", base::kTime, kWhy, {.label = "hidden communication"});
  }
  if (c.collectives.empty()) return;
  std::vector<std::string> names;
  std::vector<base::Time> times;
  for (const TimePart& part : c.collectives) {
    names.push_back(part.name);
    times.push_back(part.time);
  }
  r.table("collectives", "Communication of a device by kind, hidden or not")
      .column("kind", names)
      .column("time", times);
}

void present_timeline(verb::Report& r, const EstimateResult& x) {
  if (!x.timeline) return;
  const TimelineRun& run = *x.timeline;
  r.group("timeline", "The iteration task by task", [&] {
    r.value("tasks", static_cast<std::int64_t>(run.timeline.num_tasks()), {.label = "tasks"});
    r.value("makespan", run.schedule.makespan, {.label = "from first to last"});
    r.value("over_closed_form", run.schedule.makespan / x.iteration.nominal(),
            {.label = "over the closed form"});
    r.value("exposed_communication", run.exposed_communication,
            {.label = "communication that nothing hides"});
  });
  const model::TimelineBars bars = model::bars(run.timeline, run.schedule, run.names);
  r.timeline("tasks", "What runs when", {bars.processor, bars.tag, bars.start, bars.end});
  r.attachment(".trace.json", [&] { return timeline_trace(run, x.model + " on " + x.system); });
}

void present_cost(verb::Report& r, const EstimateResult& x) {
  if (!x.cost) {
    r.absent("cost", base::kMoney, "no --price is given and the node has none in the catalogue",
             {.label = "cost of one iteration"});
    return;
  }
  r.value("price", *x.price, {.label = "price of a device"});
  r.value("cost", *x.cost,
          {.label = "cost of one iteration",
           .headline = true,
           .derivation = Derivation{
               .formula = "devices * price * iteration",
               .inputs = {input("devices", "devices", static_cast<double>(x.devices), "given"),
                          input("price", "price_usd_per_h", x.price->nominal(), x.price->source()),
                          input("iteration", "iteration_s", x.iteration.nominal(), "computed")}}});
}

void present_anchors(verb::Report& r, const EstimateResult& x) {
  constexpr std::size_t kMostShown = 5;
  std::vector<std::string> names, systems, strategies, precisions, sources;
  std::vector<std::int64_t> devices;
  std::vector<base::Rate> rates;
  std::vector<double> ratios;
  for (const AnchorGap& a : x.anchors) {
    if (names.size() == kMostShown) break;
    names.push_back(a.id);
    systems.push_back(a.system);
    strategies.push_back(a.strategy);
    precisions.push_back(a.precision);
    sources.push_back(a.source);
    devices.push_back(a.devices);
    rates.push_back(a.tokens_per_s_per_device * units::per_s);
    ratios.push_back(a.ratio);
  }
  r.table("anchors", "Nearest measurements of this model, tokens per second and device")
      .column("name", names)
      .column("system", systems)
      .column("devices", devices)
      .column("measured_tokens", rates, "measured")
      .column("ours_over_measured", ratios, "ours / measured")
      .column("strategy", strategies)
      .column("precision", precisions)
      .column("source", sources);
}

}  // namespace

void describe_run(verb::Fields& f, EstimateRequest& r) {
  f(r.global_batch, "global_batch",
    "sequences of one iteration; 0: that of the model's training, else 4 Mi tokens")
      .bounds(0.0, kMostSequences)
      .chosen();
  f(r.sequence_length, "sequence_length", "tokens of one sequence; 0: that of the model's training")
      .bounds(0.0, kMostTokens)
      .chosen();
  f(r.precision, "precision", "number format of matrix products").chosen();
  f(r.attention, "attention", "how attention scores are computed").chosen();
  f(r.kernels, "kernels", "how norms, rotations and gates are computed");
  f(r.gradient_bytes, "gradient_bytes",
    "bytes of one gradient on its way between data-parallel ranks: 4 as fp32, 2 as bf16")
      .bounds(1.0, 8.0);
  f(r.flop_convention, "flop_convention", "what MFU and HFU count for attention");
  f(r.overlap_gradients, "overlap_gradients",
    "exchange gradients and sharded weights beside the computation");
  f(r.overlap_tensor, "overlap_tensor",
    "cut tensor-parallel exchanges in pieces that hide behind their products (async TP)");
  f(r.memory_reserve, "memory_reserve",
    "share of device memory for driver, communication buffers and fragments")
      .bounds(0.0, 0.5)
      .source("our convention, no published figure");
}

void describe_workload(verb::Fields& f, EstimateRequest& r) {
  f(r.model, "model", "model shape of the catalogue, or a Hugging Face config.json")
      .positional()
      .required()
      .placeholder("MODEL");
  f(r.system, "system", "node of the catalogue, or a system file (.toml) of plan calibrate")
      .placeholder("NODE");
  f(r.devices, "devices", "accelerators; 0: the product of the strategy")
      .bounds(0.0, kMostDevices)
      .chosen()
      .placeholder("N");
  f(r.on, "on", "nodes and system in one, such as 128xdgx-h100").placeholder("NxNODE");
  f(r.strategy, "strategy",
    "auto (the fastest of all, as `plan search` finds it), or tpN, ppN, dpN, zero0..zero3, fsdp "
    "and sp joined by commas")
      .chosen()
      .placeholder("auto|tp8,pp8,dp4,sp");
  f(r.micro_batch, "micro_batch",
    "sequences of one micro-batch; 0: 1, all of a replica for images and inference, free with "
    "strategy auto")
      .bounds(0.0, kMostSequences)
      .chosen();
  f(r.interleave, "interleave",
    "model chunks on each pipeline rank; 0: 1, or free with strategy auto")
      .bounds(0.0, kMostChunks)
      .chosen();
  f(r.recompute, "recompute",
    "what the backward pass computes again; unset: none, or free with strategy auto");
  f(r.schedule, "schedule", "order of a pipeline's work; unset: 1f1b, or free with strategy auto");
  f(r.offload, "offload", "what lives in host memory");
  f(r.compat, "compat", "memory as another work counts it");
  describe_run(f, r);
}

void describe_task(verb::Fields& f, EstimateRequest& r) {
  f(r.task, "task", "what one iteration is");
  f(r.freeze, "freeze", "part that a fine-tuning leaves as it is: embedding, layers or head")
      .placeholder("PART");
  f(r.cached_tokens, "cached_tokens",
    "decode: tokens of each sequence in the KV cache; 0: the sequence length")
      .bounds(0.0, kMostTokens)
      .chosen();
  f(r.price, "price", "price of one device, like 2.5USD/h; unset: that of the node, where known")
      .chosen();
}

void describe(verb::Fields& f, EstimateRequest& r) {
  describe_workload(f, r);
  describe_task(f, r);
  f(r.fidelity, "fidelity", "whose rules");
  f(r.prefetch, "prefetch",
    "madmax: gather sharded weights of the backward pass ahead; unset: for images only");
  f(r.timeline, "timeline", "run the iteration task by task as well, for a picture and a trace");
  describe(f, r.grid);
  f(r.pue, "pue", "power usage effectiveness of the facility; unset: facility.pue")
      .bounds(1.0, kMostPue);
}

const char* iteration_name(Task task) {
  switch (task) {
    case Task::pretrain:
      break;
    case Task::finetune:
      return "One fine-tuning iteration";
    case Task::prefill:
      return "Reading one batch of prompts";
    case Task::decode:
      return "One token more for a batch";
  }
  return "One training iteration";
}

void present(verb::Report& r, const EstimateResult& x) {
  r.title(fmt::format("{} of {} on {} devices of {}", iteration_name(x.task), x.model, x.devices,
                      x.system));
  present_verdict(r, x);
  present_time(r, x);
  present_utilisation(r, x);
  present_energy(r, x);
  present_cost(r, x);
  present_setting(r, x);
  present_communication(r, x);
  present_breakdown(r, x);
  present_timeline(r, x);
  present_memory(r, x);
  present_anchors(r, x);
  for (const std::string& notice : x.notices) r.notice(notice);
  if (x.interrupted) r.notice("interrupted: the strategy is the best of those tried so far");
  r.not_included(
      "the network fabric between nodes, storage and the front of the cluster draw power as well");
  r.not_included(
      "loading data, checkpoints, failures and restarts take time as well: see `study run` for "
      "goodput");
}

void register_verbs(verb::Registry& registry) {
  registry.add<EstimateRequest, EstimateResult>(
      {.noun = "plan",
       .name = "estimate",
       .heading = verb::Heading::plan,
       .summary = "time, memory, power, energy and carbon of one training iteration",
       .description = "How long one iteration of a transformer takes on a machine, where the time "
                      "goes, whether it fits into device memory and what would make it "
                      "fit, how many watts, joules and grams of CO2e it costs. The strategy is "
                      "given, or the fastest that fits is searched.",
       .examples =
           {{"greenline plan estimate llama3-70b --on 128xdgx-h100",
             "the fastest strategy for Llama 3 70B on 1024 devices"},
            {"greenline plan estimate --model megatron-175b --system dgx-a100-80 "
             "--strategy tp8,pp8,dp1,sp --micro-batch 1 --global-batch 64 "
             "--interleave 3 --recompute selective --compat korthikanti",
             "a published run, with memory as its authors count it"},
            {"greenline plan estimate dlrm-a --system zionex --devices 128 --fidelity madmax "
             "--strategy 'dense=tp,ddp;embedding=shard' --timeline -o dlrm-a.trace.json",
             "a recommender by the published rules of MAD-Max, as a trace for Perfetto"}},
       .attachments = {{".trace.json", "the iteration as a Chrome trace", "with --timeline"}}},
      &estimate);
  register_search(registry);
  registry.add<CalibrateRequest, CalibrateResult>(
      {.noun = "plan",
       .name = "calibrate",
       .heading = verb::Heading::plan,
       .summary = "constants of a machine from measured iterations, as a file for --system",
       .description =
           "Fits the few constants of a device generation (achieved shares of peak and bandwidths, "
           "overhead of a kernel) to measured iterations, and says how far they can be trusted: "
           "the error on the same runs, the error on each model size with constants of the other "
           "sizes, the order of the runs of each size, and what the fit would choose beside the "
           "best that was measured. The columns are those of vTrain's table of multi-node runs: "
           "`Parameters (billion)`, `# GPUs`, `global batch`, `micro batch`, `hidden size`, "
           "`attention heads`, `# layers`, `sequence length`, `tensor parallelism`, `data "
           "parallelism`, `pipeline parallelism`, `iteration time (ms)`.",
       .examples = {{"greenline plan calibrate --measured runs.csv -o a100.toml",
                     "a machine file for estimate, search and selftest"},
                    {"greenline plan calibrate --measured runs.csv --system dgx-h100 --json",
                     "runs of another node"}},
       .attachments = {{".toml", "the fitted machine, for --system"}}},
      &calibrate);
  registry.add_selftest("plan", &selftest);
}

}  // namespace greenline::plan
