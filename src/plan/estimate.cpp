#include "plan/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "catalog/catalog.hpp"
#include "catalog/system_file.hpp"
#include "plan/estimate_madmax.hpp"
#include "plan/estimate_recommender.hpp"
#include "plan/mend.hpp"
#include "plan/resolve.hpp"
#include "plan/search.hpp"
#include "plan/timeline_form.hpp"
#include "plan/utilisation.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::Estimate;
using base::Time;
using base::UserError;
using catalog::Catalog;
using catalog::Precision;

Configuration given_configuration(const EstimateRequest& r, Problem& p) {
  Configuration c;
  c.strategy = parse_strategy(r.strategy, p.devices, p.system.devices_per_node);
  if (p.devices == 0) {
    p.devices = c.strategy.devices();
    assume(r, "devices", std::to_string(p.devices), "product of the strategy");
  }
  c.micro_batch = r.micro_batch;
  if (c.micro_batch == 0) {
    const bool whole = !is_training(p.task) || p.shape.patches;
    const std::int64_t share = p.global_batch / c.strategy.data_parallel;
    c.micro_batch = whole && share > 0 ? share : 1;
    assume(r, "micro_batch", std::to_string(c.micro_batch),
           whole ? "all that a replica has, as for images and inference" : "the smallest");
  }
  if (!r.recompute) assume(r, "recompute", "none", "nothing is recomputed unless asked for");
  c.recompute = r.recompute.value_or(Recompute::none);
  if (r.interleave == 0) assume(r, "interleave", "1", "one chunk on each pipeline rank");
  c.interleave = std::max<std::int64_t>(1, r.interleave);
  if (!r.schedule) assume(r, "schedule", "1f1b", "that of published runs");
  c.schedule = r.schedule.value_or(Schedule::one_f_one_b);
  c.offload = r.offload;
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
  SpaceOptions space;  // that of `plan search`
  if (r.micro_batch > 0) space.micro_batch = {r.micro_batch};
  if (r.recompute) space.recompute = {*r.recompute};
  if (r.interleave > 0) space.interleave = {r.interleave};
  if (r.schedule) space.schedule = {*r.schedule};
  space.offload = {r.offload};
  const SearchOutcome outcome = search(p, space, progress);
  const Configuration& best = outcome.best;
  x.configurations_tried = outcome.tried;
  x.interrupted = outcome.interrupted;
  const std::string why = fmt::format("best of {} by iteration time", outcome.tried);
  assume(r, "strategy", strategy_text(best.strategy), why);
  if (r.micro_batch == 0) assume(r, "micro_batch", std::to_string(best.micro_batch), why);
  if (!r.recompute) assume(r, "recompute", base::enum_name(best.recompute), why);
  if (r.interleave == 0) assume(r, "interleave", std::to_string(best.interleave), why);
  if (!r.schedule) assume(r, "schedule", base::enum_name(best.schedule), why);
  return best;
}

void set_setting(const Problem& p, EstimateResult& x) {
  x.model = p.shape.id;
  x.system = p.system.id;
  x.devices = p.devices;
  x.devices_per_node = p.system.devices_per_node;
  x.nodes = static_cast<double>(p.devices) / static_cast<double>(p.system.devices_per_node);
  x.global_batch = p.global_batch;
  x.sequence_length = p.sequence_length;
  x.tokens = static_cast<double>(p.global_batch) * static_cast<double>(computed_tokens(p));
  x.parameters = model::count_parameters(p.shape).total();
}

void set_time(const Catalog& facts, const Problem& p, const Iteration& it, EstimateResult& x) {
  x.parts = parts_of(it);
  x.busy = it.busy;
  x.communication.exposed = it.tensor_parallel + it.context_parallel + it.expert_parallel +
                            it.pipeline + it.data_parallel + it.offload;
  const std::string driver = "plan." + p.system.device.generation + ".time";
  x.iteration = Estimate<Time>(it.total(), base::Evidence::modelled, "greenline_fit") *
                facts.estimate<double>(driver);
}

void set_utilisation(const EstimateRequest& r, const Problem& p, EstimateResult& x) {
  const bool causal = r.flop_convention == FlopConvention::causal;
  const double share = causal ? 0.5 : 1;
  x.flop_convention = fmt::format(
      "{} per matrix weight and token plus {} ({} L s h){}", is_training(r.task) ? 6 : 2,
      causal ? "attention scores below the diagonal" : "the whole attention square",
      (causal ? 6 : 12) / (is_training(r.task) ? 1 : 3),
      causal ? "" : ", as in the PaLM and Megatron papers");
  x.model_flops = required_flops(p, share);
  x.hardware_flops = executed_flops(p, x.configuration, r.compat, share);
  x.peak = p.machine.matmul_peak;
  const base::Work possible = static_cast<double>(p.devices) * x.peak * x.iteration.nominal();
  x.mfu = x.model_flops / possible;
  x.hfu = x.hardware_flops / possible;
  if (x.mfu > 1) {
    const std::string& g = p.system.device.generation;
    const bool fused = p.attention == model::Attention::fused;
    const model::Efficiency& e = p.machine.efficiency;
    throw UserError(
        "implausible-mfu",
        fmt::format(
            "MFU {:.2f} is above 1: {} in {} would need more than the {} peak of {} devices ({})",
            x.mfu, base::format_quantity(x.model_flops),
            base::format_quantity(x.iteration.nominal()), x.precision, p.devices,
            base::format_quantity(x.peak)),
        fmt::format("likely cause: {0}.matmul_efficiency ({1}) or {0}.{5} ({2}) "
                    "near 1, or {3}.peak_{4} too low; "
                    "a fused causal kernel also skips half of the attention square: "
                    "--flop-convention causal",
                    g, e.matmul, fused ? e.fused_attention : e.attention, p.system.device.id,
                    x.precision, fused ? "fused_attention_efficiency" : "attention_efficiency"));
  }
}

