// `plan estimate` of a recommendation model, by our own rules.
#pragma once

#include "catalog/catalog.hpp"
#include "plan/estimate.hpp"

namespace greenline::plan {

// Sets everything of the result that is not a rate, energy, cost or anchor; returns the machine.
// Strategy auto is the fastest of those that fit: dense ddp, fsdp, tp within a node and fsdp within
// a node, tables whole, by rows and by columns.
catalog::System estimate_recommender(const EstimateRequest& request, const catalog::Catalog& facts,
                                     EstimateResult& result);

}  // namespace greenline::plan
