// Which ranks exchange data, and how many of them stand in one node.
//
// Ranks are numbered tensor parallel first, then context, data and pipeline parallel; data parallel
// first where the strategy says so. Experts and ZeRO shards are spread over the innermost data
// ranks. Ranks that share sequences hold the same weights, so that they count among those that
// share gradients and shards as well.
#pragma once

#include <cstdint>

#include "model/machine.hpp"
#include "plan/configuration.hpp"

namespace greenline::plan {

// Ranks that share a layer. A group that does not divide a node straddles its edge, so that every
// exchange crosses the network; the same holds for context and expert groups.
model::Group tensor_parallel_group(const Problem& problem, const Strategy& strategy);
model::Group context_parallel_group(const Problem& problem, const Strategy& strategy);
model::Group expert_parallel_group(const Problem& problem, const Strategy& strategy);

// Ranks with the same weights: all that share gradients; those that divide weights, gradients or
// optimizer state among them under ZeRO; and those that hold copies of the same shard.
model::Group data_parallel_group(const Problem& problem, const Strategy& strategy);
model::Group shard_group(const Problem& problem, const Strategy& strategy);
model::Group copy_group(const Problem& problem, const Strategy& strategy);

// The same of routed experts, which fewer ranks have in common.
model::Group expert_data_parallel_group(const Problem& problem, const Strategy& strategy);
model::Group expert_shard_group(const Problem& problem, const Strategy& strategy);
model::Group expert_copy_group(const Problem& problem, const Strategy& strategy);

// Pipeline neighbours and the two copies of a tied embedding stand in different nodes as soon as
// there are several.
bool pipeline_crosses_nodes(const Problem& problem, const Strategy& strategy);

}  // namespace greenline::plan
