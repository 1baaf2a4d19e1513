// Counts that belong to a shape alone: parameters, model FLOPs, bytes kept for the backward pass.
#include "model/workload.hpp"

namespace greenline::model {
namespace {

namespace units = base::units;
using base::Data;
using catalog::ModelShape;

}  // namespace

ParameterCounts count_parameters(const ModelShape& shape) {
  const auto h = static_cast<double>(shape.hidden);
  const auto ffn = static_cast<double>(shape.ffn_hidden);
  const double kv = h / static_cast<double>(shape.heads) * static_cast<double>(shape.kv_heads);
  const double inputs = shape.mlp == catalog::Mlp::swiglu ? 2 : 1;
  const double norm = shape.norm == catalog::Norm::layernorm ? 2 * h : h;

  ParameterCounts p;
  p.layers = shape.layers;
  p.layer_matrices = h * (h + 2 * kv) + h * h + (inputs + 1) * h * ffn;
  p.layer_vectors = 2 * norm;
  if (shape.biases) p.layer_vectors += (h + 2 * kv) + h + inputs * ffn + h;
  p.token_embedding = static_cast<double>(shape.vocabulary) * h;
  if (shape.positions == catalog::Positions::learned)
    p.position_embedding = static_cast<double>(shape.sequence_length) * h;
  if (!shape.tied_embeddings) p.output_head = p.token_embedding;
  p.final_norm = norm;
  return p;
}

double megatron_parameters(const ModelShape& shape) {
  const auto h = static_cast<double>(shape.hidden);
  const auto l = static_cast<double>(shape.layers);
  const auto v = static_cast<double>(shape.vocabulary);
  const auto s = static_cast<double>(shape.sequence_length);
  return 12 * l * h * h * (1 + 13 / (12 * h) + (v + s) / (12 * l * h));
}

base::Work model_flops(const ModelShape& shape, std::int64_t sequence_length, double sequences,
                       double causal_share) {
  const ParameterCounts p = count_parameters(shape);
  const auto layers = static_cast<double>(shape.layers);
  const auto s = static_cast<double>(sequence_length);
  // The head multiplies, the lookup of the embedding does not.
  const double matrices = layers * p.layer_matrices + p.token_embedding;
  const double scores = 12 * layers * static_cast<double>(shape.hidden) * s * causal_share;
  return sequences * s * (6 * matrices + scores) * units::FLOP;
}

LayerActivations layer_activations(const ModelShape& shape, const Slice& slice) {
  const auto t = static_cast<double>(slice.tensor_parallel);
  const double split = slice.sequence_parallel ? t : 1;
  const double tokens = slice.tokens();
  const auto s = static_cast<double>(slice.sequence_length);
  const auto h = static_cast<double>(shape.hidden);
  const auto heads = static_cast<double>(shape.heads);
  const auto ffn = static_cast<double>(shape.ffn_hidden);
  const double kv = h / heads * static_cast<double>(shape.kv_heads);
  const double inputs = shape.mlp == catalog::Mlp::swiglu ? 2 : 1;
  const double masks = shape.family == "gpt" ? 1 : 0;  // dropout masks, a byte a value

  const double layer_input = 2 * tokens * h / split;
  const double norm_outputs = 2 * 2 * tokens * h / split;
  const double residual = 2 * tokens * h / split + 2 * masks * tokens * h / split;
  const double projections = 2 * tokens * (h + 2 * kv) / t + 2 * tokens * h / t;
  const double feed_forward = 2 * tokens * inputs * ffn / t;
  const double activated = 2 * tokens * ffn / t;
  const double kept = layer_input + residual + projections + feed_forward;

  LayerActivations a;
  a.input = layer_input * units::B;
  if (slice.attention == Attention::materialised) {
    // Softmax output, and where there is dropout its mask and output: 5 bytes a score.
    const double scores = (2 + 3 * masks) * tokens * s * heads / t;
    a.selective = (kept + norm_outputs + activated) * units::B;
    a.all = a.selective + scores * units::B;
  } else {
    const double log_sums = 4 * tokens * heads / t;
    const double again =
        2 * tokens * kv / t + 2 * tokens * h / split + feed_forward * (inputs - 1) / inputs;
    a.all = (kept + log_sums + norm_outputs + activated) * units::B;
    a.selective = (kept + log_sums - again) * units::B;
  }
  return a;
}

Data embedding_activations(const ModelShape& shape, const Slice& slice) {
  const double split = slice.sequence_parallel ? static_cast<double>(slice.tensor_parallel) : 1;
  const double mask = shape.family == "gpt" ? 1 : 0;
  return mask * slice.tokens() * static_cast<double>(shape.hidden) / split * units::B;
}

Data head_activations(const ModelShape& shape, const Slice& slice) {
  const auto t = static_cast<double>(slice.tensor_parallel);
  const double split = slice.sequence_parallel ? t : 1;
  // Input of the final norm and of the head; the logits as values and as fp32 in the loss.
  const double norms = 4 * slice.tokens() * static_cast<double>(shape.hidden) / split;
  const double logits = 6 * slice.tokens() * static_cast<double>(shape.vocabulary) / t;
  return (norms + logits) * units::B;
}

Data head_gradients(const ModelShape& shape, const Slice& slice) {
  return 6 * slice.tokens() * static_cast<double>(shape.vocabulary) /
         static_cast<double>(slice.tensor_parallel) * units::B;
}

}  // namespace greenline::model
