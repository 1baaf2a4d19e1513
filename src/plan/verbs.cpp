#include "plan/verbs.hpp"

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "plan/estimate.hpp"
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

struct Part {
  const char* name;
  base::Time time;
};

std::vector<Part> parts_of(const Iteration& it) {
  return {{"matrix products", it.matmul},
          {"attention", it.attention},
          {"memory-bound kernels", it.memory_bound},
          {"recomputation", it.recompute},
          {"tensor-parallel communication", it.tensor_parallel},
          {"pipeline communication", it.pipeline},
          {"pipeline bubble", it.bubble},
          {"data-parallel communication", it.data_parallel},
          {"optimizer", it.optimizer}};
}

void present_setting(verb::Report& r, const EstimateResult& x) {
  r.text(
      "model", x.model,
      {.label = "model", .why = base::format_quantity(AnyQuantity(x.parameters)) + " parameters"});
  r.value("parameters", x.parameters, {.label = "parameters"});
  r.text("system", x.system, {.label = "system"});
  r.value("devices", x.devices, {.label = "devices"});
  r.value("nodes", x.nodes, {.label = "nodes"});
  r.text("strategy", x.strategy_text, {.label = "strategy"});
  r.value("micro_batch", x.configuration.micro_batch, {.label = "micro-batch"});
  r.value("micro_batches", x.micro_batches, {.label = "micro-batches in an iteration"});
  r.value("global_batch", x.global_batch, {.label = "global batch"});
  r.value("sequence_length", x.sequence_length, {.label = "sequence length"});
  r.value("interleave", x.configuration.interleave, {.label = "chunks on each pipeline rank"});
  r.text("recompute", base::enum_name(x.configuration.recompute), {.label = "recomputation"});
  r.text("precision", x.precision, {.label = "number format"});
  r.value("tokens_per_iteration", x.tokens, {.label = "tokens in an iteration"});
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
  r.value("tokens", x.tokens_per_s,
          {.label = "tokens per second",
           .headline = true,
           .derivation = Derivation{
               .formula = "tokens / iteration",
               .inputs = {input("tokens", "tokens_per_iteration", x.tokens, "given"),
                          input("iteration", "iteration_s", x.iteration.nominal(), "computed")}}});
  r.value("tokens_per_s_per_device", x.tokens_per_s_per_device.any().nominal,
          {.label = "tokens per second and device"});
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
  for (const Part& part : parts_of(x.breakdown)) {
    names.emplace_back(part.name);
    times.push_back(part.time);
    shares.push_back(part.time / x.breakdown.total());
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
  const model::BusyFractions& busy = x.breakdown.busy;
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
    r.value(
        "total", m.total(),
        {.label = "total",
         .derivation = Derivation{
             .formula = "weights + gradients + optimizer + activations + buffers",
             .inputs = {input("weights", "memory.weights_bytes", m.weights, "computed"),
                        input("gradients", "memory.gradients_bytes", m.gradients, "computed"),
                        input("optimizer", "memory.optimizer_bytes", m.optimizer, "computed"),
                        input("activations", "memory.activations_bytes", m.activations, "computed"),
                        input("buffers", "memory.buffers_bytes", m.buffers, "computed")}}});
    r.value("reserve", m.reserve, {.label = "kept for driver and communication"});
    r.value("capacity", m.capacity, {.label = "capacity"});
    r.value("stage", m.stage, {.label = "pipeline stage"});
  });
  r.table("memory_kinds", "Memory by kind")
      .column("kind", std::vector<std::string>{"weights", "gradients", "optimizer", "activations",
                                               "buffers", "reserve"})
      .column("size", std::vector<base::Data>{m.weights, m.gradients, m.optimizer, m.activations,
                                              m.buffers, m.reserve})
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

void describe_workload(verb::Fields& f, EstimateRequest& r) {
  f(r.model, "model", "model shape of the catalogue").positional().required().placeholder("MODEL");
  f(r.system, "system", "node of the catalogue").placeholder("NODE");
  f(r.devices, "devices", "accelerators; 0: the product of the strategy")
      .bounds(0.0, kMostDevices)
      .chosen()
      .placeholder("N");
  f(r.on, "on", "nodes and system in one, such as 128xdgx-h100").placeholder("NxNODE");
  f(r.strategy, "strategy", "auto, or tpN, ppN, dpN, zero0..zero3, fsdp and sp joined by commas")
      .chosen()
      .placeholder("auto|tp8,pp8,dp4,sp");
  f(r.micro_batch, "micro_batch", "sequences of one micro-batch; 0: 1, or free with strategy auto")
      .bounds(0.0, kMostSequences)
      .chosen();
  f(r.global_batch, "global_batch",
    "sequences of one iteration; 0: that of the model's training, else 4 Mi tokens")
      .bounds(0.0, kMostSequences)
      .chosen();
  f(r.sequence_length, "sequence_length", "tokens of one sequence; 0: that of the model's training")
      .bounds(0.0, kMostTokens)
      .chosen();
  f(r.interleave, "interleave", "model chunks on each pipeline rank").bounds(1.0, kMostChunks);
  f(r.recompute, "recompute",
    "what the backward pass computes again; unset: none, or free with strategy auto");
  f(r.precision, "precision", "number format of matrix products").chosen();
  f(r.attention, "attention", "how attention scores are computed").chosen();
  f(r.flop_convention, "flop_convention", "what MFU and HFU count for attention");
  f(r.compat, "compat", "memory as another work counts it");
  f(r.overlap_gradients, "overlap_gradients",
    "exchange gradients and sharded weights beside the computation");
  f(r.memory_reserve, "memory_reserve",
    "share of device memory for driver, communication buffers and fragments")
      .bounds(0.0, 0.5)
      .source("our convention, no published figure");
}

void describe(verb::Fields& f, EstimateRequest& r) {
  describe_workload(f, r);
  describe(f, r.grid);
  f(r.pue, "pue", "power usage effectiveness of the facility; unset: facility.pue").bounds(1.0);
}

void present(verb::Report& r, const EstimateResult& x) {
  r.title(fmt::format("One training iteration of {} on {} devices of {}", x.model, x.devices,
                      x.system));
  present_verdict(r, x);
  present_time(r, x);
  present_utilisation(r, x);
  present_energy(r, x);
  present_setting(r, x);
  present_breakdown(r, x);
  present_memory(r, x);
  present_anchors(r, x);
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
       .examples = {{"greenline plan estimate llama3-70b --on 128xdgx-h100",
                     "the fastest strategy for Llama 3 70B on 1024 devices"},
                    {"greenline plan estimate --model megatron-175b --system dgx-a100-80 "
                     "--strategy tp8,pp8,dp1,sp --micro-batch 1 --global-batch 64 "
                     "--interleave 3 --recompute selective --compat korthikanti",
                     "a published run, with memory as its authors count it"}}},
      &estimate);
  registry.add_selftest("plan", &selftest);
}

}  // namespace greenline::plan
