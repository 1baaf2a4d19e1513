// `plan estimate --fidelity madmax`: the published rules, with our memory verdict, power and
// carbon.
#pragma once

#include "catalog/catalog.hpp"
#include "plan/estimate.hpp"

namespace greenline::plan {

// Sets everything of the result that is not a rate, energy, cost or anchor; returns the machine.
// Strategy auto is the fastest
// of the strategies that hsia2024 compares, of those that fit if any does.
catalog::System estimate_madmax(const EstimateRequest& request, const catalog::Catalog& facts,
                                EstimateResult& result);

}  // namespace greenline::plan
