#include "plan/search.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "plan/iteration.hpp"
#include "plan/memory.hpp"

namespace greenline::plan {
namespace {

std::vector<std::int64_t> divisors_up_to(std::int64_t n, std::int64_t most) {
  std::vector<std::int64_t> out;
  for (std::int64_t d = 1; d <= std::min(n, most); ++d)
    if (n % d == 0) out.push_back(d);
  return out;
}

class Search {
 public:
  Search(const Problem& problem, const SearchLimits& limits) : problem_(problem), limits_(limits) {}

  void layout(std::int64_t tensor, std::int64_t pipeline) {
    Configuration c;
    c.interleave = limits_.interleave;
    c.strategy = {tensor, pipeline, problem_.devices / (tensor * pipeline), 0, tensor > 1};
    const std::int64_t share = problem_.global_batch / c.strategy.data_parallel;
    for (std::int64_t b = 1; b <= share; b *= 2) {
      c.micro_batch = limits_.micro_batch.value_or(b);
      if (why_impossible(problem_, c).empty()) sharings(c);
      if (limits_.micro_batch) break;
    }
  }

  SearchOutcome outcome() const { return outcome_; }

 private:
  void sharings(Configuration c) {
    const int most = c.strategy.data_parallel > 1 ? 3 : 0;
    for (c.strategy.zero = 0; c.strategy.zero <= most; ++c.strategy.zero) {
      for (const Recompute r : {Recompute::none, Recompute::selective, Recompute::full}) {
        if (limits_.recompute && r != *limits_.recompute) continue;
        c.recompute = r;
        consider(c);
      }
    }
  }

  void consider(const Configuration& c) {
    ++outcome_.tried;
    const Memory memory = fullest_stage(problem_, c);
    if (!memory.fits()) {
      const base::Data missing = memory.total() - memory.usable();
      if (!outcome_.fits && (!any_ || missing < least_missing_)) {
        outcome_.best = c;
        least_missing_ = missing;
      }
      any_ = true;
      return;
    }
    const base::Time time = iteration(problem_, c).total();
    if (!outcome_.fits || time < best_time_) {
      outcome_.best = c;
      outcome_.fits = any_ = true;
      best_time_ = time;
    }
  }

  const Problem& problem_;
  const SearchLimits& limits_;
  SearchOutcome outcome_;
  base::Time best_time_;
  base::Data least_missing_;
  bool any_ = false;
};

}  // namespace

SearchOutcome search(const Problem& problem, const SearchLimits& limits, base::Progress& progress) {
  Search search(problem, limits);
  bool interrupted = false;
  for (const std::int64_t tensor :
       divisors_up_to(problem.devices, problem.system.devices_per_node)) {
    if (problem.system.devices_per_node % tensor != 0) continue;
    for (const std::int64_t pipeline :
         divisors_up_to(problem.devices / tensor, problem.shape.layers)) {
      interrupted = interrupted || (search.outcome().tried > 0 && progress.cancelled());
      if (!interrupted) search.layout(tensor, pipeline);
    }
  }
  SearchOutcome outcome = search.outcome();
  outcome.interrupted = interrupted;
  if (outcome.tried == 0) {
    throw base::UserError(
        "no-strategy",
        fmt::format("no split of {} devices into tp x pp x dp can run global batch {} of {}",
                    problem.devices, problem.global_batch, problem.shape.id),
        "choose a number of devices, a global batch or a micro-batch with more common factors");
  }
  return outcome;
}

}  // namespace greenline::plan
