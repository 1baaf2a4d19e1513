#include "plan/search_row.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "model/power.hpp"
#include "plan/estimate_recommender.hpp"

namespace greenline::plan {

using base::Estimate;

namespace {

template <class P>
const P& on(const std::vector<P>& problems, std::int64_t devices) {
  const auto found = std::find_if(problems.begin(), problems.end(),
                                  [&](const P& p) { return p.devices == devices; });
  if (found == problems.end()) throw base::InternalError("a candidate on devices nobody asked for");
  return *found;
}

}  // namespace

SearchRow RowMaker::row(const Candidate& candidate) const {
  SearchRow x;
  x.devices = candidate.devices;
  x.equals = candidate.equals;
  if (job_.is_recommender())
    set_recommender(candidate, x);
  else
    set_transformer(candidate, x);
  return x;
}

void RowMaker::set_transformer(const Candidate& candidate, SearchRow& x) const {
  const Problem& p = on(job_.task.problems, candidate.devices);
  const Iteration it = iteration(p, candidate.configuration);
  x.configuration = candidate.configuration;
  x.strategy = strategy_text(candidate.configuration.strategy);
  x.memory = fullest_stage(p, candidate.configuration);
  x.parts = parts_of(it);
  set_figures(it.total(), it.busy, "plan." + p.system.device.generation + ".time", x);
}

void RowMaker::set_recommender(const Candidate& candidate, SearchRow& x) const {
  RecommenderProblem p = on(job_.task.recommenders, candidate.devices);
  p.strategy = class_strategy(candidate.recommender);
  const RecommenderPlan plan = recommender_plan(p);
  x.strategy = class_strategy_text(plan.strategy);
  x.memory = plan.memory;
  x.parts = parts_of(plan);
  set_figures(plan.iteration, plan.busy, kRecommenderTime, x);
}

void RowMaker::set_figures(base::Time iteration, const model::BusyFractions& busy,
                           const std::string& time_driver, SearchRow& x) const {
  x.time = Estimate<base::Time>(iteration, base::Evidence::modelled, "greenline_fit") *
           job_.facts.estimate<double>(time_driver);
  const model::PowerDraw draw = model::power_draw(job_.facts, job_.system, busy);
  const auto devices = static_cast<double>(x.devices);
  const double nodes = devices / static_cast<double>(job_.system.devices_per_node);
  const Estimate<base::Power> power = Estimate<double>(nodes) * draw.node * of_one_.pue;
  x.power = power.nominal();
  x.energy = power * x.time;
  x.carbon = x.energy * of_one_.intensity;
  if (job_.price) x.cost = Estimate<double>(devices) * *job_.price * x.time;
  const base::Time time = x.time.nominal();
  x.mfu = of_one_.model_flops / (devices * job_.machine.matmul_peak * time);
  x.tokens_per_s = of_one_.tokens / time.in(base::units::s);
}

Score RowMaker::score(const Candidate& candidate) const {
  if (!job_.is_recommender())
    return job_.meter.score(candidate.devices, iteration(on(job_.task.problems, candidate.devices),
                                                         candidate.configuration));
  RecommenderProblem p = on(job_.task.recommenders, candidate.devices);
  p.strategy = class_strategy(candidate.recommender);
  const RecommenderPlan plan = recommender_plan(p);
  return job_.meter.score(candidate.devices, plan.iteration, plan.busy);
}

base::WorkIntensity RowMaker::executed_intensity(const SearchRow& row) const {
  if (!job_.is_recommender())
    return plan::executed_intensity(on(job_.task.problems, row.devices), row.configuration);
  RecommenderProblem p = on(job_.task.recommenders, row.devices);
  p.strategy = parse_class_strategy(row.strategy);
  return plan::executed_intensity(p);
}

std::vector<SearchRow> RowMaker::rows(const std::vector<Candidate>& candidates) const {
  std::vector<SearchRow> out;
  out.reserve(candidates.size());
  for (const Candidate& c : candidates) out.push_back(row(c));
  return out;
}

std::string short_name(const SearchRow& row) {
  if (is_class_strategy(row.strategy)) return row.strategy;
  const Configuration& c = row.configuration;
  std::string name = fmt::format("{} b{}", row.strategy, c.micro_batch);
  if (c.recompute != Recompute::none) name += fmt::format(" {}", base::enum_name(c.recompute));
  if (c.interleave > 1) name += fmt::format(" v{}", c.interleave);
  if (c.schedule != Schedule::one_f_one_b) name += fmt::format(" {}", base::enum_name(c.schedule));
  if (c.offload != Offload::none) name += fmt::format(" offload {}", base::enum_name(c.offload));
  return name;
}

}  // namespace greenline::plan
