#include "plan/pareto.hpp"

#include <algorithm>
#include <tuple>

namespace greenline::plan {
namespace {

// Equal for equal scores.
auto key_of(const Candidate& c) {
  return std::tuple(c.value, c.score.time, c.score.energy, c.score.device_seconds);
}
auto tie_key_of(const Candidate& c) { return std::tuple(num_kinds(c), c.memory, c.number); }

bool is_no_worse(const Score& a, const Score& b) {
  return a.time <= b.time && a.energy <= b.energy && a.device_seconds <= b.device_seconds;
}

}  // namespace

int num_kinds(const Candidate& c) {
  if (c.recommender.num_dense > 0) return c.recommender.num_dense;
  const Strategy& s = c.configuration.strategy;
  return int{s.tensor_parallel > 1} + int{s.context_parallel > 1} + int{s.pipeline_parallel > 1} +
         int{s.data_parallel > 1} + int{s.expert_parallel > 1};
}

bool comes_before(const Candidate& a, const Candidate& b) {
  const auto x = key_of(a), y = key_of(b);
  return x != y ? x < y : tie_key_of(a) < tie_key_of(b);
}

bool Leaders::add(const Candidate& c) {
  const auto is_better = [](const Candidate& a, const Candidate& b) {
    return key_of(a) < key_of(b);
  };
  const auto at = std::lower_bound(all_.begin(), all_.end(), c, is_better);
  if (at != all_.end() && at->score == c.score) {
    const std::int64_t equals = at->equals + c.equals + 1;
    if (comes_before(c, *at)) *at = c;
    at->equals = equals;
    return true;
  }
  if (at == all_.end() && all_.size() == most_) return false;
  all_.insert(at, c);
  if (all_.size() > most_) all_.pop_back();
  return true;
}

void ParetoFront::add(const Candidate& c) {
  for (const Candidate& other : all_) {
    if (other.score == c.score) {
      if (!comes_before(c, other)) return;
    } else if (is_no_worse(other.score, c.score)) {
      return;
    }
  }
  std::erase_if(all_, [&](const Candidate& other) { return is_no_worse(c.score, other.score); });
  const auto by_time = [](const Candidate& a, const Candidate& b) {
    return std::tie(a.score.time, a.score.energy) < std::tie(b.score.time, b.score.energy);
  };
  all_.insert(std::upper_bound(all_.begin(), all_.end(), c, by_time), c);
}

bool ParetoFront::may_enter(const Score& least) const {
  return std::none_of(all_.begin(), all_.end(),
                      [&](const Candidate& c) { return is_no_worse(c.score, least); });
}

}  // namespace greenline::plan
