// `plan search`: its inputs and its outputs.
#include <functional>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "plan/search.hpp"
#include "plan/search_charts.hpp"
#include "plan/verbs.hpp"
#include "verb/registry.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;

// A column of a table of rows.
template <class T>
std::vector<T> column(const std::vector<SearchRow>& rows,
                      const std::function<T(const SearchRow&)>& of) {
  std::vector<T> cells;
  cells.reserve(rows.size());
  for (const SearchRow& row : rows) cells.push_back(of(row));
  return cells;
}

// The columns that say which configuration it is, beside its strategy and devices.
void add_choices(verb::TableBuilder& t, const std::vector<SearchRow>& rows) {
  t.column("micro_batch",
           column<std::int64_t>(rows, [](const auto& x) { return x.configuration.micro_batch; }),
           "micro-batch")
      .column("recompute",
              column<std::string>(
                  rows, [](const auto& x) { return base::enum_name(x.configuration.recompute); }))
      .column("interleave",
              column<std::int64_t>(rows, [](const auto& x) { return x.configuration.interleave; }));
}
void add_rare_choices(verb::TableBuilder& t, const std::vector<SearchRow>& rows) {
  t.column("schedule",
           column<std::string>(
               rows, [](const auto& x) { return base::enum_name(x.configuration.schedule); }))
      .column("offload", column<std::string>(rows, [](const auto& x) {
                return base::enum_name(x.configuration.offload);
              }));
}

// What people compare first, since a terminal leaves out what is too wide.
void present_rows(verb::Report& r, const SearchResult& result, const char* key, const char* title,
                  const std::vector<SearchRow>& rows, bool counts_equals) {
  using Cost = std::optional<base::Estimate<base::Money>>;
  const auto number = [&](const auto& of) { return column<std::int64_t>(rows, of); };
  verb::TableBuilder t = r.table(key, title);
  t.column("strategy", column<std::string>(rows, [](const auto& x) { return x.strategy; }))
      .column("devices", number([](const SearchRow& x) { return x.devices; }));
  if (!result.is_recommender()) add_choices(t, rows);
  t.column("time", column<base::Estimate<base::Time>>(rows, [](const auto& x) { return x.time; }))
      .column("energy",
              column<base::Estimate<base::Energy>>(rows, [](const auto& x) { return x.energy; }))
      .column("carbon",
              column<base::Estimate<base::Carbon>>(rows, [](const auto& x) { return x.carbon; }))
      .column("cost", column<Cost>(rows, [](const auto& x) { return x.cost; }))
      .column("memory", column<base::Data>(rows, [](const auto& x) { return x.memory.total(); }))
      .column("mfu", column<double>(rows, [](const auto& x) { return x.mfu; }), "MFU", true);
  if (counts_equals)
    t.column("equals", number([](const SearchRow& x) { return x.equals; }), "others as good");
  t.column("power", column<base::Power>(rows, [](const auto& x) { return x.power; }));
  if (!result.is_recommender()) add_rare_choices(t, rows);
}

void present_verdict(verb::Report& r, const SearchResult& x) {
  r.text("status", status_name(x.status), {.label = "status", .why = x.why, .headline = true});
  if (x.why.empty())
    r.absent("why", {}, "there is an answer", {.label = "what binds"});
  else
    r.text("why", x.why, {.label = "what binds"});
  r.text("objective", base::enum_name(x.objective), {.label = "made as small as possible"});
}

// A number behind a result; where it comes from.
verb::DerivationInput input(const char* symbol, const char* key, base::AnyQuantity value,
                            std::string source) {
  return {symbol, key, value, std::move(source)};
}

// `key` of the group best, whose keys the inputs name.
verb::Derivation derivation(const char* formula, std::vector<verb::DerivationInput> inputs) {
  return {.formula = formula, .inputs = std::move(inputs)};
}

void present_configuration(verb::Report& r, const Configuration& c) {
  r.value("micro_batch", c.micro_batch, {.label = "micro-batch"});
  r.text("recompute", base::enum_name(c.recompute), {.label = "recomputation"});
  r.value("interleave", c.interleave, {.label = "chunks on each pipeline rank"});
  r.text("schedule", base::enum_name(c.schedule), {.label = "schedule"});
  r.text("offload", base::enum_name(c.offload), {.label = "on the host"});
}

