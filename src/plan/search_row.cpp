#include "plan/search_row.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "model/power.hpp"

namespace greenline::plan {

using base::Estimate;

const Problem& RowMaker::problem(std::int64_t devices) const {
  const auto found = std::find_if(problems.begin(), problems.end(),
                                  [&](const Problem& p) { return p.devices == devices; });
  if (found == problems.end()) throw base::InternalError("a candidate on devices nobody asked for");
  return *found;
}

SearchRow RowMaker::row(const Candidate& candidate) const {
  const Problem& p = problem(candidate.devices);
  const Iteration it = iteration(p, candidate.configuration);
  SearchRow x;
  x.configuration = candidate.configuration;
  x.strategy = strategy_text(candidate.configuration.strategy);
  x.devices = candidate.devices;
  x.memory = fullest_stage(p, candidate.configuration);
  x.parts = parts_of(it);
  x.time = Estimate<base::Time>(it.total(), base::Evidence::modelled, "greenline_fit") *
           facts.estimate<double>("plan." + p.system.device.generation + ".time");
  const model::PowerDraw draw = model::power_draw(facts, p.system, it.busy);
  const auto devices = static_cast<double>(p.devices);
  const double nodes = devices / static_cast<double>(p.system.devices_per_node);
  const Estimate<base::Power> power = Estimate<double>(nodes) * draw.node * pue;
  x.power = power.nominal();
  x.energy = power * x.time;
  x.carbon = x.energy * intensity;
  if (price)
    x.cost = Estimate<base::MoneyRate>(devices * *price, base::Evidence::assumed,
                                       price_is_given ? "given" : "") *
             x.time;
  const base::Time time = x.time.nominal();
  x.mfu = useful / (devices * p.machine.matmul_peak * time);
  x.tokens_per_s = tokens / time.in(base::units::s);
  return x;
}

std::vector<SearchRow> RowMaker::rows(const std::vector<Candidate>& candidates) const {
  std::vector<SearchRow> out;
  out.reserve(candidates.size());
  for (const Candidate& c : candidates) out.push_back(row(c));
  return out;
}

std::string short_name(const SearchRow& row) {
  const Configuration& c = row.configuration;
  std::string name = fmt::format("{} b{}", row.strategy, c.micro_batch);
  if (c.recompute != Recompute::none) name += fmt::format(" {}", base::enum_name(c.recompute));
  if (c.interleave > 1) name += fmt::format(" v{}", c.interleave);
  if (c.schedule != Schedule::one_f_one_b) name += fmt::format(" {}", base::enum_name(c.schedule));
  if (c.offload != Offload::none) name += fmt::format(" offload {}", base::enum_name(c.offload));
  return name;
}

}  // namespace greenline::plan
