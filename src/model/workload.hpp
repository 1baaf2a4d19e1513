// A model as operators: what one device computes and moves for one micro-batch. Decoders and vision
// transformers, dense or with experts, are layers between an embedding and a head; a recommender is
// one list.
//
// Counts follow the shape alone; how long an operator takes is the business of model/machine. One
// matrix product of (m x k) by (k x n) is 2mnk FLOP. Activations and weights are 2 bytes a value
// (fp16 or bf16), gradients and optimizer state 4 bytes (mixed-precision Adam). Inference runs the
// forward lists alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/enum_name.hpp"
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
  double batch = 1;              // equal products in one kernel
  double m = 0, n = 0, k = 0;    // of each product; 0 for operators that are not products
  base::Work flops;              // executed, on this device
  base::Data bytes;              // to and from device memory
  double selective = 0;          // share of it that selective recomputation executes once more
  bool weight_gradient = false;  // only the optimizer waits for it
  bool narrow = false;           // a product of 1-byte operands
};

// Whether norms, rotations and gates are one kernel each, or one for every primitive operation in
// them: PyTorch without a compiler.
enum class Kernels : std::uint8_t { fused, eager };
std::span<const base::EnumName> enum_names(Kernels);

// What a layer's feed-forward part is: one for all tokens, or experts behind a router. A shape with
// experts has `experts->dense_layers` dense layers first; all others are expert layers.
enum class LayerKind : std::uint8_t { dense, experts };
LayerKind layer_kind(const catalog::ModelShape& shape, std::int64_t layer);

// One micro-batch on one device of a tensor-parallel group.
//
// Context parallelism: a rank holds 1/cp of each sequence's tokens and computes its queries against
// all keys (ring attention, balanced: 1/cp of the attention FLOP). Expert parallelism: a rank holds
// experts/ep experts, which get as many assignments as its own tokens make (balanced routing);
// tensor parallelism splits every expert.
struct Slice {
  std::int64_t tensor_parallel = 1;
  bool sequence_parallel = false;
  std::int64_t micro_batch = 1;      // sequences
  std::int64_t sequence_length = 0;  // tokens that are computed of each sequence: decoding 1
  Attention attention = Attention::fused;
  std::int64_t context_parallel = 1;  // ranks that share each sequence
  std::int64_t expert_parallel = 1;   // ranks that share the experts
  std::int64_t cached_tokens = 0;     // of each sequence, in the KV cache already: decoding
  Kernels kernels = Kernels::fused;
  double value_bytes = 2;        // of an activation or a weight
  bool narrow_products = false;  // products of the layers take fp8 operands, scaled and cast for it

  // On one device, of a context-parallel group.
  double tokens() const {
    return static_cast<double>(micro_batch) * static_cast<double>(sequence_length) /
           static_cast<double>(context_parallel);
  }
};

// Operators of one transformer layer, of the embedding of tokens or patches, and of the output head
// (or classifier) with its loss. What experts exchange is no operator: expert_dispatch.
struct Operators {
  std::vector<Operator> forward, backward;
};
Operators layer_operators(const catalog::ModelShape& shape, const Slice& slice,
                          LayerKind kind = LayerKind::dense);
Operators embedding_operators(const catalog::ModelShape& shape, const Slice& slice);
// Every computed token gets logits. Reading a prompt needs those of its last token only: a slice
// with sequence_length 1.
Operators head_operators(const catalog::ModelShape& shape, const Slice& slice);

// Bytes that one device sends to the experts of its tokens, in one direction, itself included: what
// the all-to-all before an expert layer's experts moves. As much comes back after them, and both
// again in the backward pass. 0 for a shape without experts.
base::Data expert_dispatch(const catalog::ModelShape& shape, const Slice& slice);

// Keys and values of `tokens` tokens in all layers, on one device. Ring attention passes on those
// of one layer and of its own tokens: this / layers.
base::Data kv_cache_bytes(const catalog::ModelShape& shape, double tokens,
                          std::int64_t tensor_parallel = 1);

