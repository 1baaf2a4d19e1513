// What a search keeps: the best, the best of each place, and what nothing else is better than in
// every respect.
//
// One total order decides ties, so that what is kept depends on the set of candidates alone, not on
// the order in which they come. Of equal scores the one with fewer kinds of parallelism comes
// first: context parallelism inside a node, for one, costs exactly what a smaller micro-batch does.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/search_recommender.hpp"
#include "plan/search_score.hpp"

namespace greenline::plan {

struct Candidate {
  Configuration configuration;
  RecommenderStrategy recommender;  // of a recommender, instead
  std::int64_t devices = 0;
  Score score;
  double value = 0;          // what the search makes small
  double memory = 0;         // bytes on the fullest device
  std::uint64_t number = 0;  // place in the order of the space
  std::int64_t equals = 0;   // others with the same score, which come after it
};

// How many of tensor, context, pipeline, data and expert parallelism are in use; of a recommender,
// how many levels its MLPs have.
int num_kinds(const Candidate& candidate);

// By value, then time, energy, device-seconds, kinds of parallelism, memory, and place in the
// space.
bool comes_before(const Candidate& a, const Candidate& b);

// The first `most` of all that were added, in order; one for each score, which knows how many
// others have it.
class Leaders {
 public:
  explicit Leaders(std::size_t most) : most_(most) {}
  // Whether it is among them now, or one of the others.
  bool add(const Candidate& candidate);
  // Whether a candidate of at least this value may still get in.
  bool may_enter(double least_value) const {
    return all_.size() < most_ || least_value <= all_.back().value;
  }
  const std::vector<Candidate>& all() const { return all_; }

 private:
  std::size_t most_;
  std::vector<Candidate> all_;
};

// Those that no other dominates; of equal scores the first in order. Sorted by time.
class ParetoFront {
 public:
  void add(const Candidate& candidate);
  // Whether a candidate that is at least as bad as this may still get in.
  bool may_enter(const Score& least) const;
  const std::vector<Candidate>& all() const { return all_; }

 private:
  std::vector<Candidate> all_;
};

}  // namespace greenline::plan
