// The levels of a strategy as hsia2024 allows them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "plan/class_strategy.hpp"
#include "plan/madmax.hpp"

namespace greenline::plan {

struct MadmaxLevels {
  ClassStrategy dense, embedding;
  std::int64_t product(std::initializer_list<LevelKind> kinds) const {
    std::int64_t out = 1;
    for (const StrategyLevel& level : dense.levels)
      if (std::find(kinds.begin(), kinds.end(), level.kind) != kinds.end()) out *= level.degree;
    return out;
  }
  std::int64_t replicas() const { return product({LevelKind::ddp, LevelKind::fsdp}); }
  // FSDP counts in both: it splits the weights of what it replicates.
  std::int64_t shards() const { return product({LevelKind::tensor, LevelKind::fsdp}); }
  std::int64_t tensor() const { return product({LevelKind::tensor}); }
  bool embedding_is_sharded() const { return embedding.levels[0].kind == LevelKind::shard; }
};

// With all degrees. UserError "bad-strategy" for what their rules forbid: three levels, a level
// twice, FSDP anywhere but first, a degree of 1, a first degree that is neither a node nor all
// devices, a product that is not the number of devices. UnsupportedError "not-published" for what
// they do not describe.
MadmaxLevels madmax_levels(const MadmaxProblem& problem);

}  // namespace greenline::plan