void present_best_energy(verb::Report& r, const EstimateResult& b) {
  const auto time = input("time", "best.time_s", b.iteration.nominal(), "computed");
  r.value("energy", b.energy,
          {.label = "energy of an iteration, at the facility meter",
           .headline = true,
           .derivation = derivation(
               "nodes * node_power * pue * time",
               {input("nodes", "best.nodes", b.nodes, "given"),
                input("node_power", "best.node_w", b.power.node.nominal(), b.power.node.source()),
                input("pue", "best.pue", b.pue.nominal(), b.pue.source()), time})});
  r.value(
      "carbon", b.carbon,
      {.label = "carbon of an iteration",
       .headline = true,
       .derivation = derivation("energy * intensity",
                                {input("energy", "best.energy_kwh", b.energy.nominal(), "computed"),
                                 input("intensity", "best.intensity_g_per_kwh",
                                       b.intensity.nominal(), b.intensity.source())})});
}

void present_best_cost(verb::Report& r, const EstimateResult& b,
                       const std::optional<std::string>& no_cost) {
  if (!b.cost) {
    r.absent("cost", base::kMoney, no_cost.value_or("unknown"), {.label = "cost of an iteration"});
    return;
  }
  r.value("cost", *b.cost,
          {.label = "cost of an iteration",
           .headline = true,
           .derivation = derivation(
               "devices * price * time",
               {input("devices", "best.devices", static_cast<double>(b.devices), "given"),
                input("price", "best.price_usd_per_h", b.price->nominal(), b.price->source()),
                input("time", "best.time_s", b.iteration.nominal(), "computed")})});
}

void present_best_utilisation(verb::Report& r, const EstimateResult& b) {
  const auto of = [&](const char* key, base::Work flops) {
    return derivation("flops / (devices * peak * time)",
                      {input("flops", key, flops, "computed"),
                       input("devices", "best.devices", static_cast<double>(b.devices), "given"),
                       input("peak", "best.peak_flop_per_s", b.peak, "datasheet"),
                       input("time", "best.time_s", b.iteration.nominal(), "computed")});
  };
  r.value("mfu", b.mfu,
          {.label = "MFU",
           .why = b.flop_convention,
           .as_percent = true,
           .derivation = of("best.required_flop", b.model_flops)});
  r.value("hfu", b.hfu,
          {.label = "HFU",
           .as_percent = true,
           .derivation = of("best.executed_flop", b.hardware_flops)});
}

// What the figures of the best come from.
void present_best_inputs(verb::Report& r, const EstimateResult& b) {
  r.value("tokens_per_iteration", b.tokens, {.label = "tokens (or samples) in an iteration"});
  r.value("nodes", b.nodes, {.label = "nodes"});
  r.value("node", b.power.node, {.label = "power of a node"});
  r.value("pue", b.pue, {.label = "PUE"});
  r.value("intensity", b.intensity, {.label = "carbon intensity of the grid"});
  r.value("required", b.model_flops, {.label = "work that the model requires"});
  r.value("executed", b.hardware_flops, {.label = "executed work"});
  r.value("peak", b.peak, {.label = "dense peak of a device"});
  if (b.price)
    r.value("price", *b.price, {.label = "price of a device"});
  else
    r.absent("price", base::kMoney - base::kTime, "nobody says one",
             {.label = "price of a device"});
  std::vector<std::string> names;
  std::vector<base::Time> times;
  for (const TimePart& part : b.parts) {
    names.push_back(part.name);
    times.push_back(part.time);
  }
  r.table("parts", "Where its iteration goes").column("part", names).column("time", times).hidden();
}

