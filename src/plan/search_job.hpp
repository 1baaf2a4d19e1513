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
  SearchTask task;
  Meter meter;
  std::optional<base::MoneyRate> price;  // of one device
  std::string past_price;  // why no number of devices keeps --max-price; "" when one does
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
