#include "plan/resolve.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "footprint/grid_hours.hpp"

namespace greenline::plan {
namespace {

using base::Estimate;
using base::UserError;
using catalog::Catalog;
using catalog::Precision;

constexpr double kDefaultBatchTokens = 4.0 * 1024 * 1024;

void check_range(const char* name, std::int64_t value, double low, double high) {
  const auto v = static_cast<double>(value);
  if (v >= low && v <= high) return;
  throw UserError("out-of-range",
                  fmt::format("--{} {}: expected {} to {}", name, value, low, high));
}

// "128xdgx-h100" -> 128, "dgx-h100".
std::pair<std::int64_t, std::string> parse_on(const std::string& text) {
  const std::size_t x = text.find('x');
  std::int64_t nodes = 0;
  const char* end = text.data() + (x == std::string::npos ? 0 : x);
  const auto [stop, error] = std::from_chars(text.data(), end, nodes);
  if (x == std::string::npos || error != std::errc() || stop != end || nodes < 1 ||
      nodes > 1'000'000) {
    throw UserError(
        "bad-on",
        fmt::format("--on {}: expected a number of nodes, x and a system", base::quoted(text)),
        "for example --on 128xdgx-h100");
  }
  return {nodes, text.substr(x + 1)};
}

model::Attention resolve_attention(const EstimateRequest& r, const catalog::ModelShape& shape) {
  if (r.attention == AttentionChoice::fused) return model::Attention::fused;
  if (r.attention == AttentionChoice::materialised) return model::Attention::materialised;
  const bool old = shape.family == "gpt" || r.compat == Compat::korthikanti;
  const model::Attention a = old ? model::Attention::materialised : model::Attention::fused;
  assume(r, "attention", model::attention_name(a),
         old ? "as in the published runs of the GPT family"
             : "the family was trained with fused kernels");
  return a;
}

std::int64_t resolve_batch(const EstimateRequest& r, const catalog::ModelShape& shape,
                           std::int64_t sequence_length) {
  if (r.global_batch > 0) return r.global_batch;
  if (!is_training(r.task))
    throw UserError(
        "missing-input",
        fmt::format("--task {} needs --global-batch: how many sequences are {} at once",
                    base::enum_name(r.task), r.task == Task::prefill ? "read" : "continued"));
  const double tokens = shape.batch_tokens.value_or(kDefaultBatchTokens);
  const auto batch =
      std::max<std::int64_t>(1, std::llround(tokens / static_cast<double>(sequence_length)));
  assume(r, "global_batch", std::to_string(batch),
         shape.batch_tokens ? "batch_tokens of the model"
                            : "4 Mi tokens, for want of a published batch");
  return batch;
}

std::int64_t resolve_cached_tokens(const EstimateRequest& r, std::int64_t sequence_length) {
  if (r.task != Task::decode) {
    if (r.cached_tokens > 0)
      throw UserError("conflict",
                      fmt::format("--cached-tokens belongs to --task decode; the task is {}",
                                  base::enum_name(r.task)));
    return 0;
  }
  if (r.cached_tokens > 0) return r.cached_tokens;
  assume(r, "cached_tokens", std::to_string(sequence_length), "the sequence length");
  return sequence_length;
}

}  // namespace

void assume(const EstimateRequest& r, std::string key, std::string value, std::string why) {
  r.settings.journal->assumed({std::move(key), std::move(value), std::move(why)});
}

void check(const EstimateRequest& r) {
  check_range("devices", r.devices, 0, kMostDevices);
  check_range("micro-batch", r.micro_batch, 0, kMostSequences);
  check_range("global-batch", r.global_batch, 0, kMostSequences);
  check_range("sequence-length", r.sequence_length, 0, kMostTokens);
  check_range("interleave", r.interleave, 0, kMostChunks);
  if (r.prefetch && r.fidelity != Fidelity::madmax)
    throw UserError("conflict", "--prefetch belongs to --fidelity madmax; the fidelity is analytic",
                    "add --fidelity madmax, or leave --prefetch out");
  if (!(r.memory_reserve >= 0 && r.memory_reserve <= 0.5))
    throw UserError(
        "out-of-range",
        fmt::format("--memory-reserve {}: expected a share from 0 to 0.5", r.memory_reserve));
  if (!(r.gradient_bytes >= 1 && r.gradient_bytes <= 8))
    throw UserError("out-of-range",
                    fmt::format("--gradient-bytes {}: expected 1 to 8", r.gradient_bytes));
  constexpr double kMostPrice = 1e6;
  if (r.price && !(r.price->in(base::units::USD_per_h) > 0 &&
                   r.price->in(base::units::USD_per_h) <= kMostPrice))
    throw UserError("bad-price",
                    fmt::format("--price {} USD/h: expected more than 0 and at most {}",
                                r.price->in(base::units::USD_per_h), kMostPrice));
  if (r.pue && !(*r.pue >= 1 && *r.pue <= kMostPue))
    throw UserError("out-of-range", fmt::format("--pue {}: expected 1 to {}", *r.pue, kMostPue));
  if (r.intensity && !(r.intensity->base_value() >= 0 && std::isfinite(r.intensity->base_value())))
    throw UserError("out-of-range", "intensity: expected a finite carbon intensity of 0 or more");
}

catalog::ModelShape model_of(const Catalog& facts, const EstimateRequest& r) {
  return catalog::model_shape(facts, r.model);
}

catalog::System resolve_system(const Catalog& facts, const EstimateRequest& r,
                               std::int64_t& devices) {
  if (r.on.empty()) {
    if (r.system.empty())
      throw UserError(
          "missing-input",
          "no system: give --system NODE with --devices N or a strategy, or --on NxNODE",
          "`greenline catalog list nodes` names the systems");
    devices = r.devices;
    return catalog::system(facts, r.system);
  }
  const auto [nodes, name] = parse_on(r.on);
  catalog::System system = catalog::system(facts, name);
  devices = nodes * system.devices_per_node;
  check_range("on", devices, 1, kMostDevices);
  if (!r.system.empty() && r.system != name)
    throw UserError("conflict",
                    fmt::format("--on {} and --system {} name different systems", r.on, r.system),
                    "give one of them");
  if (r.devices != 0 && r.devices != devices)
    throw UserError("conflict",
                    fmt::format("--on {} is {} devices; --devices is {}", r.on, devices, r.devices),
                    "give one of them");
  return system;
}

Precision resolve_precision(const EstimateRequest& r, const catalog::Accelerator& device) {
  switch (r.precision) {
    case PrecisionChoice::fp8:
      return Precision::fp8;
    case PrecisionChoice::bf16:
      return Precision::bf16;
    case PrecisionChoice::fp16:
      return Precision::fp16;
    case PrecisionChoice::tf32:
      if (!is_training(r.task) || r.offload != Offload::none)
        throw UserError("conflict", "--precision tf32 is for training without offload",
                        "use bf16, or leave the other out");
      return Precision::tf32;
    case PrecisionChoice::automatic:
      break;
  }
  const bool bf16 = device.peak[static_cast<std::size_t>(Precision::bf16)].has_value();
  const Precision p = bf16 ? Precision::bf16 : Precision::fp16;
  assume(r, "precision", catalog::precision_name(p),
         bf16 ? "the device has it" : "the device has no bf16");
  return p;
}

Frozen frozen_of(const EstimateRequest& r) {
  Frozen f;
  for (const std::string& part : r.freeze) {
    if (part == "embedding")
      f.embedding = true;
    else if (part == "layers")
      f.layers = true;
    else if (part == "head")
      f.head = true;
    else
      throw base::unknown_name("freeze", part,
                               std::vector<std::string>{"embedding", "layers", "head"});
  }
  if (!r.freeze.empty() && r.task != Task::finetune)
    throw UserError(
        "conflict",
        fmt::format("--freeze belongs to --task finetune; the task is {}", base::enum_name(r.task)),
        "add --task finetune, or leave --freeze out");
  return f;
}

Problem make_problem(const Catalog& facts, const EstimateRequest& r, Precision& precision) {
  Problem p;
  p.shape = model_of(facts, r);
  p.system = resolve_system(facts, r, p.devices);
  precision = resolve_precision(r, p.system.device);
  p.machine = model::machine(facts, p.system, precision);
  if (p.shape.patches && r.task == Task::decode)
    throw UserError("conflict",
                    fmt::format("{} reads images: it has no tokens to decode", p.shape.id),
                    "--task prefill is its inference");
  p.sequence_length = r.sequence_length > 0 ? r.sequence_length : p.shape.sequence_length;
  if (r.sequence_length == 0)
    assume(r, "sequence_length", std::to_string(p.sequence_length), "that of the model's training");
  p.global_batch = resolve_batch(r, p.shape, p.sequence_length);
  p.attention = resolve_attention(r, p.shape);
  if (r.offload != Offload::none) model::set_host_link(p.machine, facts, p.system);
  p.kernels = r.kernels;
  p.gradient_bytes = r.gradient_bytes;
  p.overlap_gradients = r.overlap_gradients;
  p.overlap_tensor = r.overlap_tensor;
  p.task = r.task;
  p.frozen = frozen_of(r);
  p.cached_tokens = resolve_cached_tokens(r, p.sequence_length);
  p.memory_reserve = r.memory_reserve;
  return p;
}

// Of one device. Unset where nobody says a price: then cost is not known.
std::optional<Estimate<base::MoneyRate>> price_of(const Catalog& facts, const EstimateRequest& r,
                                                  const catalog::System& system) {
  if (r.price) return Estimate<base::MoneyRate>(*r.price, base::Evidence::assumed, "given");
  const std::string id = system.id + ".price";
  if (facts.peek(id) == nullptr) return std::nullopt;
  return facts.estimate<base::MoneyRate>(id);
}

Estimate<base::CarbonIntensity> intensity_of(const Catalog& facts, const EstimateRequest& r) {
  if (r.intensity)
    return Estimate<base::CarbonIntensity>(*r.intensity, base::Evidence::assumed, "given");
  const footprint::GridHours grid = footprint::load_grid(r.grid, facts, r.settings);
  return Estimate<base::CarbonIntensity>(grid.mean(), grid.level.evidence(), grid.source) *
         grid.level;
}

Estimate<double> pue_of(const Catalog& facts, const EstimateRequest& r) {
  if (r.pue) return Estimate<double>(*r.pue, base::Evidence::assumed, "given");
  return facts.estimate<double>("facility.pue");
}

}  // namespace greenline::plan
