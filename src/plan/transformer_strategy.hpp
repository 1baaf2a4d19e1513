// A strategy by layer class, as one for transformers: all their dense layers share theirs.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/class_strategy.hpp"
#include "plan/strategy.hpp"

namespace greenline::plan {

// dense: tp, ddp or fsdp, pp, each at most once; fsdp,ddp shards inside and copies outside (HSDP);
// data before tp places ranks data parallel first; pp is the outermost. experts: ep, spread over
// the data-parallel ranks. embedding: as the dense layers have it, row when tp splits it.
// UserError "bad-strategy" for anything else.
Strategy transformer_strategy(const std::vector<ClassStrategy>& classes, std::int64_t devices,
                              std::int64_t devices_per_node);

}  // namespace greenline::plan
