// Bytes that are kept from the forward to the backward pass.
#include "model/workload.hpp"

namespace greenline::model {
namespace {

namespace units = base::units;
using base::Data;
using catalog::ModelShape;

// Values of a feed-forward part that are kept, on one device.
struct KeptFeedForward {
  double before, activated;  // of the activation function
  double routed = 0;         // inputs and outputs of the routed experts, router logits in fp32
};

KeptFeedForward kept_feed_forward(const ModelShape& shape, const Slice& slice, LayerKind kind) {
  const auto t = static_cast<double>(slice.tensor_parallel);
  const double tokens = slice.tokens();
  auto kept = [&](double ffn) {
    return KeptFeedForward{
        slice.value_bytes * tokens * static_cast<double>(shape.ffn_inputs()) * ffn / t,
        slice.value_bytes * tokens * ffn / t};
  };
  if (kind == LayerKind::dense) return kept(static_cast<double>(shape.ffn_hidden));
  const catalog::Experts& e = *shape.experts;
  KeptFeedForward k = kept(static_cast<double>((e.active + e.shared) * e.ffn_hidden));
  const double split = slice.sequence_parallel ? t : 1;
  k.routed = 2 * expert_dispatch(shape, slice).in(units::B) +
             4 * tokens / split * static_cast<double>(e.experts);
  return k;
}

}  // namespace

LayerActivations layer_activations(const ModelShape& shape, const Slice& slice, LayerKind kind) {
  const auto t = static_cast<double>(slice.tensor_parallel);
  const double split = slice.sequence_parallel ? t : 1;
  const double tokens = slice.tokens();
  const auto h = static_cast<double>(shape.hidden);
  const auto heads = static_cast<double>(shape.heads);
  const auto queries = static_cast<double>(shape.query_width());
  const auto kv = static_cast<double>(shape.key_width());
  const double masks = shape.dropout ? 1 : 0;  // dropout masks, a byte a value

  const double v = slice.value_bytes;

  const double layer_input = v * tokens * h / split;
  const double norm_outputs = static_cast<double>(shape.layer_norms) * v * tokens * h / split;
  const double residual = v * tokens * h / split + 2 * masks * tokens * h / split;
  const double projections = v * tokens * (queries + 2 * kv) / t + v * tokens * queries / t;
  const KeptFeedForward f = kept_feed_forward(shape, slice, kind);
  const double kept = layer_input + residual + projections + f.before + f.routed;

  LayerActivations a;
  a.input = layer_input * units::B;
  if (slice.attention == Attention::materialised) {
    // Softmax output, and where there is dropout its mask and output: 5 bytes a score
    // in 16 bits.
    const auto keys = static_cast<double>(slice.sequence_length + slice.cached_tokens);
    const double scores = (v + (1 + v) * masks) * tokens * keys * heads / t;
    a.selective = (kept + norm_outputs + f.activated) * units::B;
    a.all = a.selective + scores * units::B;
  } else {
    const double log_sums = 4 * tokens * heads / t;
    const double inputs = static_cast<double>(shape.ffn_inputs());
    const double again =
        v * tokens * kv / t + v * tokens * h / split + f.before * (inputs - 1) / inputs;
    a.all = (kept + log_sums + norm_outputs + f.activated) * units::B;
    a.selective = (kept + log_sums - again) * units::B;
  }
  return a;
}

Data embedding_activations(const ModelShape& shape, const Slice& slice) {
  const double split = slice.sequence_parallel ? static_cast<double>(slice.tensor_parallel) : 1;
  if (shape.patches) {
    const double patches = slice.tokens() * static_cast<double>(shape.patches->patches()) /
                           static_cast<double>(shape.patches->tokens());
    return slice.value_bytes * patches * static_cast<double>(shape.patches->pixels()) * units::B;
  }
  const double mask = shape.dropout ? 1 : 0;
  return mask * slice.tokens() * static_cast<double>(shape.hidden) / split * units::B;
}

namespace {

// Values of the logits on one device. An image is one classification.
double num_logits(const ModelShape& shape, const Slice& slice) {
  const double all = shape.patches ? static_cast<double>(slice.micro_batch) *
                                         static_cast<double>(shape.patches->classes)
                                   : slice.tokens() * static_cast<double>(shape.vocabulary);
  return all / static_cast<double>(slice.tensor_parallel);
}

}  // namespace

Data head_activations(const ModelShape& shape, const Slice& slice) {
  const double split = slice.sequence_parallel ? static_cast<double>(slice.tensor_parallel) : 1;
  // Input of the final norm and of the head; the logits as values and as fp32 in the loss.
  const double norms =
      2 * slice.value_bytes * slice.tokens() * static_cast<double>(shape.hidden) / split;
  return (norms + (slice.value_bytes + 4) * num_logits(shape, slice)) * units::B;
}

Data head_gradients(const ModelShape& shape, const Slice& slice) {
  return (slice.value_bytes + 4) * num_logits(shape, slice) * units::B;
}

}  // namespace greenline::model
