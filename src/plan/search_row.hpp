// From a candidate of a search to its figures, as estimate() gives them.
#pragma once

#include <vector>

#include "plan/search_job.hpp"

namespace greenline::plan {

// `of_one`: an estimate of any candidate, for what all have in common.
class RowMaker {
 public:
  RowMaker(const SearchJob& job, const EstimateResult& of_one) : job_(job), of_one_(of_one) {}

  SearchRow row(const Candidate& candidate) const;
  std::vector<SearchRow> rows(const std::vector<Candidate>& candidates) const;
  // Of the figures that a search compares.
  Score score(const Candidate& candidate) const;
  // Where it stands on the greenline plot.
  base::WorkIntensity executed_intensity(const SearchRow& row) const;

 private:
  void set_transformer(const Candidate& candidate, SearchRow& row) const;
  void set_recommender(const Candidate& candidate, SearchRow& row) const;
  void set_figures(base::Time iteration, const model::BusyFractions& busy,
                   const std::string& time_driver, SearchRow& row) const;

  const SearchJob& job_;
  const EstimateResult& of_one_;
};

}  // namespace greenline::plan
