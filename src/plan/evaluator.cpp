#include "plan/evaluator.hpp"

namespace greenline::plan {

std::size_t Evaluator::Hash::operator()(const SliceKey& key) const {
  constexpr std::size_t kPrime = 1099511628211u;  // of FNV-1a
  std::size_t hash = 14695981039346656037u;
  for (const std::int64_t part :
       {key.tensor, key.context, key.experts, key.micro_batch, key.tensor_per_node,
        key.context_per_node, key.experts_per_node, std::int64_t{key.sequence_parallel},
        std::int64_t{key.zero_bubble}})
    hash = (hash ^ static_cast<std::size_t>(part)) * kPrime;
  return hash ^ hash >> 32;
}

Costs Evaluator::costs(const Configuration& c) {
  const SliceKey key = slice_key(problem_, c);
  if (newest_cost_ == nullptr || !(key == newest_)) {
    auto known = slices_.find(key);
    if (known == slices_.end()) known = slices_.emplace(key, slice_cost(problem_, c)).first;
    newest_ = key;
    newest_cost_ = &known->second;
  }
  return {problem_, parameters_, *newest_cost_};
}

}  // namespace greenline::plan
