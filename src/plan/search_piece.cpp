#include "plan/search_piece.hpp"

#include <tuple>

namespace greenline::plan {
namespace {

namespace units = base::units;

// Kinds of the levels, without their degrees.
std::int64_t code_of(const RecommenderStrategy& s) {
  std::int64_t code = 0;
  for (int i = 0; i < s.num_dense; ++i)
    code = 16 * code + 1 + static_cast<std::int64_t>(s.dense[static_cast<std::size_t>(i)].kind);
  return code;
}

}  // namespace

CellKey cell_of(const Candidate& c) {
  if (c.recommender.num_dense > 0)
    return {c.devices, code_of(c.recommender), static_cast<std::int64_t>(c.recommender.tables)};
  return {c.devices, c.configuration.strategy.tensor_parallel,
          c.configuration.strategy.pipeline_parallel};
}

void Agreed::add_place(const Candidate& c) {
  front.add(c);
  const auto [at, is_new] = cells.try_emplace(cell_of(c), c);
  if (!is_new && comes_before(c, at->second)) at->second = c;
}

bool is_shorter(const Shortage& a, const Shortage& b) {
  return std::tie(a.missing, a.candidate.number) < std::tie(b.missing, b.candidate.number);
}
bool is_nearer(const Candidate& a, const Candidate& b) {
  return std::tie(a.value, a.number) < std::tie(b.value, b.number);
}

PieceSearch::PieceSearch(const SearchTask& task, const Meter& meter, const Agreed& agreed,
                         const Candidate& first)
    : task_(task),
      meter_(meter),
      leaders_(agreed.leaders),
      own_leaders_(task.num_leaders),
      front_(agreed.front),
      next_(first),
      first_(first.number) {
  const auto cell = agreed.cells.find(cell_of(first));
  if (cell != agreed.cells.end()) cell_ = cell->second;
}

void PieceSearch::consider(Evaluator& evaluate, const Configuration& c) {
  next_.configuration = c;
  Candidate candidate = next_;
  ++next_.number;
  if (!fits(candidate, evaluate.memory(c))) return;
  const IterationBound bound = evaluate.bound(c);
  if (!may_matter(candidate, meter_.least(candidate.devices, bound))) return;
  if (!may_matter(candidate, meter_.least(candidate.devices, evaluate.closer_bound(bound, c))))
    return;
  candidate.score = meter_.score(candidate.devices, evaluate.iteration(c));
  keep_priced(candidate);
}

void PieceSearch::consider(const RecommenderProblem& problem) {
  Candidate candidate = next_;
  ++next_.number;
  if (!fits(candidate, recommender_memory(problem))) return;
  const RecommenderPlan plan = recommender_plan(problem);
  candidate.score = meter_.score(candidate.devices, plan.iteration, plan.busy);
  keep_priced(candidate);
}

bool PieceSearch::fits(Candidate& c, const Memory& memory) {
  c.memory = memory.total().in(units::B);
  if (memory.fits()) return true;
  ++tally_.counts.does_not_fit;
  const Shortage s{c, (memory.total() - memory.usable()).in(units::B)};
  if (!tally_.has_shortest || is_shorter(s, tally_.shortest)) tally_.shortest = s;
  tally_.has_shortest = true;
  return false;
}

bool PieceSearch::may_matter(const Candidate& c, const Score& least) {
  const double excess = least_excess(least, task_.limits);
  if (task_.nearest) {
    if (leaders_.may_enter(excess)) return true;
    ++tally_.counts.bounded;
    return false;
  }
  if (excess > 1) {
    const Limit passed = least.time > task_.limits.time ? Limit::time : Limit::cost;
    ++tally_.counts.past_limit_at_least[static_cast<std::size_t>(passed)];
    keep_nearest(c, excess);
    return false;
  }
  const double value = value_of(least, task_.objective);
  if (leaders_.may_enter(value)) return true;
  const bool has_places = !task_.leaders_only;
  if (has_places && (!cell_ || value <= cell_->value || front_.may_enter(least))) return true;
  ++tally_.counts.bounded;
  return false;
}

void PieceSearch::keep_priced(Candidate c) {
  ++tally_.counts.evaluated;
  const Excess excess = excess_of(c.score, task_.limits);
  if (excess.ratio > 1 && !task_.nearest) {
    ++tally_.counts.past_limit[static_cast<std::size_t>(excess.limit)];
    keep_nearest(c, excess.ratio);
    return;
  }
  c.value = task_.nearest ? excess.ratio : value_of(c.score, task_.objective);
  if (leaders_.add(c)) own_leaders_.add(c);
  if (task_.nearest || task_.leaders_only) return;
  front_.add(c);
  if (!cell_ || comes_before(c, *cell_)) cell_ = c;
}

void PieceSearch::keep_nearest(Candidate c, double excess) {
  c.value = excess;
  if (!tally_.has_nearest || is_nearer(c, tally_.nearest)) tally_.nearest = c;
  tally_.has_nearest = true;
}

Answer PieceSearch::answer(bool is_cut, bool is_cancelled) const {
  Answer a{tally_, {}, {}};
  a.tally.is_cut = is_cut;
  a.tally.is_cancelled = is_cancelled;
  for (const Candidate& c : own_leaders_.all())
    if (leaders_.may_enter(c.value)) a.leaders.push_back(c);
  std::map<std::uint64_t, const Candidate*> places;
  const auto add = [&](const Candidate& c) {
    if (c.number >= first_ && c.number < next_.number) places.emplace(c.number, &c);
  };
  for (const Candidate& c : front_.all()) add(c);
  if (cell_) add(*cell_);
  for (const auto& [number, candidate] : places) a.places.push_back(*candidate);
  return a;
}

}  // namespace greenline::plan