// A recommendation model on one device: bottom MLP, embedding lookup, interaction, top MLP, for
// `samples` samples. However the tables are sharded (whole, by rows, by columns), a device looks up
// as many bytes as `samples` samples read. Tensor parallelism splits the MLPs. The backward pass of
// the lookup is the update of the rows.
Operators recommender_operators(const catalog::ModelShape& shape, double samples,
                                std::int64_t tensor_parallel = 1);
// Bytes of table rows that one sample reads: tables x pooling x dimension x bytes of a value.
base::Data lookup_bytes(const catalog::Recommender& recommender, double value_bytes);
// Of one sample, forward: (tables + 1)^2 dimension for dot products, of which half of the square is
// needed; 0 for a concatenation.
base::Work interaction_flops(const catalog::Recommender& recommender);

// FLOP of matrix products that selective recomputation repeats, per token and layer, when attention
// is fused.
double selective_product_flops(const catalog::ModelShape& shape, LayerKind kind = LayerKind::dense);

base::Work total_flops(const std::vector<Operator>& operators);

// Exact numbers of trainable values, whole model.
struct ParameterCounts {
  double layer_matrices = 0;         // weight matrices of one dense layer
  double layer_vectors = 0;          // biases and norms of one dense layer
  double expert_layer_matrices = 0;  // of one expert layer: attention, router, shared experts
  double expert_layer_vectors = 0;   // norms, and biases outside the routed experts
  double routed_experts = 0;         // all routed experts of one expert layer, with their biases
  double active_share = 0;           // of the routed experts that one token passes
  double token_embedding = 0;        // vocabulary x hidden
  double position_embedding = 0;     // 0 unless learned
  double patch_embedding = 0;        // projection with its bias, class tokens
  double output_head = 0;            // or classifier; 0 when tied to the token embedding
  double final_norm = 0;
  double tables = 0;              // of a recommender: tables x rows x dimension
  double mlp = 0;                 // of a recommender: layers x width^2
  std::int64_t layers = 0;        // all
  std::int64_t dense_layers = 0;  // those without experts

  double layer() const { return layer_matrices + layer_vectors; }  // dense
  double expert_layer() const {                                    // with all its experts
    return expert_layer_matrices + expert_layer_vectors + routed_experts;
  }
  std::int64_t expert_layers() const { return layers - dense_layers; }
  double embedding() const { return token_embedding + position_embedding + patch_embedding; }
  double total() const {
    return static_cast<double>(dense_layers) * layer() +
           static_cast<double>(expert_layers()) * expert_layer() + embedding() + output_head +
           final_norm + tables + mlp;
  }
  // Those that one token passes: without the routed experts that it is not sent to.
  double active() const {
    return total() - static_cast<double>(expert_layers()) * (1 - active_share) * routed_experts;
  }
};
ParameterCounts count_parameters(const catalog::ModelShape& shape);

// P = 12 L h^2 (1 + 13/(12h) + (V+s)/(12Lh)), narayanan2021 equation 2: a GPT shape without
// its final norm.
double megatron_parameters(const catalog::ModelShape& shape);

// Forward and backward, or forward alone.
enum class Passes : std::uint8_t { training, forward };

// FLOP that `sequences` of length s need at least, without any recomputation: in training 6 per
// matrix weight that a token passes, and 12 L s h per token for attention scores (chowdhery2022
// appendix B, korthikanti2022 appendix A); forward alone a third of both. `causal_share` 1 counts
// the whole s x s square, as both do; 0.5 counts what a causal mask leaves. Keys of `cached_tokens`
// before each sequence count in full. Images have no causal mask: the share is theirs to ignore. Of
// a recommender a sequence is a sample.
base::Work model_flops(const catalog::ModelShape& shape, std::int64_t sequence_length,
                       double sequences, double causal_share = 1, Passes passes = Passes::training,
                       std::int64_t cached_tokens = 0);

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
LayerActivations layer_activations(const catalog::ModelShape& shape, const Slice& slice,
                                   LayerKind kind = LayerKind::dense);
base::Data embedding_activations(const catalog::ModelShape& shape, const Slice& slice);
base::Data head_activations(const catalog::ModelShape& shape, const Slice& slice);
// Gradients of the logits, as fp32 and as values: alive while the loss is differentiated.
base::Data head_gradients(const catalog::ModelShape& shape, const Slice& slice);

}  // namespace greenline::model
