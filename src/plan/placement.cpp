#include "plan/placement.hpp"

#include <algorithm>
#include <numeric>

namespace greenline::plan {
namespace {

using model::Group;

// Members of a group that a node holds when they stand `stride` ranks apart.
std::int64_t room(const Problem& p, std::int64_t stride) {
  return std::max<std::int64_t>(1, p.system.devices_per_node / stride);
}

Group whole_parts(const Problem& p, std::int64_t stride, std::int64_t ranks) {
  return {ranks, std::gcd(ranks, room(p, stride))};
}

Group as_many_as_fit(const Problem& p, std::int64_t stride, std::int64_t ranks) {
  return {ranks, std::min(room(p, stride), ranks)};
}

std::int64_t tensor_stride(const Strategy& s) { return s.data_innermost ? s.data_parallel : 1; }

std::int64_t data_stride(const Strategy& s) {
  return s.data_innermost ? 1 : s.tensor_parallel * s.context_parallel;
}

// `data` ranks of each context rank, `apart` data ranks from each other.
Group with_context(const Problem& p, const Strategy& s, std::int64_t data, std::int64_t apart) {
  const Group outer = as_many_as_fit(p, data_stride(s) * apart, data);
  if (s.context_parallel == 1) return outer;
  const std::int64_t stride = tensor_stride(s) * s.tensor_parallel;
  const Group context = as_many_as_fit(p, stride, s.context_parallel);
  return {data * s.context_parallel, std::min(outer.per_node * context.per_node, room(p, 1))};
}

std::int64_t sharing(const Strategy& s) {
  return s.shard_group > 0 ? s.shard_group : s.data_parallel;
}

}  // namespace

Group tensor_parallel_group(const Problem& p, const Strategy& s) {
  return whole_parts(p, tensor_stride(s), s.tensor_parallel);
}

Group context_parallel_group(const Problem& p, const Strategy& s) {
  return whole_parts(p, tensor_stride(s) * s.tensor_parallel, s.context_parallel);
}

Group expert_parallel_group(const Problem& p, const Strategy& s) {
  return whole_parts(p, data_stride(s), s.expert_parallel);
}

Group data_parallel_group(const Problem& p, const Strategy& s) {
  return with_context(p, s, s.data_parallel, 1);
}

Group shard_group(const Problem& p, const Strategy& s) { return with_context(p, s, sharing(s), 1); }

Group copy_group(const Problem& p, const Strategy& s) {
  return as_many_as_fit(p, data_stride(s) * sharing(s), s.data_parallel / sharing(s));
}

Group expert_data_parallel_group(const Problem& p, const Strategy& s) {
  return with_context(p, s, s.data_parallel / s.expert_parallel, s.expert_parallel);
}

Group expert_shard_group(const Problem& p, const Strategy& s) {
  return with_context(p, s, std::max<std::int64_t>(1, sharing(s) / s.expert_parallel),
                      s.expert_parallel);
}

Group expert_copy_group(const Problem& p, const Strategy& s) {
  const std::int64_t apart = std::max(sharing(s), s.expert_parallel);
  return as_many_as_fit(p, data_stride(s) * apart, s.data_parallel / apart);
}

bool pipeline_crosses_nodes(const Problem& p, const Strategy& s) {
  return s.devices() > p.system.devices_per_node;
}

}  // namespace greenline::plan