void set_rates(EstimateResult& x) {
  x.tokens_per_s = Estimate<double>(x.tokens) / x.iteration;
  x.tokens_per_s_per_device = x.tokens_per_s / Estimate<double>(static_cast<double>(x.devices));
}

void set_energy(const Catalog& facts, const EstimateRequest& r, const catalog::System& system,
                EstimateResult& x) {
  x.power = model::power_draw(facts, system, x.busy);
  x.pue = pue_of(facts, r);
  x.intensity = intensity_of(facts, r);
  x.it_energy = Estimate<double>(x.nodes) * x.power.node * x.iteration;
  x.energy = x.it_energy * x.pue;
  x.carbon = x.energy * x.intensity;
}

void set_cost(const Catalog& facts, const EstimateRequest& r, const catalog::System& system,
              EstimateResult& x) {
  x.price = price_of(facts, r, system);
  if (!x.price) return;
  x.cost = Estimate<double>(static_cast<double>(x.devices)) * *x.price * x.iteration;
}

void set_anchors(const Catalog& facts, const catalog::System& system, EstimateResult& x) {
  const double ours = x.tokens_per_s_per_device.nominal().base_value();
  for (const catalog::Anchor& a : catalog::anchors(facts)) {
    if (a.model != x.model || !a.token_rate) continue;
    const double measured = a.token_rate->in(base::units::per_s);
    x.anchors.push_back({a.id.substr(a.id.find('.') + 1), a.system, a.strategy, a.precision,
                         a.source, a.devices, measured, ours / measured,
                         catalog::generation_of(facts, a.system) == system.device.generation});
  }
  const auto distance = [&](const AnchorGap& g) {
    const double ratio =
        static_cast<double>(std::max<std::int64_t>(1, g.devices)) / static_cast<double>(x.devices);
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

// Everything of the result that follows from the iteration; the rest is the caller's.
catalog::System estimate_analytic(const EstimateRequest& r, const Catalog& facts, EstimateResult& x,
                                  base::Progress& progress) {
  Precision precision{};
  Problem p = make_problem(facts, r, precision);
  x.configuration =
      r.strategy == "auto" ? searched_configuration(r, p, x, progress) : given_configuration(r, p);
  set_setting(p, x);
  x.precision = catalog::precision_name(precision);
  x.strategy_text = strategy_text(x.configuration.strategy);
  x.micro_batches = num_micro_batches(p, x.configuration);
  set_verdict(r, p, x);
  set_time(facts, p, iteration(p, x.configuration), x);
  set_utilisation(r, p, x);
  if (r.timeline) {
    TimelineForm form = timeline_form(p, x.configuration);
    x.timeline = TimelineRun{std::move(form.timeline), std::move(form.schedule),
                             std::move(form.names), form.breakdown.exposed_communication};
    x.communication.total = form.breakdown.exposed_communication + form.breakdown.overlapped;
  }
  return p.system;
}

catalog::System estimated(const EstimateRequest& r, const Catalog& facts, EstimateResult& x,
                          base::Progress& progress) {
  if (r.fidelity == Fidelity::madmax) return estimate_madmax(r, facts, x);
  if (model_of(facts, r).recommender) return estimate_recommender(r, facts, x, progress);
  return estimate_analytic(r, facts, x, progress);
}

}  // namespace

// Kinds of work that this iteration has none of are left out, except those that every one has.
std::vector<TimePart> parts_of(const Iteration& it) {
  std::vector<TimePart> parts = {{"matrix products", it.matmul},
                                 {"attention", it.attention},
                                 {"memory-bound kernels", it.memory_bound},
                                 {"recomputation", it.recompute},
                                 {"tensor-parallel communication", it.tensor_parallel},
                                 {"context-parallel communication", it.context_parallel},
                                 {"expert-parallel communication", it.expert_parallel},
                                 {"pipeline communication", it.pipeline},
                                 {"pipeline bubble", it.bubble},
                                 {"data-parallel communication", it.data_parallel},
                                 {"host transfers", it.offload},
                                 {"optimizer", it.optimizer}};
  std::erase_if(parts, [](const TimePart& part) {
    return part.time == Time{} &&
           (part.name.starts_with("context") || part.name.starts_with("expert") ||
            part.name.starts_with("host"));
  });
  return parts;
}

const char* status_name(FitStatus status) {
  return status == FitStatus::ok ? "ok" : "does_not_fit";
}

EstimateResult estimate(const EstimateRequest& request, base::Progress& progress) {
  EstimateRequest r = request;
  check(r);
  r.system = catalog::use_system_file(r.settings, r.system);
  const Catalog facts(r.settings);
  EstimateResult x;
  x.fidelity = r.fidelity;
  x.task = r.task;
  const catalog::System system = estimated(r, facts, x, progress);
  set_rates(x);
  set_energy(facts, r, system, x);
  set_cost(facts, r, system, x);
  set_anchors(facts, system, x);
  return x;
}

}  // namespace greenline::plan
