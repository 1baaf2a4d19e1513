#include "plan/estimate_madmax.hpp"

#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "plan/class_plans.hpp"
#include "plan/madmax.hpp"
#include "plan/resolve.hpp"

namespace greenline::plan {
namespace {

using base::Estimate;
using base::Time;
using base::UserError;

// What hsia2024 compares, inner level first.
const std::vector<std::string> kStrategies = {"dense=ddp",  "dense=tp,ddp", "dense=fsdp,ddp",
                                              "dense=fsdp", "dense=ddp,tp", "dense=tp"};

// Batches of the runs behind their tables: 65 536 samples for recommenders, and for each device
// one sequence of text or sixteen images.
std::int64_t default_batch(const catalog::ModelShape& shape, std::int64_t devices) {
  switch (shape.kind) {
    case catalog::ModelKind::recommender:
      return 65536;
    case catalog::ModelKind::vision:
      return 16 * devices;
    case catalog::ModelKind::decoder:
      break;
  }
  return devices;
}

MadmaxProblem problem_of(const EstimateRequest& r, const catalog::Catalog& facts,
                         catalog::System& system) {
  MadmaxProblem p;
  p.shape = model_of(facts, r);
  system = resolve_system(facts, r, p.devices);
  p.system = madmax_system(facts, system.id);
  if (p.devices == 0)
    throw UserError("missing-input", "--fidelity madmax needs the number of devices",
                    "give --devices N or --on NxNODE");
  p.task = r.task;
  p.global_batch = r.global_batch;
  if (p.global_batch == 0) {
    p.global_batch = default_batch(p.shape, p.devices);
    assume(r, "global_batch", std::to_string(p.global_batch), "as in the runs of hsia2024");
  }
  p.prefetch = r.prefetch;
  return p;
}

BestPlan<MadmaxPlan> best_plan(MadmaxProblem p) {
  return best_of<MadmaxPlan>(kStrategies, [&](std::vector<ClassStrategy> strategy) {
    p.strategy = std::move(strategy);
    return madmax(p);
  });
}

MadmaxPlan chosen_plan(const EstimateRequest& r, MadmaxProblem p, EstimateResult& x) {
  if (r.strategy == "auto") {
    BestPlan<MadmaxPlan> best = best_plan(p);
    if (best.plan) {
      x.configurations_tried = best.tried;
      assume(r, "strategy", class_strategy_text(best.plan->strategy),
             fmt::format("best of {} by iteration time", best.tried));
      return std::move(*best.plan);
    }
  }
  // Of auto, the plainest says why nothing can run.
  p.strategy = parse_class_strategy(r.strategy == "auto" ? kStrategies[0] : r.strategy);
  return madmax(p);
}

void set_memory(const MadmaxProblem& p, const MadmaxPlan& plan, EstimateResult& x) {
  const MadmaxMemory& m = plan.memory;
  x.memory.weights = m.dense_weights + m.embedding_weights;
  x.memory.gradients = m.dense_gradients;
  x.memory.optimizer = m.dense_optimizer + m.embedding_optimizer;
  x.memory.capacity = m.capacity;
  if (m.fits()) return;
  x.status = FitStatus::does_not_fit;
  x.why = fmt::format("{} of weights, gradients and optimizer state needed, {} on {}: short by {}",
                      base::format_quantity(m.total()), base::format_quantity(m.capacity),
                      p.system.device, base::format_quantity(m.total() - m.capacity));
  x.mend = mend_of(best_plan(p));
}

void set_times(const MadmaxProblem& p, MadmaxPlan& plan, EstimateResult& x) {
  const Time exposed = plan.exposed_communication();
  x.parts = {{"matrix products", plan.gemm},
             {"embedding lookups", plan.embedding},
             {"exposed communication", exposed}};
  x.busy = {plan.gemm / plan.iteration, plan.embedding / plan.iteration, exposed / plan.iteration,
            0};
  x.communication = {exposed,
                     plan.communication(),
                     {{"all-to-all", plan.all_to_all},
                      {"all-reduce", plan.all_reduce},
                      {"all-gather", plan.all_gather},
                      {"reduce-scatter", plan.reduce_scatter}}};
  x.peak = p.shape.dense_bytes == 2   ? p.system.fp16.value()
           : p.shape.dense_bytes == 4 ? p.system.fp32.value()
           : p.shape.dense_bytes == 8 ? p.system.fp64.value()
                                      : p.system.int8.value();
  x.precision = fmt::format("{}-byte values", p.shape.dense_bytes);
  // Their products take FLOP / (peak x utilisation): so much of the peak is useful.
  x.mfu = x.hfu = plan.gemm * p.system.compute_utilisation / plan.iteration;
  x.model_flops = x.hardware_flops =
      x.mfu * static_cast<double>(p.devices) * x.peak * plan.iteration;
  x.flop_convention =
      "matrix products only, as hsia2024 counts: no attention scores, and two "
      "matrices in every feed-forward part";
}

}  // namespace

catalog::System estimate_madmax(const EstimateRequest& r, const catalog::Catalog& facts,
                                EstimateResult& x) {
  refuse_transformer_inputs(r, "under --fidelity madmax");
  if (r.precision != PrecisionChoice::automatic)
    throw UserError("conflict", "--precision has no meaning under --fidelity madmax",
                    "its rules take the peak by the size of the model's values");
  catalog::System system;
  MadmaxProblem p = problem_of(r, facts, system);
  MadmaxPlan plan = chosen_plan(r, p, x);
  set_sizes(p.shape, system, p.devices, p.global_batch, x);
  x.strategy_text = class_strategy_text(plan.strategy);
  x.iteration = Estimate<Time>(plan.iteration, base::Evidence::modelled, "hsia2024") *
                facts.estimate<double>("plan.madmax.time");
  set_times(p, plan, x);
  set_memory(p, plan, x);
  x.notices = plan.notices;
  x.notices.push_back(
      "the memory verdict counts weights, gradients and optimizer state; MAD-Max has no "
      "activations");
  if (r.timeline) {
    TimelineRun run;
    run.exposed_communication = plan.exposed_communication();
    run.names.processors = {"compute", "communication"};
    for (int tag = 0; tag < kNumMadmaxTags; ++tag)
      run.names.tags.emplace_back(madmax_tag_name(static_cast<MadmaxTag>(tag)));
    run.timeline = std::move(plan.timeline);
    run.schedule = std::move(plan.schedule);
    x.timeline = std::move(run);
  }
  return system;
}

}  // namespace greenline::plan
