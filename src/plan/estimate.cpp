#include "plan/estimate.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "catalog/catalog.hpp"
#include "plan/mend.hpp"
#include "plan/search.hpp"
#include "plan/utilisation.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::Estimate;
using base::Time;
using base::UserError;
using catalog::Catalog;
using catalog::Precision;

constexpr double kDefaultBatchTokens = 4.0 * 1024 * 1024;

void assume(const EstimateRequest& r, std::string key, std::string value, std::string why) {
  r.settings.journal->assumed({std::move(key), std::move(value), std::move(why)});
}

void check_range(const char* name, std::int64_t value, double low, double high) {
  const auto v = static_cast<double>(value);
  if (v >= low && v <= high) return;
  throw UserError("out-of-range",
                  fmt::format("--{} {}: expected {} to {}", name, value, low, high));
}

void check(const EstimateRequest& r) {
  check_range("devices", r.devices, 0, kMostDevices);
  check_range("micro-batch", r.micro_batch, 0, kMostSequences);
  check_range("global-batch", r.global_batch, 0, kMostSequences);
  check_range("sequence-length", r.sequence_length, 0, kMostTokens);
  check_range("interleave", r.interleave, 1, kMostChunks);
  if (!(r.memory_reserve >= 0 && r.memory_reserve <= 0.5))
    throw UserError(
        "out-of-range",
        fmt::format("--memory-reserve {}: expected a share from 0 to 0.5", r.memory_reserve));
  if (r.pue && !(*r.pue >= 1 && std::isfinite(*r.pue)))
    throw UserError("out-of-range", fmt::format("--pue {}: expected 1 or more", *r.pue));
  if (r.intensity && !(r.intensity->base_value() >= 0 && std::isfinite(r.intensity->base_value())))
    throw UserError("out-of-range", "intensity: expected a finite carbon intensity of 0 or more");
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
    case PrecisionChoice::automatic:
      break;
  }
  const bool bf16 = device.peak[static_cast<std::size_t>(Precision::bf16)].has_value();
  const Precision p = bf16 ? Precision::bf16 : Precision::fp16;
  assume(r, "precision", catalog::precision_name(p),
         bf16 ? "the device has it" : "the device has no bf16");
  return p;
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
  const double tokens = shape.batch_tokens.value_or(kDefaultBatchTokens);
  const auto batch =
      std::max<std::int64_t>(1, std::llround(tokens / static_cast<double>(sequence_length)));
  assume(r, "global_batch", std::to_string(batch),
         shape.batch_tokens ? "batch_tokens of the model"
                            : "4 Mi tokens, for want of a published batch");
  return batch;
}

Problem make_problem(const Catalog& facts, const EstimateRequest& r, Precision& precision) {
  Problem p;
  p.shape = catalog::model_shape(facts, r.model);
  p.system = resolve_system(facts, r, p.devices);
  precision = resolve_precision(r, p.system.device);
  p.machine = model::machine(facts, p.system, precision);
  p.sequence_length = r.sequence_length > 0 ? r.sequence_length : p.shape.sequence_length;
  if (r.sequence_length == 0)
    assume(r, "sequence_length", std::to_string(p.sequence_length), "that of the model's training");
  p.global_batch = resolve_batch(r, p.shape, p.sequence_length);
  p.attention = resolve_attention(r, p.shape);
  p.overlap_gradients = r.overlap_gradients;
  p.memory_reserve = r.memory_reserve;
  return p;
}

Configuration given_configuration(const EstimateRequest& r, Problem& p) {
  Configuration c;
  c.strategy = parse_strategy(r.strategy, p.devices);
  if (p.devices == 0) {
    p.devices = c.strategy.devices();
    assume(r, "devices", std::to_string(p.devices), "product of the strategy");
  }
  c.micro_batch = r.micro_batch;
  if (c.micro_batch == 0) {
    c.micro_batch = 1;
    assume(r, "micro_batch", "1", "the smallest");
  }
  if (!r.recompute) assume(r, "recompute", "none", "nothing is recomputed unless asked for");
  c.recompute = r.recompute.value_or(Recompute::none);
  c.interleave = r.interleave;
  if (const std::string why = why_impossible(p, c); !why.empty())
    throw UserError("bad-strategy",
                    fmt::format("strategy {} cannot run: {}", strategy_text(c.strategy), why));
  return c;
}

Configuration searched_configuration(const EstimateRequest& r, const Problem& p, EstimateResult& x,
                                     base::Progress& progress) {
  if (p.devices == 0)
    throw UserError("missing-input", "strategy auto needs the number of devices",
                    "give --devices N or --on NxNODE, or a strategy such as tp8,pp8,dp1");
  SearchLimits limits;
  if (r.micro_batch > 0) limits.micro_batch = r.micro_batch;
  limits.recompute = r.recompute;
  limits.interleave = r.interleave;
  const SearchOutcome outcome = search(p, limits, progress);
  x.configurations_tried = outcome.tried;
  x.interrupted = outcome.interrupted;
  assume(r, "strategy", strategy_text(outcome.best.strategy),
         fmt::format("best of {} by iteration time", outcome.tried));
  return outcome.best;
}

