#include "plan/timeline_form.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "plan/iteration.hpp"
#include "plan_configurations.hpp"

namespace greenline::plan {
namespace {

// A task, frozen parts, overlap rules and a network of any kind.
Problem any_variant(Problem p, ConfigurationSource& source) {
  p.overlap_gradients = source.chance(0.8);
  p.overlap_tensor = source.chance(0.3);
  if (source.chance(0.15)) {
    p.task = source.chance(0.5) || p.shape.patches ? Task::prefill : Task::decode;
    p.cached_tokens = p.task == Task::decode ? p.sequence_length : 0;
  } else if (source.chance(0.2)) {
    p.task = Task::finetune;
    p.frozen.layers = source.chance(0.5);
    if (!p.shape.tied_embeddings) p.frozen.embedding = source.chance(0.5);
    if (!p.shape.tied_embeddings) p.frozen.head = !p.frozen.layers && source.chance(0.3);
  }
  if (source.chance(0.3))
    p.machine.inter.bandwidth *= 1 / static_cast<double>(source.pick({2, 4, 10}));
  p.machine.efficiency.overlap_slowdown *= static_cast<double>(source.pick({0, 1, 1, 1, 3}));
  return p;
}

struct Setting {
  const char *model, *system;
  std::int64_t devices, global_batch;
};
class TimelineFormOf : public testing::TestWithParam<Setting> {};

TEST_P(TimelineFormOf, IsTheIterationTaskByTask) {
  constexpr int kConfigurations = 300;
  const Setting& run = GetParam();
  const Problem problem = problem_of(run.model, run.system, run.devices, run.global_batch);
  ConfigurationSource source(7);
  for (int i = 0; i < kConfigurations; ++i) {
    const Problem p = any_variant(problem, source);
    Configuration c = source.configuration(p);
    if (is_training(p.task) && source.chance(0.2)) c.offload = Offload::optimizer;
    const TimelineForm form = timeline_form(p, c);
    // Both take the same times of layers; 1 % is far more than they have been seen to differ.
    EXPECT_NEAR(iteration(p, c).total() / form.iteration, 1, 0.01)
        << strategy_text(c.strategy) << " micro-batch " << c.micro_batch << " interleave "
        << c.interleave << " " << base::enum_name(c.schedule) << " " << base::enum_name(p.task);
    for (const base::Time busy : form.schedule.busy) EXPECT_LE(busy, form.schedule.makespan);
    EXPECT_NEAR(form.breakdown.makespan() / form.schedule.makespan, 1, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, TimelineFormOf,
                         testing::Values(Setting{"llama3-8b", "dgx-h100", 64, 256},
                                         Setting{"llama3-8b", "dgx-a100-80", 96, 48},
                                         Setting{"llama3-70b", "dgx-h100", 192, 192},
                                         Setting{"megatron-18b", "dgx-a100-80", 64, 128},
                                         Setting{"megatron-22b", "dgx-h100", 64, 512},
                                         Setting{"megatron-175b", "dgx-a100-80", 96, 96},
                                         Setting{"mixtral-8x7b", "dgx-h100", 64, 128},
                                         Setting{"vit-h", "dgx-h100", 16, 256}));

}  // namespace
}  // namespace greenline::plan
