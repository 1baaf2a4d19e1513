// What the two kinds of plans by layer class share: trying strategies, and the plain fields of an
// estimate. A plan has `strategy`, `iteration` and `memory` with fits() and total().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "catalog/entries.hpp"
#include "plan/class_strategy.hpp"
#include "plan/estimate.hpp"

namespace greenline::plan {

// UserError "conflict" when `flag` is given although it has no meaning; `by` says where.
void refuse(bool given, const char* flag, const char* by);

// UserError "conflict" when an input is given that these plans have no use for; `by` says why:
// "under --fidelity madmax". UserError "bad-strategy" for a strategy that is not by layer class.
void refuse_transformer_inputs(const EstimateRequest& request, const char* by);

// Model, machine, devices and batch of the result.
void set_sizes(const catalog::ModelShape& shape, const catalog::System& system,
               std::int64_t devices, std::int64_t global_batch, EstimateResult& result);

template <class Plan>
struct BestPlan {
  std::optional<Plan> plan;  // the fastest that fits, else the one that needs least memory
  std::int64_t tried = 0;    // strategies that can run
};

// `make` takes a strategy and throws UserError "bad-strategy" when it cannot run; other errors are
// the caller's.
template <class Plan, class Make>
BestPlan<Plan> best_of(std::span<const std::string> strategies, const Make& make) {
  const auto is_better = [](const Plan& a, const Plan& b) {
    if (a.memory.fits() != b.memory.fits()) return a.memory.fits();
    return a.memory.fits() ? a.iteration < b.iteration : a.memory.total() < b.memory.total();
  };
  BestPlan<Plan> best;
  for (const std::string& strategy : strategies) {
    std::optional<Plan> plan;
    try {
      plan = make(parse_class_strategy(strategy));
    } catch (const base::UserError& e) {
      if (e.code() != "bad-strategy") throw;
      continue;
    }
    ++best.tried;
    if (!best.plan || is_better(*plan, *best.plan)) best.plan = std::move(plan);
  }
  return best;
}

// As it is typed: --strategy 'dense=ddp8;embedding=shard8'.
std::string strategy_flag(const std::vector<ClassStrategy>& strategy);

// What to type for a plan that fits; "" when the best does not.
template <class Plan>
std::string mend_of(const BestPlan<Plan>& best) {
  return best.plan && best.plan->memory.fits() ? strategy_flag(best.plan->strategy) : "";
}

}  // namespace greenline::plan
