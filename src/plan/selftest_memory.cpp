#include <fmt/format.h>

#include "plan/memory.hpp"
#include "plan/selftest_tables.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using catalog::Catalog;

void append_closed_forms(const Catalog& facts, CheckRows& rows) {
  for (const PublishedPlan& x : published_plans()) {
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

// Figure 7 of the paper: activations in percent of those with neither sequence parallelism nor
// recomputation, by model in the order of published_plans.
struct Relative {
  const char* what;
  Recompute recompute;
  bool sequence_parallel;
  double percent[4];
};
constexpr Relative kRelative[] = {
    {"sequence parallel", Recompute::none, true, {66.84, 62.04, 58.31, 58.31}},
    {"selective", Recompute::selective, false, {49.42, 56.53, 62.04, 62.04}},
    {"sequence parallel and selective", Recompute::selective, true, {16.18, 18.49, 20.27, 20.27}},
    {"full", Recompute::full, false, {7.64, 8.71, 9.42, 9.42}},
};

void append_relative(const Catalog& facts, CheckRows& rows) {
  const auto activations = [&](const PublishedPlan& x, Recompute recompute, bool sequence) {
    const Planned p = plan_of(facts, x, recompute, sequence);
    return korthikanti_memory(p.problem, p.configuration).activations;
  };
  for (const Relative& r : kRelative) {
    for (std::size_t i = 0; i < published_plans().size(); ++i) {
      const PublishedPlan& x = published_plans()[i];
      const double got = 100 * (activations(x, r.recompute, r.sequence_parallel) /
                                activations(x, Recompute::none, false));
      // Read from a chart: the closed forms of the same paper differ from it by up to 0.14.
      rows.push_back({"korthikanti2022: relative activations",
                      fmt::format("{} {}", x.model, r.what), r.percent[i], got, "%", 0.15, false,
                      true, "korthikanti2022", ""});
    }
  }
}

void append_device_peaks(const Catalog& facts, CheckRows& rows) {
  for (const MeasuredRun& run : anchor_runs(facts)) {
    const std::string id = fmt::format("anchor.{}.memory", run.name);
    if (facts.peek(id) == nullptr) continue;
    rows.push_back({"torchtitan: peak device memory", run.name,
                    facts.get<base::Data>(id).in(units::GiB),
                    fullest_stage(run.problem, run.configuration).total().in(units::GiB), "GiB",
                    0.2, true, false, run.source, ""});
  }
}

}  // namespace

void append_memory_tables(const Catalog& facts, CheckRows& rows) {
  append_closed_forms(facts, rows);
  append_relative(facts, rows);
  append_device_peaks(facts, rows);
}

}  // namespace greenline::plan
