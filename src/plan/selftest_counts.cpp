#include <utility>

#include <fmt/format.h>

#include "plan/selftest_tables.hpp"
#include "plan/utilisation.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using catalog::Catalog;

// Korthikanti et al., the published closed forms in GiB, and MFU and HFU in percent of their
// selective runs.
constexpr PublishedPlan kPlans[] = {
    {"megatron-22b", "tp8,pp1,dp1", 1, 4, 4, 45.5625, 59.25, 9.5625, 41.65, 43.81,
     "korthikanti-22b-8-full", "korthikanti-22b-8-selective", "megatron-22B"},
    {"megatron-175b", "tp8,pp8,dp1", 3, 1, 64, 45.5625, 66.84375, 12.3515625, 51.39, 52.77,
     "korthikanti-175b-64-full", "korthikanti-175b-64-selective", "gpt3-175B"},
    {"megatron-530b", "tp8,pp35,dp1", 3, 1, 280, 31.640625, 114.0234375, 23.076171875, 56.05, 56.96,
     "korthikanti-530b-280-full", "korthikanti-530b-280-selective", "turing-530B"},
    {"megatron-1t", "tp8,pp64,dp1", 1, 1, 512, 32.958984375, 131.25, 26.5625, 56.27, 57.01,
     "korthikanti-1t-512-full", "korthikanti-1t-512-selective", "megatron-1T"},
};

}  // namespace

std::span<const PublishedPlan> published_plans() { return kPlans; }

Planned plan_of(const Catalog& facts, const PublishedPlan& x, Recompute recompute,
                bool sequence_parallel) {
  Planned r;
  Problem& p = r.problem;
  p.shape = catalog::model_shape(facts, x.model);
  p.system = catalog::system(facts, "dgx-a100-80");
  p.machine = model::machine(facts, p.system, catalog::Precision::fp16);
  p.global_batch = x.global_batch;
  p.sequence_length = p.shape.sequence_length;
  p.attention = model::Attention::materialised;
  r.configuration.strategy = parse_strategy(x.strategy, 0);
  r.configuration.strategy.sequence_parallel = sequence_parallel;
  r.configuration.recompute = recompute;
  r.configuration.micro_batch = x.micro_batch;
  r.configuration.interleave = x.interleave;
  p.devices = r.configuration.strategy.devices();
  return r;
}

void append_parameter_tables(const Catalog& facts, CheckRows& rows) {
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

void append_utilisation_tables(const Catalog& facts, CheckRows& rows) {
  for (const PublishedPlan& x : published_plans()) {
    const Planned p = plan_of(facts, x, Recompute::selective, true);
    const base::Time measured =
        facts.get<base::Time>(fmt::format("anchor.{}.iteration_time", x.selective));
    const base::Work possible =
        static_cast<double>(p.problem.devices) * p.problem.machine.matmul_peak * measured;
    auto add = [&](const char* what, double expected, base::Work flops) {
      // Printed to two digits, from a time printed to two.
      rows.push_back({"korthikanti2022: utilisation at the measured time",
                      fmt::format("{} {}", x.model, what), expected, 100 * (flops / possible), "%",
                      0.01, false, true, "korthikanti2022", ""});
    };
    add("MFU", x.mfu, required_flops(p.problem));
    add("HFU", x.hfu, executed_flops(p.problem, p.configuration, Compat::korthikanti));
  }
}

}  // namespace greenline::plan
