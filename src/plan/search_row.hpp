// From a candidate of a search to its figures, as estimate() gives them.
#pragma once

#include <optional>
#include <vector>

#include "catalog/catalog.hpp"
#include "plan/search.hpp"

namespace greenline::plan {

// What all candidates have in common.
struct RowMaker {
  const catalog::Catalog& facts;
  const std::vector<Problem>& problems;  // of each device count
  base::Work useful;                     // of one iteration, what MFU counts
  double tokens = 0;                     // of one iteration
  base::Estimate<double> pue;
  base::Estimate<base::CarbonIntensity> intensity;
  std::optional<base::MoneyRate> price;  // of one device
  bool price_is_given = false;

  const Problem& problem(std::int64_t devices) const;
  SearchRow row(const Candidate& candidate) const;
  std::vector<SearchRow> rows(const std::vector<Candidate>& candidates) const;
};

}  // namespace greenline::plan
