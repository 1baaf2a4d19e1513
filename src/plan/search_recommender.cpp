#include "plan/search_recommender.hpp"

#include <algorithm>
#include <functional>

#include "plan/search_space.hpp"

namespace greenline::plan {
namespace {

constexpr std::array kDenseKinds = {LevelKind::ddp, LevelKind::fsdp, LevelKind::tensor};

bool has(const RecommenderStrategy& s, LevelKind kind) {
  return std::any_of(s.dense.begin(), s.dense.begin() + s.num_dense,
                     [&](const StrategyLevel& level) { return level.kind == kind; });
}

// Appends what completes `begun` to `levels` levels when `rest` devices are left for it.
void complete(const RecommenderStrategy& begun, int levels, std::int64_t rest,
              std::vector<RecommenderStrategy>& out) {
  const bool is_last = begun.num_dense + 1 == levels;
  for (const LevelKind kind : kDenseKinds) {
    if (has(begun, kind)) continue;
    for (const std::int64_t degree : is_last ? std::vector{rest} : divisors(rest)) {
      if (degree == 1 && levels > 1) continue;
      RecommenderStrategy s = begun;
      s.dense[static_cast<std::size_t>(s.num_dense++)] = {kind, degree};
      if (is_last)
        out.push_back(s);
      else
        complete(s, levels, rest / degree, out);
    }
  }
}

}  // namespace

std::vector<ClassStrategy> class_strategy(const RecommenderStrategy& s) {
  return {{"dense", {s.dense.begin(), s.dense.begin() + s.num_dense}},
          {"embedding", {{s.tables, 0}}}};
}

std::vector<RecommenderStrategy> dense_splits(std::int64_t devices) {
  if (devices == 1) return {{{{{LevelKind::ddp, 1}}}, 1, LevelKind::shard}};
  std::vector<RecommenderStrategy> out;
  for (int levels = 1; levels <= static_cast<int>(kDenseKinds.size()); ++levels)
    complete({}, levels, devices, out);
  return out;
}

}  // namespace greenline::plan
