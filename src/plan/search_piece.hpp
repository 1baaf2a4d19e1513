// One piece of the work of a search: the configurations of one split of the devices, and what of
// them may matter to the whole.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "plan/evaluator.hpp"
#include "plan/pareto.hpp"
#include "plan/search_rounds.hpp"

namespace greenline::plan {

// Of each the best is kept: tp and pp on a number of devices, of a recommender the kinds of levels.
struct CellKey {
  std::int64_t devices = 0, first = 0, second = 0;
  auto operator<=>(const CellKey&) const = default;
};
CellKey cell_of(const Candidate& candidate);

// What all have agreed on.
struct Agreed {
  Leaders leaders;
  ParetoFront front;
  std::map<CellKey, Candidate> cells;

  void add_place(const Candidate& candidate);  // to front and cells
};

// What a piece of work gives back. Plain bytes, so that ranks can send it.
struct Tally {
  SearchCounts counts;
  Shortage shortest;
  Candidate nearest;
  bool has_shortest = false, has_nearest = false;
  bool is_cut = false;        // not all of the piece was looked at
  bool is_cancelled = false;  // somebody wants the search to stop
};
struct Answer {
  Tally tally;
  std::vector<Candidate> leaders;  // which count those of equal score in this piece alone
  std::vector<Candidate> places;   // of the front and of the cell
};

bool is_shorter(const Shortage& a, const Shortage& b);
bool is_nearer(const Candidate& a, const Candidate& b);

// A piece, from what was agreed when it began.
class PieceSearch {
 public:
  // `first` has the devices, the number and the cell of all candidates of the piece.
  PieceSearch(const SearchTask& task, const Meter& meter, const Agreed& agreed,
              const Candidate& first);

  // In the order of the space.
  void consider(Evaluator& evaluate, const Configuration& configuration);
  // Of a recommender: the strategy of the piece.
  void consider(const RecommenderProblem& problem);
  // A configuration that cannot run.
  void refuse() { ++tally_.counts.illegal; }

  // What this piece has found and nothing that it knows of is better than.
  Answer answer(bool is_cut, bool is_cancelled) const;

 private:
  bool fits(Candidate& candidate, const Memory& memory);
  // False: counted as left out.
  bool may_matter(const Candidate& candidate, const Score& least);
  void keep_priced(Candidate candidate);
  void keep_nearest(Candidate candidate, double excess);

  const SearchTask& task_;
  const Meter& meter_;
  Leaders leaders_, own_leaders_;
  ParetoFront front_;
  std::optional<Candidate> cell_;
  Tally tally_;
  Candidate next_;  // its number is the next one
  std::uint64_t first_;
};

}  // namespace greenline::plan
