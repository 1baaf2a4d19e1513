// How fast a plan is priced and searched, and what the closed form saves over the schedule task by
// task.
#include "plan/search.hpp"

#include <vector>

#include <benchmark/benchmark.h>

#include "plan/iteration.hpp"
#include "plan/memory.hpp"
#include "plan/pipeline.hpp"

namespace greenline::plan {
namespace {

Problem problem_of(const char* model, const char* node, std::int64_t devices, std::int64_t batch) {
  const catalog::Catalog facts{base::Settings{}};
  Problem p;
  p.shape = catalog::model_shape(facts, model);
  p.system = catalog::system(facts, node);
  p.machine = model::machine(facts, p.system, catalog::Precision::bf16);
  p.devices = devices;
  p.global_batch = batch;
  p.sequence_length = p.shape.sequence_length;
  p.memory_reserve = 0.05;
  return p;
}

// Items are configurations that could run.
void search_devices(benchmark::State& state) {
  const Problem p = problem_of("llama3-70b", "dgx-h100", state.range(0), 2048);
  std::int64_t tried = 0;
  for (auto _ : state) {
    const SearchOutcome outcome = search(p, {}, base::no_progress());
    tried += outcome.tried;
    benchmark::DoNotOptimize(outcome);
  }
  state.SetItemsProcessed(tried);
}
BENCHMARK(search_devices)->Arg(64)->Arg(1024)->Arg(16384)->Unit(benchmark::kMillisecond);

const Configuration kGpt{{8, 8, 1, 0, true}, Recompute::selective, 1, 3};

void price_closed_form(benchmark::State& state) {
  const Problem p = problem_of("megatron-175b", "dgx-a100-80", 64, 64);
  for (auto _ : state) benchmark::DoNotOptimize(iteration(p, kGpt));
}
BENCHMARK(price_closed_form)->Unit(benchmark::kMicrosecond);

void price_schedule(benchmark::State& state) {
  const Problem p = problem_of("megatron-175b", "dgx-a100-80", 64, 64);
  for (auto _ : state) {
    std::vector<StageWork> work;
    for (std::int64_t i = 0; i < kGpt.strategy.pipeline_parallel; ++i) {
      const StageTime t = stage_time(p, kGpt, i);
      work.push_back({t.total() - t.backward, t.backward});
    }
    benchmark::DoNotOptimize(
        pipeline_schedule(work, num_micro_batches(p, kGpt), kGpt.interleave).run());
  }
}
BENCHMARK(price_schedule)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace greenline::plan
