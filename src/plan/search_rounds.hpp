// Branch and bound over the configurations of one or several device counts, on all threads of all
// ranks, with the same answer and the same counts for any number of them.
//
// The splits of the devices are the pieces of work. They are dealt out in rounds of a fixed number;
// within a round a piece knows only what all had agreed on when it began, and what it has found
// itself. What it may leave out therefore depends on the space alone, not on who was faster.
//
// A configuration that fits is left out without its full cost when its least cost is above the best
// of its cell (devices, tp, pp), above all leaders, and no better anywhere than a member of the
// Pareto front. All three are then those of plain enumeration, ties and their number included.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/communicator.hpp"
#include "base/progress.hpp"
#include "plan/pareto.hpp"
#include "plan/recommender.hpp"
#include "plan/search_space.hpp"

namespace greenline::plan {

struct SearchTask {
  // The same but for the devices, of one kind or the other. A recommender's strategies are set by
  // the search.
  std::vector<Problem> problems;
  std::vector<RecommenderProblem> recommenders;
  SpaceOptions space;  // of problems
  Objective objective = Objective::time;
  ScoreLimits limits;
  std::size_t num_leaders = 1;
  bool leaders_only = false;  // neither cells nor Pareto front
  // Look for the one that passes the limits by least, instead of the best that keeps them.
  bool nearest = false;
};

// Configurations of the splits that can run, by what became of them.
struct SearchCounts {
  std::int64_t illegal = 0;       // cannot run; not counted otherwise
  std::int64_t evaluated = 0;     // full cost calls
  std::int64_t does_not_fit = 0;  // by memory alone
  std::int64_t bounded = 0;       // by their least cost
  // Past a limit: found by the least cost alone, and after a full cost call.
  std::array<std::int64_t, kNumLimits> past_limit_at_least{}, past_limit{};

  std::int64_t pruned() const {
    std::int64_t n = does_not_fit + bounded;
    for (const std::int64_t k : past_limit_at_least) n += k;
    return n;
  }
  std::int64_t all() const { return evaluated + pruned(); }  // that are legal
};

// The configuration that is short of memory by least.
struct Shortage {
  Candidate candidate;
  double missing = 0;  // bytes
};

struct Findings {
  SearchCounts counts;
  std::int64_t splits = 0;                       // of the devices that can run
  std::map<std::string, Impossible> impossible;  // splits that cannot run, of a recommender
                                                 // strategies
  std::vector<Candidate> leaders, front;
  std::vector<Candidate> cells;      // the best of each (devices, tp, pp), in that order
  std::optional<Shortage> shortest;  // of those that do not fit
  // Of those that fit and pass a limit: the nearest as far as is known. Its value is a lower bound
  // of limit's excess, its score is empty where it was not priced.
  std::optional<Candidate> nearest;
  bool interrupted = false;  // something was left out, since somebody stopped the search
};

// Somebody who stops it (Progress::cancelled) waits until it has looked at something.
Findings explore(const SearchTask& task, const Meter& meter, base::Communicator& communicator,
                 base::Progress& progress);

}  // namespace greenline::plan
