#include "plan/pareto.hpp"

#include <algorithm>
#include <tuple>

namespace greenline::plan {
namespace {

auto key_of(const Candidate& c) {
  return std::tuple(c.value, c.score.time, c.score.energy, c.score.device_seconds, c.memory,
                    c.number);
}

bool is_no_worse(const Score& a, const Score& b) {
  return a.time <= b.time && a.energy <= b.energy && a.device_seconds <= b.device_seconds;
}

}  // namespace

bool comes_before(const Candidate& a, const Candidate& b) { return key_of(a) < key_of(b); }

void Leaders::add(const Candidate& c) {
  if (all_.size() == most_) {
    if (!comes_before(c, all_.back())) return;
    all_.pop_back();
  }
  all_.insert(std::upper_bound(all_.begin(), all_.end(), c, comes_before), c);
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
