// How a model is spread over devices, and its text form: "tp8,pp8,dp4,sp".
//
// Ranks are placed tensor parallel first, then data parallel, then pipeline: tensor-parallel ranks
// share a node whenever they fit, pipeline neighbours stand in different nodes whenever tp x dp
// fills one.
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

  std::int64_t devices() const { return tensor_parallel * pipeline_parallel * data_parallel; }
  bool operator==(const Strategy&) const = default;
};

// Comma-separated, in any order: tpN, ppN, dpN, zero0..zero3, fsdp or fsdpN (= dpN,zero3), sp.
// `devices` 0: not given, the product decides. An omitted dp is what remains of `devices`.
// UserError "bad-strategy" for an unknown word (nearest named), a repeated one, or a product that
// is not `devices`.
Strategy parse_strategy(std::string_view text, std::int64_t devices);

// Canonical text: always tp, pp and dp, then zeroN and sp where they are on.
std::string strategy_text(const Strategy& strategy);

}  // namespace greenline::plan