void set_utilisation(const EstimateRequest& r, const Problem& p, EstimateResult& x) {
  const bool causal = r.flop_convention == FlopConvention::causal;
  const double share = causal ? 0.5 : 1;
  x.flop_convention =
      causal ? "6 per matrix weight and token plus attention scores below the diagonal (6 L s h)"
             : "6 per matrix weight and token plus the whole attention square (12 L s h), as in "
               "the PaLM and Megatron papers";
  x.model_flops =
      model::model_flops(p.shape, p.sequence_length, static_cast<double>(p.global_batch), share);
  x.hardware_flops = executed_flops(p, x.configuration, r.compat, share);
  x.peak = p.machine.matmul_peak;
  const base::Work possible = static_cast<double>(p.devices) * x.peak * x.iteration.nominal();
  x.mfu = x.model_flops / possible;
  x.hfu = x.hardware_flops / possible;
  if (x.mfu > 1) {
    const std::string& g = p.system.device.generation;
    throw UserError(
        "implausible-mfu",
        fmt::format(
            "MFU {:.2f} is above 1: {} in {} would need more than the {} peak of {} devices ({})",
            x.mfu, base::format_quantity(x.model_flops),
            base::format_quantity(x.iteration.nominal()), x.precision, p.devices,
            base::format_quantity(x.peak)),
        fmt::format("likely cause: {0}.matmul_efficiency ({1}) or {0}.attention_efficiency ({2}) "
                    "near 1, or {3}.peak_{4} too low; "
                    "a fused causal kernel also skips half of the attention square: "
                    "--flop-convention causal",
                    g, p.machine.efficiency.matmul, p.machine.efficiency.attention,
                    p.system.device.id, x.precision));
  }
}

Estimate<base::CarbonIntensity> intensity_of(const Catalog& facts, const EstimateRequest& r) {
  if (r.intensity)
    return Estimate<base::CarbonIntensity>(*r.intensity, base::Evidence::assumed, "given");
  const footprint::GridHours grid = footprint::load_grid(r.grid, facts, r.settings);
  return Estimate<base::CarbonIntensity>(grid.mean(), grid.level.evidence(), grid.source) *
         grid.level;
}

void set_energy(const Catalog& facts, const EstimateRequest& r, const Problem& p,
                EstimateResult& x) {
  x.power = model::power_draw(facts, p.system, x.breakdown.busy);
  x.pue = r.pue ? Estimate<double>(*r.pue, base::Evidence::assumed, "given")
                : facts.estimate<double>("facility.pue");
  x.intensity = intensity_of(facts, r);
  x.it_energy = Estimate<double>(x.nodes) * x.power.node * x.iteration;
  x.energy = x.it_energy * x.pue;
  x.carbon = x.energy * x.intensity;
}

void set_anchors(const Catalog& facts, const Problem& p, EstimateResult& x) {
  const double ours = x.tokens_per_s_per_device.nominal().base_value();
  for (const catalog::Anchor& a : catalog::anchors(facts)) {
    if (a.model != p.shape.id || !a.token_rate) continue;
    const double measured = a.token_rate->in(base::units::per_s);
    x.anchors.push_back({a.id.substr(a.id.find('.') + 1), a.system, a.strategy, a.precision,
                         a.source, a.devices, measured, ours / measured,
                         catalog::generation_of(facts, a.system) == p.system.device.generation});
  }
  const auto distance = [&](const AnchorGap& g) {
    const double ratio =
        static_cast<double>(std::max<std::int64_t>(1, g.devices)) / static_cast<double>(p.devices);
    return std::tuple(!g.same_generation, g.precision != x.precision, std::abs(std::log(ratio)));
  };
  std::stable_sort(x.anchors.begin(), x.anchors.end(), [&](const AnchorGap& a, const AnchorGap& b) {
    return distance(a) < distance(b);
  });
}

void set_verdict(const EstimateRequest& r, const Problem& p, EstimateResult& x) {
  x.memory = memory_of(p, x.configuration, r.compat);
  if (x.memory.fits()) return;
  x.status = FitStatus::does_not_fit;
  const Memory& m = x.memory;
  x.why = fmt::format("{} needed on a device of stage {}, {} usable of {} on {}: short by {}",
                      base::format_quantity(m.total()), m.stage, base::format_quantity(m.usable()),
                      base::format_quantity(m.capacity), p.system.device.id,
                      base::format_quantity(m.total() - m.usable()));
  x.mend = smallest_mend(p, x.configuration, r.compat);
}

}  // namespace

const char* status_name(FitStatus status) {
  return status == FitStatus::ok ? "ok" : "does_not_fit";
}

EstimateResult estimate(const EstimateRequest& r, base::Progress& progress) {
  check(r);
  const Catalog facts(r.settings);
  EstimateResult x;
  Precision precision{};
  Problem p = make_problem(facts, r, precision);
  x.configuration =
      r.strategy == "auto" ? searched_configuration(r, p, x, progress) : given_configuration(r, p);

  x.model = p.shape.id;
  x.system = p.system.id;
  x.precision = catalog::precision_name(precision);
  x.strategy_text = strategy_text(x.configuration.strategy);
  x.devices = p.devices;
  x.devices_per_node = p.system.devices_per_node;
  x.nodes = static_cast<double>(p.devices) / static_cast<double>(p.system.devices_per_node);
  x.global_batch = p.global_batch;
  x.sequence_length = p.sequence_length;
  x.micro_batches = num_micro_batches(p, x.configuration);
  x.tokens = static_cast<double>(p.global_batch) * static_cast<double>(p.sequence_length);
  x.parameters = model::count_parameters(p.shape).total();

  set_verdict(r, p, x);
  x.breakdown = iteration(p, x.configuration);
  const std::string driver = "plan." + p.system.device.generation + ".time";
  x.iteration = Estimate<Time>(x.breakdown.total(), base::Evidence::modelled, "greenline_fit") *
                facts.estimate<double>(driver);
  x.tokens_per_s = Estimate<double>(x.tokens) / x.iteration;
  x.tokens_per_s_per_device = x.tokens_per_s / Estimate<double>(static_cast<double>(p.devices));
  set_utilisation(r, p, x);
  set_energy(facts, r, p, x);
  set_anchors(facts, p, x);
  return x;
}

}  // namespace greenline::plan
