#include "plan/validation.hpp"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using catalog::Catalog;

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

model::Kernels kernels_of(const std::string& name) {
  if (name.empty() || name == "fused") return model::Kernels::fused;
  if (name == "eager") return model::Kernels::eager;
  throw base::DataError(
      "bad-anchor",
      fmt::format("unknown kernels {} in an anchor: expected fused or eager", base::quoted(name)));
}

// No size of a run is larger; beyond it products of sizes would leave 64 bits.
constexpr double kLargest = 1e9;

void check_sizes(const catalog::Anchor& a) {
  const double measured =
      a.iteration_time ? a.iteration_time->in(units::s) : a.token_rate->in(units::per_s);
  for (const double value : {static_cast<double>(a.devices), *a.micro_batch, *a.global_batch,
                             *a.sequence_length, measured})
    if (!(value > 0 && value <= kLargest))
      throw base::DataError(
          "bad-anchor",
          fmt::format("anchor {} holds {} where a size, a time or a rate must be positive", a.id,
                      value));
}

Configuration configuration_of(const catalog::Anchor& a) {
  Configuration c;
  c.strategy = parse_strategy(a.strategy, a.devices);
  c.micro_batch = static_cast<std::int64_t>(*a.micro_batch);
  c.interleave = static_cast<std::int64_t>(a.interleave.value_or(1));
  c.recompute = recompute_of(a.recompute);
  return c;
}

}  // namespace

std::optional<MeasuredRun> measured_run(const Catalog& facts, const catalog::Anchor& a) {
  if (a.devices == 0 || !a.micro_batch || !a.global_batch || !a.sequence_length ||
      (!a.iteration_time && !a.token_rate) || a.strategy.empty() ||
      facts.peek(a.system + ".inter_bandwidth") == nullptr)
    return std::nullopt;
  check_sizes(a);
  MeasuredRun run;
  run.name = a.id.substr(a.id.find('.') + 1);
  run.source = a.source;
  Problem& p = run.problem;
  p.shape = catalog::model_shape(facts, a.model);
  p.system = catalog::system(facts, a.system);
  p.machine = model::machine(facts, p.system, precision_of(a.precision));
  p.devices = a.devices;
  p.global_batch = static_cast<std::int64_t>(*a.global_batch);
  p.sequence_length = static_cast<std::int64_t>(*a.sequence_length);
  set_software(p, p.shape.family == "gpt");
  p.kernels = kernels_of(a.kernels);
  p.overlap_tensor = a.overlap_tensor;
  run.configuration = configuration_of(a);
  if (const std::string why = why_impossible(p, run.configuration); !why.empty())
    throw base::DataError("bad-anchor",
                          fmt::format("anchor {} is a run that cannot be: {}", a.id, why));
  run.generation = p.system.device.generation;
  run.is_rate = !a.iteration_time;
  run.iteration = a.iteration_time ? *a.iteration_time : run.tokens_per_device() / *a.token_rate;
  return run;
}

std::vector<MeasuredRun> anchor_runs(const Catalog& facts) {
  std::vector<MeasuredRun> runs;
  for (const catalog::Anchor& anchor : catalog::anchors(facts))
    if (auto run = measured_run(facts, anchor)) runs.push_back(std::move(*run));
  return runs;
}

}  // namespace greenline::plan
