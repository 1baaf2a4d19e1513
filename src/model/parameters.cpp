// Counts that belong to a shape alone: parameters, model FLOPs, bytes of the KV cache.
#include "model/workload.hpp"

namespace greenline::model {
namespace {

namespace units = base::units;
using base::Data;
using catalog::Biases;
using catalog::ModelShape;

double norm_size(const ModelShape& shape, double width) {
  return shape.norm == catalog::Norm::layernorm ? 2 * width : width;
}

double attention_matrices(const ModelShape& shape) {
  const auto h = static_cast<double>(shape.hidden);
  const auto q = static_cast<double>(shape.query_width());
  const auto kv = static_cast<double>(shape.key_width());
  return h * (q + 2 * kv) + q * h;
}

// Norms of a layer, and the biases of its attention.
double attention_vectors(const ModelShape& shape) {
  const auto h = static_cast<double>(shape.hidden);
  const double projected = static_cast<double>(shape.query_width() + 2 * shape.key_width());
  double sum = static_cast<double>(shape.layer_norms) * norm_size(shape, h);
  if (shape.query_norms) sum += 2 * norm_size(shape, static_cast<double>(shape.attention_head()));
  if (shape.biases != Biases::none) sum += projected;
  if (shape.biases == Biases::attention || shape.biases == Biases::all) sum += h;
  return sum;
}

// Matrices and biases of a feed-forward network.
struct FeedForward {
  double matrices, biases;
};

FeedForward feed_forward(const ModelShape& shape, double ffn) {
  const auto h = static_cast<double>(shape.hidden);
  const auto inputs = static_cast<double>(shape.ffn_inputs());
  return {(inputs + 1) * h * ffn, shape.biases == Biases::all ? inputs * ffn + h : 0};
}

void count_experts(const ModelShape& shape, ParameterCounts& p) {
  const catalog::Experts& e = *shape.experts;
  const auto h = static_cast<double>(shape.hidden);
  const auto experts = static_cast<double>(e.experts);
  const FeedForward one = feed_forward(shape, static_cast<double>(e.ffn_hidden));
  const FeedForward shared = feed_forward(shape, static_cast<double>(e.shared * e.ffn_hidden));
  p.dense_layers = e.dense_layers;
  p.expert_layer_matrices = attention_matrices(shape) + h * experts;
  p.expert_layer_vectors = attention_vectors(shape);
  if (e.shared > 0) {
    p.expert_layer_matrices += shared.matrices;
    p.expert_layer_vectors += shared.biases + (e.shared_gate ? h : 0);
  }
  p.routed_experts = experts * (one.matrices + one.biases);
  p.active_share = static_cast<double>(e.active) / experts;
}

ParameterCounts count_recommender(const catalog::Recommender& r) {
  const auto width = static_cast<double>(r.mlp_width);
  ParameterCounts p;
  p.tables = static_cast<double>(r.tables) * static_cast<double>(r.rows_per_table) *
             static_cast<double>(r.embedding_dimension);
  p.mlp = static_cast<double>(r.bottom_layers + r.top_layers) * width * width;
  return p;
}

void count_ends_of_vision(const ModelShape& shape, ParameterCounts& p) {
  const catalog::Patches& patches = *shape.patches;
  const auto h = static_cast<double>(shape.hidden);
  const auto classes = static_cast<double>(patches.classes);
  p.patch_embedding =
      static_cast<double>(patches.pixels()) * h + h + static_cast<double>(patches.class_tokens) * h;
  p.output_head = classes * h + classes;
}

}  // namespace

ParameterCounts count_parameters(const ModelShape& shape) {
  if (shape.recommender) return count_recommender(*shape.recommender);
  const auto h = static_cast<double>(shape.hidden);
  const FeedForward dense = feed_forward(shape, static_cast<double>(shape.ffn_hidden));

  ParameterCounts p;
  p.layers = p.dense_layers = shape.layers;
  p.layer_matrices = attention_matrices(shape) + dense.matrices;
  p.layer_vectors = attention_vectors(shape) + dense.biases;
  if (shape.experts) count_experts(shape, p);
  if (shape.positions == catalog::Positions::learned)
    p.position_embedding = h * static_cast<double>(shape.position_rows > 0 ? shape.position_rows
                                                                           : shape.sequence_length);
  p.final_norm = norm_size(shape, h);
  if (shape.embedding_norm) p.position_embedding += norm_size(shape, h);
  if (shape.patches) {
    count_ends_of_vision(shape, p);
    return p;
  }
  p.token_embedding = static_cast<double>(shape.vocabulary) * h;
  if (!shape.tied_embeddings) p.output_head = p.token_embedding;
  return p;
}

double megatron_parameters(const ModelShape& shape) {
  const auto h = static_cast<double>(shape.hidden);
  const auto l = static_cast<double>(shape.layers);
  const auto v = static_cast<double>(shape.vocabulary);
  const auto s = static_cast<double>(shape.sequence_length);
  return 12 * l * h * h * (1 + 13 / (12 * h) + (v + s) / (12 * l * h));
}

namespace {

// Weights of matrices that one token passes: the head multiplies, the lookup of an embedding does
// not.
double active_matrices(const ModelShape& shape, const ParameterCounts& p) {
  const double dense = static_cast<double>(p.dense_layers) * p.layer_matrices + p.token_embedding;
  if (!shape.experts) return dense;
  const catalog::Experts& e = *shape.experts;
  const double routed = static_cast<double>(e.active) *
                        feed_forward(shape, static_cast<double>(e.ffn_hidden)).matrices;
  return dense + static_cast<double>(p.expert_layers()) * (p.expert_layer_matrices + routed);
}

// Patches are projected, and an image has one classification.
double image_products(const ModelShape& shape) {
  if (!shape.patches) return 0;
  const catalog::Patches& patches = *shape.patches;
  return static_cast<double>(shape.hidden) *
         static_cast<double>(patches.patches() * patches.pixels() + patches.classes);
}

}  // namespace

base::Work model_flops(const ModelShape& shape, std::int64_t sequence_length, double sequences,
                       double causal_share, Passes passes, std::int64_t cached_tokens) {
  const ParameterCounts p = count_parameters(shape);
  const double times = passes == Passes::training ? 3 : 1;
  if (shape.recommender)
    return times * sequences * (2 * p.mlp * units::FLOP + interaction_flops(*shape.recommender));
  const auto s = static_cast<double>(sequence_length);
  const double share = shape.patches ? 1 : causal_share;
  const double keys = s * share + static_cast<double>(cached_tokens);
  const double scores =
      4 * times * static_cast<double>(p.layers) * static_cast<double>(shape.query_width()) * keys;
  const double images = sequences * 2 * times * image_products(shape);
  return (sequences * s * (2 * times * active_matrices(shape, p) + scores) + images) * units::FLOP;
}

Data kv_cache_bytes(const ModelShape& shape, double tokens, std::int64_t tensor_parallel) {
  return 2 * 2 * static_cast<double>(shape.layers) * tokens *
         static_cast<double>(shape.key_width()) / static_cast<double>(tensor_parallel) * units::B;
}

}  // namespace greenline::model
