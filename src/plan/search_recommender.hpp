// The strategies of a recommendation model that a search goes through: how its MLPs and its tables
// are spread over the devices.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "plan/class_strategy.hpp"

namespace greenline::plan {

// Plain bytes, so that ranks can send it.
struct RecommenderStrategy {
  std::array<StrategyLevel, 3> dense{};  // inner to outer, with their degrees
  int num_dense = 0;                     // 0: there is none, this is a transformer's place
  LevelKind tables = LevelKind::shard;
};

// In words of --strategy.
std::vector<ClassStrategy> class_strategy(const RecommenderStrategy& strategy);

// Every order of one to three of ddp, fsdp and tp, and every product of degrees above 1 that makes
// the devices; one device is ddp1. Fewer levels first. `tables` is left as it is.
std::vector<RecommenderStrategy> dense_splits(std::int64_t devices);

// How tables can be spread.
inline constexpr std::array kTableSplits = {LevelKind::shard, LevelKind::row, LevelKind::column};

}  // namespace greenline::plan
