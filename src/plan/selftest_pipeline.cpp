#include <utility>

#include <fmt/format.h>

#include "plan/iteration.hpp"
#include "plan/pipeline.hpp"
#include "plan/selftest_tables.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using catalog::Catalog;

struct Size {
  const char* name;
  double mebibytes;
};
constexpr Size kSizes[] = {{"1mib", 1},   {"4mib", 4},     {"16mib", 16},
                           {"64mib", 64}, {"256mib", 256}, {"1gib", 1024}};
constexpr std::pair<const char*, const char*> kNodes[] = {{"nvlink3-8xa100", "dgx-a100-80"},
                                                          {"nvlink2-8xv100", "dgx-v100"}};

}  // namespace

// Task by task, with the stage times of the published runs.
void append_pipeline_tables(const Catalog& facts, CheckRows& rows) {
  for (const PublishedPlan& x : published_plans()) {
    const Planned plan = plan_of(facts, x, Recompute::selective, true);
    const Strategy& s = plan.configuration.strategy;
    std::vector<StageWork> work;
    for (std::int64_t i = 0; i < s.pipeline_parallel; ++i) {
      const StageTime t = stage_time(plan.problem, plan.configuration, i);
      work.push_back({t.total() - t.backward, t.backward});
    }
    const std::int64_t batches = num_micro_batches(plan.problem, plan.configuration);
    const model::Timeline schedule = pipeline_schedule(work, batches, x.interleave);
    rows.push_back({"pipeline: closed form and schedule", x.model,
                    schedule.run().makespan.in(units::s),
                    pipeline_time(work, batches, x.interleave).in(units::s), "s", 0.01, true, true,
                    "narayanan2021", ""});
  }
}

void append_collective_tables(const Catalog& facts, CheckRows& rows) {
  for (const auto& [network, node] : kNodes) {
    const model::Machine m =
        model::machine(facts, catalog::system(facts, node), catalog::Precision::fp16);
    for (const Size& size : kSizes) {
      const std::string id = fmt::format("{}.allreduce_{}", network, size.name);
      if (facts.peek(id) == nullptr) continue;
      rows.push_back({"vtrain2024: all-reduce inside a node", fmt::format("{} {}", node, size.name),
                      facts.get<base::Time>(id).in(units::us),
                      model::all_reduce(m, {8, 8}, size.mebibytes * units::MiB).in(units::us), "us",
                      0.2, true, false, "vtrain2024", ""});
    }
  }
}

}  // namespace greenline::plan
