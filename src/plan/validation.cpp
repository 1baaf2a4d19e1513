#include "plan/validation.hpp"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "io/file.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using catalog::Catalog;
using catalog::Fact;

std::optional<double> number(const Catalog& facts, const std::string& id) {
  const Fact* fact = facts.peek(id);
  return fact ? std::optional<double>(fact->value.value) : std::nullopt;
}

std::string text(const Catalog& facts, const std::string& id) {
  const Fact* fact = facts.peek(id);
  return fact ? fact->text : std::string();
}

catalog::Precision precision_of(const std::string& name) {
  for (int p = 0; p < catalog::kNumPrecisions; ++p)
    if (name == catalog::precision_name(static_cast<catalog::Precision>(p)))
      return static_cast<catalog::Precision>(p);
  throw base::DataError("bad-anchor",
                        fmt::format("unknown precision {} in an anchor", base::quoted(name)));
}

Recompute recompute_of(const std::string& name) {
  for (const base::EnumName& n : enum_names(Recompute{}))
    if (name == n.name) return static_cast<Recompute>(n.value);
  throw base::DataError("bad-anchor",
                        fmt::format("unknown recomputation {} in an anchor", base::quoted(name)));
}

// The GPT runs of 2021 and 2022 materialise attention scores, and reduce gradients after the
// backward pass.
void set_software(Problem& p, bool of_the_megatron_papers) {
  p.attention = of_the_megatron_papers ? model::Attention::materialised : model::Attention::fused;
  p.overlap_gradients = !of_the_megatron_papers;
}

// No size of a run is larger; beyond it products of sizes would leave 64 bits.
constexpr double kLargest = 1e9;

std::optional<MeasuredRun> run_of(const Catalog& facts, const std::string& entry) {
  auto at = [&](const char* property) { return entry + "." + property; };
  const auto devices = number(facts, at("devices"));
  const auto micro_batch = number(facts, at("micro_batch"));
  const auto global_batch = number(facts, at("global_batch"));
  const auto sequence_length = number(facts, at("sequence_length"));
  const auto seconds = number(facts, at("iteration_time"));
  const auto rate = number(facts, at("tokens_per_s_per_device"));
  const std::string strategy = text(facts, at("strategy"));
  const std::string node = text(facts, at("system"));
  if (!devices || !micro_batch || !global_batch || !sequence_length || (!seconds && !rate) ||
      strategy.empty() || facts.peek(node + ".inter_bandwidth") == nullptr)
    return std::nullopt;
  for (const double value :
       {*devices, *micro_batch, *global_batch, *sequence_length, *(seconds ? seconds : rate)})
    if (!(value > 0 && value <= kLargest))
      throw base::DataError(
          "bad-anchor",
          fmt::format("anchor {} holds {} where a size, a time or a rate must be positive", entry,
                      value));

  MeasuredRun run;
  run.name = entry.substr(entry.find('.') + 1);
  run.source = facts.peek(at(seconds ? "iteration_time" : "tokens_per_s_per_device"))->source;
  Problem& p = run.problem;
  p.shape = catalog::model_shape(facts, text(facts, at("model")));
  p.system = catalog::system(facts, node);
  p.machine = model::machine(facts, p.system, precision_of(text(facts, at("precision"))));
  p.devices = static_cast<std::int64_t>(*devices);
  p.global_batch = static_cast<std::int64_t>(*global_batch);
  p.sequence_length = static_cast<std::int64_t>(*sequence_length);
  set_software(p, p.shape.family == "gpt");
  Configuration& c = run.configuration;
  c.strategy = parse_strategy(strategy, p.devices);
  c.micro_batch = static_cast<std::int64_t>(*micro_batch);
  c.interleave = static_cast<std::int64_t>(number(facts, at("interleave")).value_or(1));
  c.recompute = recompute_of(text(facts, at("recompute")));
  if (const std::string why = why_impossible(p, c); !why.empty())
    throw base::DataError("bad-anchor",
                          fmt::format("anchor {} is a run that cannot be: {}", entry, why));
  run.generation = p.system.device.generation;
  run.is_rate = !seconds;
  run.iteration = (seconds ? *seconds : run.tokens_per_device() / *rate) * units::s;
  return run;
}

}  // namespace

std::vector<MeasuredRun> anchor_runs(const Catalog& facts) {
  std::vector<MeasuredRun> runs;
  for (const std::string& entry : facts.entries("anchors"))
    if (auto run = run_of(facts, entry)) runs.push_back(std::move(*run));
  return runs;
}

std::vector<MeasuredRun> vtrain_runs(const Catalog& facts, const std::string& path,
                                     base::Journal& journal) {
  const io::CsvTable table = io::parse_csv(io::read_file(path, &journal), path);
  const std::vector<double> size = table.numbers("Parameters (billion)");
  const std::vector<double> milliseconds = table.numbers("iteration time (ms)");
  MeasuredRun common;
  common.source = "vtrain2024";
  common.problem.shape =
      catalog::model_shape(facts, "megatron-18b");  // vocabulary, norms and biases of a GPT
  common.problem.system = catalog::system(facts, "dgx-a100-80");
  common.problem.machine = model::machine(facts, common.problem.system, catalog::Precision::fp16);
  common.generation = common.problem.system.device.generation;
  common.configuration.recompute = Recompute::full;
  set_software(common.problem, true);

  std::vector<MeasuredRun> runs;
  for (std::size_t i = 0; i < table.num_rows(); ++i) {
    const auto refuse = [&](const std::string& why) {
      return base::DataError("bad-run",
                             fmt::format("row {} is a run that cannot be: {}", i + 1, why), "",
                             table.where(i, 0));
    };
    const auto whole = [&](const char* column) {
      const double value = table.number(i, table.column(column));
      if (!(value >= 1 && value <= kLargest && value == std::floor(value)))
        throw refuse(
            fmt::format("{} is {}, expected a whole number from 1 to {}", column, value, kLargest));
      return static_cast<std::int64_t>(value);
    };
    MeasuredRun run = common;
    Problem& p = run.problem;
    p.shape.id = fmt::format("gpt-{}b", size[i]);
    p.shape.hidden = whole("hidden size");
    p.shape.heads = p.shape.kv_heads = whole("attention heads");
    p.shape.layers = whole("# layers");
    p.shape.ffn_hidden = 4 * p.shape.hidden;
    p.shape.sequence_length = p.sequence_length = whole("sequence length");
    p.devices = whole("# GPUs");
    p.global_batch = whole("global batch");
    run.configuration.micro_batch = whole("micro batch");
    Strategy& s = run.configuration.strategy;
    s = {whole("tensor parallelism"), whole("pipeline parallelism"), whole("data parallelism"), 0,
         false};
    // Each is at most 1e9, so two of them stay within 64 bits and the third only divides.
    if (p.devices % s.tensor_parallel != 0 ||
        s.pipeline_parallel * s.data_parallel != p.devices / s.tensor_parallel)
      throw refuse("tp x pp x dp is not the number of devices");
    if (const std::string why = why_impossible(p, run.configuration); !why.empty())
      throw refuse(why);
    if (!(milliseconds[i] > 0))
      throw refuse(fmt::format("iteration time (ms) is {}, expected more than 0", milliseconds[i]));
    run.name = fmt::format("{}B tp{} dp{} pp{} b{}", size[i], s.tensor_parallel, s.data_parallel,
                           s.pipeline_parallel, run.configuration.micro_batch);
    run.iteration = milliseconds[i] * units::ms;
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace greenline::plan
