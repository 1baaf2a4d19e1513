// From a request to what is searched: devices, limits, price.
#pragma once

#include <optional>
#include <string>

#include "catalog/catalog.hpp"
#include "plan/search.hpp"

namespace greenline::plan {

struct SearchJob {
  const SearchRequest& request;
  const catalog::Catalog& facts;
  EstimateRequest plan;  // with everything that a search sets by itself
  catalog::System system;
  model::Machine machine;
  SearchTask task;
  Meter meter;
  std::optional<base::Estimate<base::MoneyRate>> price;  // of one device
  std::vector<std::int64_t> past_price;  // numbers of devices that cost more than --max-price
  std::string why_past_price;            // why none keeps it; "" when one does

  bool is_recommender() const { return !task.recommenders.empty(); }
};

// UserError for limits that no search can keep or that contradict each other.
void check(const SearchRequest& request);

// The plan that all strategies have in common.
EstimateRequest plan_of(const SearchRequest& request);

// Sets the names and sizes of the result as well.
SearchJob make_job(const SearchRequest& request, const catalog::Catalog& facts,
                   EstimateRequest plan, SearchResult& result);

// The estimate of one candidate.
EstimateRequest request_for(const SearchJob& job, const Candidate& candidate);

}  // namespace greenline::plan