void present_best(verb::Report& r, const SearchResult& x) {
  const EstimateResult& b = *x.best;
  r.text("strategy", b.strategy_text, {.label = "strategy", .headline = true});
  r.value("devices", b.devices, {.label = "devices"});
  if (!x.is_recommender()) {
    present_configuration(r, b.configuration);
    r.value("micro_batches", b.micro_batches, {.label = "micro-batches in an iteration"});
  }
  r.value("time", b.iteration,
          {.label = "one iteration",
           .headline = true,
           .derivation = derivation("sum(best.parts.time_s)", {})});
  present_best_energy(r, b);
  present_best_cost(r, b, x.no_cost);
  r.value("memory", b.memory.total(), {.label = "memory of the fullest device"});
  r.value("memory_usable", b.memory.usable(), {.label = "usable memory of a device"});
  r.value(
      "tokens", b.tokens_per_s,
      {.label = x.is_recommender() ? "samples per second" : "tokens per second",
       .derivation = derivation(
           "tokens / time", {input("tokens", "best.tokens_per_iteration", b.tokens, "given"),
                             input("time", "best.time_s", b.iteration.nominal(), "computed")})});
  present_best_utilisation(r, b);
  present_best_inputs(r, b);
}

void present_nearest(verb::Report& r, const SearchResult& x) {
  const SearchRow& n = *x.nearest;
  r.text("strategy", n.strategy, {.label = "strategy"});
  r.value("devices", n.devices, {.label = "devices"});
  if (!x.is_recommender()) present_configuration(r, n.configuration);
  r.value("time", n.time, {.label = "one iteration"});
  r.value("energy", n.energy, {.label = "energy of an iteration, at the facility meter"});
  r.value("carbon", n.carbon, {.label = "carbon of an iteration"});
  if (n.cost)
    r.value("cost", *n.cost, {.label = "cost of an iteration"});
  else
    r.absent("cost", base::kMoney, x.no_cost.value_or("unknown"),
             {.label = "cost of an iteration"});
  r.value("power", n.power, {.label = "power at the facility meter"});
  r.value("memory", n.memory.total(), {.label = "memory of the fullest device"});
  r.value("memory_usable", n.memory.usable(), {.label = "usable memory of a device"});
}

void present_search(verb::Report& r, const SearchResult& x) {
  r.value("evaluated", x.counts.evaluated, {.label = "configurations priced in full"});
  r.value("pruned", x.counts.pruned(),
          {.label = "configurations that need no price",
           .why = "they do not fit, or cost at least more than others do"});
  const auto per_s = [](double n) { return n * units::per_s; };
  r.value("configurations", per_s(x.configurations_per_s()),
          {.label = "configurations per second"});
  r.value("evaluated_rate", per_s(x.evaluated_per_s()), {.label = "of them priced in full"});
  r.value("search", x.wall_time, {.label = "time of the search"});
  std::vector<std::string> constraints, kinds, examples;
  std::vector<std::int64_t> numbers;
  for (const RuledOut& out : x.ruled_out) {
    constraints.push_back(out.constraint);
    numbers.push_back(out.number);
    kinds.push_back(out.of);
    examples.push_back(out.example);
  }
  r.table("ruled_out", "What cannot be the answer")
      .column("constraint", constraints)
      .column("number", numbers)
      .column("of", kinds)
      .column("example", examples);
}

void present_setting(verb::Report& r, const SearchResult& x) {
  r.text("model", x.model, {.label = "model"});
  r.text("system", x.system, {.label = "system"});
  r.text("precision", x.precision, {.label = "number format"});
  r.value("global_batch", x.global_batch, {.label = "global batch"});
  if (x.is_recommender())
    r.absent("sequence_length", {}, "a recommender reads samples", {.label = "sequence length"});
  else
    r.value("sequence_length", x.sequence_length, {.label = "sequence length"});
  r.table("device_counts", "Numbers of devices that were tried")
      .column("devices", x.devices)
      .hidden();
}

void describe_space(verb::Fields& f, SpaceOptions& s) {
  f(s.breadth, "breadth", "how much is tried");
  f(s.micro_batch, "micro_batch",
    "sequences of one micro-batch (repeatable); unset: all that divide")
      .bounds(1.0, kMostSequences);
  f(s.interleave, "interleave",
    "model chunks on each pipeline rank (repeatable); unset: all of equal depth")
      .bounds(1.0, kMostChunks);
  f(s.recompute, "recompute", "what the backward pass computes again (repeatable); unset: all");
  f(s.schedule, "schedule", "order of a pipeline's work (repeatable); unset: all");
  f(s.offload, "offload", "what lives in host memory (repeatable)");
}

