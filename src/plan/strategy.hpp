// How a model is spread over devices, and its text form: "tp8,pp8,dp4,sp".
//
// Ranks are placed tensor parallel first, then context, data and pipeline parallel: tensor-parallel
// ranks share a node whenever they fit, pipeline neighbours stand in different nodes whenever tp x
// cp x dp fills one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace greenline::plan {

struct Strategy {
  std::int64_t tensor_parallel = 1;
  std::int64_t pipeline_parallel = 1;
  std::int64_t data_parallel = 1;
  int zero = 0;  // what data-parallel ranks share: 0 nothing, 1 optimizer state, 2 and gradients, 3
                 // and weights
  bool sequence_parallel = false;  // activations outside tensor-parallel regions are split as well
  std::int64_t context_parallel = 1;  // ranks that share each sequence
  std::int64_t expert_parallel = 1;   // data-parallel ranks that share the experts among them
  std::int64_t shard_group = 0;       // data-parallel ranks that share under `zero`, the innermost
                                      // ones; the others hold copies (HSDP). 0: all
  bool data_innermost = false;        // ranks are placed data parallel first, then tensor parallel

  std::int64_t devices() const {
    return tensor_parallel * context_parallel * pipeline_parallel * data_parallel;
  }
  bool operator==(const Strategy&) const = default;
};

// Comma-separated, in any order: tpN, cpN, ppN, dpN, epN, zero0..zero3, fsdp or fsdpN (=
// dpN,zero3), hsdpN (zero3 among N data-parallel ranks, copies outside), sp, dpfirst (ranks placed
// data parallel first). Or by layer class, inner to outer, as in plan/class_strategy.hpp:
// "dense=fsdp,ddp", "dense=ddp,tp", "dense=tp,ddp,pp4;experts=ep8".
// `devices` 0: not given, the product decides. An omitted dp is what remains of `devices`;
// `devices_per_node` is what an inner level without a degree spans.
// UserError "bad-strategy" for an unknown word (nearest named), a repeated one, levels that a
// transformer cannot have, or a product that is not `devices`.
Strategy parse_strategy(std::string_view text, std::int64_t devices,
                        std::int64_t devices_per_node = 1);

// Canonical text: always tp, pp and dp; what else differs from none, after them. parse_strategy
// reads it back.
std::string strategy_text(const Strategy& strategy);

}  // namespace greenline::plan
