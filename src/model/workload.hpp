// A dense decoder-only transformer as operators: what one device computes and moves for one
// micro-batch.
//
// Counts follow the shape alone; how long an operator takes is the business of model/machine. One
// matrix product of (m x k) by (k x n) is 2mnk FLOP. Activations and weights are 2 bytes a value
// (fp16 or bf16), gradients and optimizer state 4 bytes (mixed-precision Adam).
#pragma once

#include <cstdint>
#include <vector>

#include "base/quantity.hpp"
#include "catalog/entries.hpp"

namespace greenline::model {

enum class OperatorKind : std::uint8_t { matmul, attention, elementwise, lookup, cross_entropy };

// How attention scores are computed: kept in memory between kernels, or inside one fused kernel
// that skips the masked half and recomputes scores in its backward pass.
enum class Attention : std::uint8_t { materialised, fused };
const char* attention_name(Attention attention);

struct Operator {
  const char* name;
  OperatorKind kind = OperatorKind::elementwise;
  double batch = 1;            // equal products in one kernel
  double m = 0, n = 0, k = 0;  // of each product; 0 for operators that are not products
  base::Work flops;            // executed, on this device
  base::Data bytes;            // to and from device memory
  double selective = 0;        // share of it that selective recomputation executes once more
};

// One micro-batch on one device of a tensor-parallel group.
struct Slice {
  std::int64_t tensor_parallel = 1;
  bool sequence_parallel = false;
  std::int64_t micro_batch = 1;      // sequences
  std::int64_t sequence_length = 0;  // tokens
  Attention attention = Attention::fused;

  double tokens() const {
    return static_cast<double>(micro_batch) * static_cast<double>(sequence_length);
  }
};

// Operators of one transformer layer, of the token embedding, and of the output head with its loss.
struct Operators {
  std::vector<Operator> forward, backward;
};
Operators layer_operators(const catalog::ModelShape& shape, const Slice& slice);
Operators embedding_operators(const catalog::ModelShape& shape, const Slice& slice);
Operators head_operators(const catalog::ModelShape& shape, const Slice& slice);

// FLOP of matrix products that selective recomputation repeats, per token and layer, when attention
// is fused.
double selective_product_flops(const catalog::ModelShape& shape);

base::Work total_flops(const std::vector<Operator>& operators);

// Exact numbers of trainable values, whole model.
struct ParameterCounts {
  double layer_matrices = 0;      // weight matrices of one layer
  double layer_vectors = 0;       // biases and norms of one layer
  double token_embedding = 0;     // vocabulary x hidden
  double position_embedding = 0;  // 0 unless learned
  double output_head = 0;         // 0 when tied to the token embedding
  double final_norm = 0;
  std::int64_t layers = 0;

  double layer() const { return layer_matrices + layer_vectors; }
  double total() const {
    return static_cast<double>(layers) * layer() + token_embedding + position_embedding +
           output_head + final_norm;
  }
};
ParameterCounts count_parameters(const catalog::ModelShape& shape);

// P = 12 L h^2 (1 + 13/(12h) + (V+s)/(12Lh)), narayanan2021 equation 2: a GPT shape without
// its final norm.
double megatron_parameters(const catalog::ModelShape& shape);

// FLOP that training on `sequences` of length s needs at least, without any recomputation: 6 per
// matrix weight and token, and 12 L s h per token for attention scores (chowdhery2022 appendix B,
// korthikanti2022 appendix A). `causal_share` 1 counts the whole s x s square, as both do; 0.5
// counts what a causal mask leaves.
base::Work model_flops(const catalog::ModelShape& shape, std::int64_t sequence_length,
                       double sequences, double causal_share = 1);

// Bytes that one layer keeps from its forward to its backward pass, per micro-batch and device
// (korthikanti2022 section 4, extended to grouped-query attention, SwiGLU and fused attention).
struct LayerActivations {
  base::Data all;        // nothing recomputed
  base::Data selective;  // materialised attention: its core is recomputed. Fused attention keeps no
                         // scores; there norms, activation function, key, attention output and the
                         // second feed-forward input are recomputed, every second product as in
                         // TorchTitan's selective policy (liang2024)
  base::Data input;      // the layer input alone: full recomputation
};
LayerActivations layer_activations(const catalog::ModelShape& shape, const Slice& slice);
base::Data embedding_activations(const catalog::ModelShape& shape, const Slice& slice);
base::Data head_activations(const catalog::ModelShape& shape, const Slice& slice);
// Gradients of the logits, as fp32 and as values: alive while the loss is differentiated.
base::Data head_gradients(const catalog::ModelShape& shape, const Slice& slice);

}  // namespace greenline::model
