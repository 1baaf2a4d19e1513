#include "plan/estimate_recommender.hpp"

#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "plan/class_plans.hpp"
#include "plan/recommender.hpp"
#include "plan/resolve.hpp"
#include "plan/search.hpp"

namespace greenline::plan {
namespace {

using base::Estimate;
using base::Time;
using base::UserError;
using catalog::Precision;

// Published recommenders keep MLPs in fp32 and multiply in TF32 where the device has it.
Precision precision_of(const EstimateRequest& r, const catalog::ModelShape& shape,
                       const catalog::Accelerator& device) {
  if (r.precision != PrecisionChoice::automatic || shape.dense_bytes < 4)
    return resolve_precision(r, device);
  const bool tf32 = device.peak[static_cast<std::size_t>(Precision::tf32)].has_value();
  const Precision p = tf32 ? Precision::tf32 : Precision::fp32;
  assume(r, "precision", catalog::precision_name(p), "4-byte values of the model's MLPs");
  return p;
}

RecommenderPlan chosen_plan(const EstimateRequest& r, RecommenderProblem& p, EstimateResult& x,
                            base::Progress& progress) {
  if (r.strategy != "auto") {
    p.strategy = parse_class_strategy(r.strategy);
    return recommender_plan(p);
  }
  const SearchOutcome outcome = search(p, progress);
  x.configurations_tried = outcome.tried;
  x.interrupted = outcome.interrupted;
  p.strategy = class_strategy(outcome.recommender);
  RecommenderPlan plan = recommender_plan(p);
  assume(r, "strategy", class_strategy_text(plan.strategy),
         fmt::format("best of {} by iteration time", outcome.tried));
  return plan;
}

// What to type for a plan that fits; "" when none does.
std::string mend_of(RecommenderProblem p, base::Progress& progress) {
  const SearchOutcome outcome = search(p, progress);
  if (!outcome.fits) return "";
  p.strategy = class_strategy(outcome.recommender);
  return strategy_flag(recommender_plan(p).strategy);
}

void set_verdict(const RecommenderProblem& p, EstimateResult& x, base::Progress& progress) {
  const Memory& m = x.memory;
  if (m.fits()) return;
  x.status = FitStatus::does_not_fit;
  x.why = fmt::format("{} needed on a device, {} usable of {} on {}: short by {}",
                      base::format_quantity(m.total()), base::format_quantity(m.usable()),
                      base::format_quantity(m.capacity), p.system.device.id,
                      base::format_quantity(m.total() - m.usable()));
  x.mend = mend_of(p, progress);
}

void set_times(const RecommenderPlan& plan, EstimateResult& x) {
  x.busy = plan.busy;
  x.communication.exposed = plan.exposed_communication;
  x.communication.total = plan.communication;
  for (int i = static_cast<int>(RecommenderTag::all_to_all); i < kNumRecommenderTags; ++i)
    x.communication.collectives.push_back({recommender_tag_name(static_cast<RecommenderTag>(i)),
                                           plan.time[static_cast<std::size_t>(i)]});
  x.parts = parts_of(plan);
}

void set_utilisation(const RecommenderProblem& p, const RecommenderPlan& plan, EstimateResult& x) {
  const auto passes = is_training(p.task) ? model::Passes::training : model::Passes::forward;
  x.model_flops = x.hardware_flops =
      model::model_flops(p.shape, 1, static_cast<double>(p.global_batch), 1, passes);
  x.flop_convention = fmt::format("{} per MLP weight and sample, and the feature interaction",
                                  is_training(p.task) ? 6 : 2);
  x.peak = p.machine.matmul_peak;
  x.mfu = x.hfu = x.model_flops / (static_cast<double>(p.devices) * x.peak * plan.iteration);
}

}  // namespace

std::vector<TimePart> parts_of(const RecommenderPlan& plan) {
  std::vector<TimePart> parts;
  for (int i = 0; i < static_cast<int>(RecommenderTag::all_to_all); ++i)
    parts.push_back({recommender_tag_name(static_cast<RecommenderTag>(i)),
                     plan.time[static_cast<std::size_t>(i)]});
  parts.push_back({"exposed communication", plan.exposed_communication});
  return parts;
}

RecommenderProblem make_recommender_problem(const catalog::Catalog& facts, const EstimateRequest& r,
                                            Precision& precision) {
  refuse_transformer_inputs(r, "for a recommender");
  RecommenderProblem p;
  p.shape = model_of(facts, r);
  p.system = resolve_system(facts, r, p.devices);
  precision = precision_of(r, p.shape, p.system.device);
  p.machine = model::machine(facts, p.system, precision);
  if (r.global_batch == 0)
    throw UserError("missing-input", "a recommender needs --global-batch, in samples",
                    "65536 is that of hsia2024");
  p.global_batch = r.global_batch;
  p.task = r.task;
  p.frozen = frozen_of(r);
  p.overlap = r.overlap_gradients;
  p.memory_reserve = r.memory_reserve;
  return p;
}

catalog::System estimate_recommender(const EstimateRequest& r, const catalog::Catalog& facts,
                                     EstimateResult& x, base::Progress& progress) {
  Precision precision{};
  RecommenderProblem p = make_recommender_problem(facts, r, precision);
  x.precision = catalog::precision_name(precision);
  if (p.devices == 0)
    throw UserError("missing-input", "a recommender needs the number of devices",
                    "give --devices N or --on NxNODE");
  RecommenderPlan plan = chosen_plan(r, p, x, progress);
  set_sizes(p.shape, p.system, p.devices, p.global_batch, x);
  x.strategy_text = class_strategy_text(plan.strategy);
  x.iteration = Estimate<Time>(plan.iteration, base::Evidence::modelled, "greenline_fit") *
                facts.estimate<double>(kRecommenderTime);
  set_times(plan, x);
  x.memory = plan.memory;
  set_verdict(p, x, progress);
  set_utilisation(p, plan, x);
  if (plan.table_imbalance > 1)
    x.notices.push_back(
        fmt::format("whole tables do not divide evenly over {} devices: the fullest has {:.2f} "
                    "times the mean",
                    p.devices, plan.table_imbalance));
  if (r.timeline)
    x.timeline = TimelineRun{std::move(plan.timeline), std::move(plan.schedule),
                             std::move(plan.names), plan.exposed_communication};
  return p.system;
}

}  // namespace greenline::plan
