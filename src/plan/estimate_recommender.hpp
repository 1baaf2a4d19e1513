// `plan estimate` of a recommendation model, by our own rules.
#pragma once

#include <vector>

#include "base/progress.hpp"
#include "catalog/catalog.hpp"
#include "plan/estimate.hpp"
#include "plan/recommender.hpp"

namespace greenline::plan {

// The driver of the error of modelled times.
inline constexpr const char* kRecommenderTime = "plan.recommender.time";

// Model, machine, batch and task of the request, without strategy; `precision` is the number format
// chosen. UserError for unknown names and for inputs that a recommender has no use for.
RecommenderProblem make_recommender_problem(const catalog::Catalog& facts,
                                            const EstimateRequest& request,
                                            catalog::Precision& precision);

// By cause; they sum to the iteration.
std::vector<TimePart> parts_of(const RecommenderPlan& plan);

// Sets everything of the result that is not a rate, energy, cost or anchor; returns the machine.
// Strategy auto is the fastest of those that fit.
catalog::System estimate_recommender(const EstimateRequest& request, const catalog::Catalog& facts,
                                     EstimateResult& result, base::Progress& progress);

}  // namespace greenline::plan
