// Many configurations of one problem, fast: what they share is computed once.
//
//   Evaluator evaluate(problem);
//   evaluate.memory(c).fits(); evaluate.iteration(c).total();
#pragma once

#include <cstddef>
#include <unordered_map>

#include "base/quantity.hpp"
#include "plan/configuration.hpp"
#include "plan/iteration.hpp"
#include "plan/memory.hpp"
#include "plan/slice_cost.hpp"

namespace greenline::plan {

// The same answers as iteration() and fullest_stage() of the problem. Remembers what a layer costs
// on each slice that it has met, so it is for one thread at a time. Once a slice is known, memory
// and bound cost no allocation and no loop over stages.
class Evaluator {
 public:
  explicit Evaluator(const Problem& problem)
      : problem_(problem), parameters_(model::count_parameters(problem_.shape)) {}
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  Memory memory(const Configuration& c) { return fullest_stage(costs(c), c); }
  Iteration iteration(const Configuration& c) { return plan::iteration(costs(c), c); }
  // Never above iteration().total(), and cheaper.
  base::Time lower_bound(const Configuration& c) { return iteration_lower_bound(costs(c), c); }

  IterationBound bound(const Configuration& c) { return iteration_bound(costs(c), c); }
  IterationBound closer_bound(const IterationBound& bound, const Configuration& c) {
    return plan::closer_bound(bound, costs(c), c);
  }

  const Problem& problem() const { return problem_; }

 private:
  struct Hash {
    std::size_t operator()(const SliceKey& key) const;
  };

  Costs costs(const Configuration& configuration);

  Problem problem_;
  model::ParameterCounts parameters_;
  std::unordered_map<SliceKey, SliceCost, Hash> slices_;
  SliceKey newest_;
  const SliceCost* newest_cost_ = nullptr;
};

}  // namespace greenline::plan