void describe_limits(verb::Fields& f, SearchRequest& r) {
  f(r.max_time, "max_time", "longest iteration (or batch of prompts, or token)").positive();
  f(r.max_power, "max_power", "mean power of all devices at the facility meter").positive();
  f(r.max_cost, "max_cost", "cost of one iteration").positive();
  f(r.max_price, "max_price", "price of all devices, like 500USD/h").positive();
}

}  // namespace

void describe(verb::Fields& f, SearchRequest& r) {
  f(r.plan.model, "model", "model shape of the catalogue")
      .positional()
      .required()
      .placeholder("MODEL");
  f(r.plan.system, "system", "node of the catalogue").placeholder("NODE");
  f(r.devices, "devices", "accelerators to use (repeatable)")
      .bounds(1.0, kMostDevices)
      .placeholder("N");
  f(r.plan.on, "on", "nodes and system in one, such as 128xdgx-h100").placeholder("NxNODE");
  f(r.max_devices, "max_devices",
    "most accelerators; without --devices, all of 2^k and 3 2^k nodes up to it are tried")
      .bounds(0.0, kMostDevices)
      .chosen()
      .placeholder("N");
  f(r.objective, "objective", "what is made as small as possible");
  describe_limits(f, r);
  describe_space(f, r.space);
  describe_run(f, r.plan);
  describe_task(f, r.plan);
  f(r.top, "top", "rows of the table of the best").bounds(1.0, kMostRows);
  describe(f, r.plan.grid);
  f(r.plan.pue, "pue", "power usage effectiveness of the facility; unset: facility.pue")
      .bounds(1.0);
}

void present(verb::Report& r, const SearchResult& x) {
  r.title(fmt::format("Strategies for {} on {}", x.model, x.system));
  present_verdict(r, x);
  if (x.best) r.group("best", "The best", [&] { present_best(r, x); });
  if (x.nearest) r.group("nearest", "The nearest", [&] { present_nearest(r, x); });
  present_search(r, x);
  present_setting(r, x);
  if (x.best) {
    present_rows(r, x, "top", "The best, in order", x.top, true);
    present_rows(r, x, "pareto", "No other is better in time, energy and cost", x.pareto, false);
    present_charts(r, x);
  }
  r.not_included(
      "the network fabric between nodes, storage and the front of the cluster draw power as well");
  r.not_included("failures and restarts: more devices fail more often");
}

void register_search(verb::Registry& registry) {
  verb::Info info{
      .noun = "plan",
      .name = "search",
      .heading = verb::Heading::plan,
      .summary = "the best strategy under limits of memory, time, power, price and devices",
      .description =
          "All legal ways to spread a model over devices: tensor, context, pipeline, data and "
          "expert "
          "parallelism, ZeRO stages and shard groups, recomputation, micro-batches, interleaving "
          "and schedules; of a recommendation model, all levels of its MLPs and tables. The best "
          "of "
          "those that fit, the Pareto front of time, energy and cost, "
          "and the greenline: useful work per gram of CO2e against arithmetic intensity. The "
          "answer is that of trying everything; most configurations are left out because they "
          "provably cannot win. Under mpirun the ranks share the work.",
      .examples = {{"greenline plan search --model llama3-70b --system dgx-h100 --devices 1024 "
                    "--global-batch 1024",
                    "the fastest strategy, and what else there is"},
                   {"greenline plan search dlrm-a --system zionex --devices 64 --devices 128 "
                    "--global-batch 65536 --objective energy",
                    "how to spread the MLPs and tables of a recommender"},
                   {"greenline plan search llama3-70b --system dgx-h100 --max-devices 1024 "
                    "--global-batch 1024 --objective energy --max-time 30s",
                    "the least energy that keeps a pace"}}};
  info.is_shared = true;
  registry.add<SearchRequest, SearchResult>(std::move(info), &search);
}

}  // namespace greenline::plan
