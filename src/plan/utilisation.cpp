#include "plan/utilisation.hpp"

#include "model/workload.hpp"

namespace greenline::plan {
namespace {

// Products of one layer that a token passes, forward.
double product_flops(const catalog::ModelShape& shape, const model::ParameterCounts& count,
                     model::LayerKind kind) {
  if (kind == model::LayerKind::dense) return 2 * count.layer_matrices;
  const double active =
      static_cast<double>(shape.experts->active) / static_cast<double>(shape.experts->experts);
  return 2 * (count.expert_layer_matrices + active * count.routed_experts);
}

// Attention scores of one token and layer, forward. Images have no causal mask.
double token_scores(const Problem& p, double causal_share) {
  const double keys =
      static_cast<double>(computed_tokens(p)) * (p.shape.patches ? 1 : causal_share) +
      (p.task == Task::decode ? static_cast<double>(p.cached_tokens) : 0);
  return 4 * static_cast<double>(p.shape.query_width()) * keys;
}

// Per token and layer.
double repeated_flops(const Problem& p, const Configuration& c, Compat compat,
                      model::LayerKind kind, double causal_share) {
  const double scores = token_scores(p, causal_share);
  switch (c.recompute) {
    case Recompute::none:
      return 0;
    case Recompute::full:
      return product_flops(p.shape, model::count_parameters(p.shape), kind) + scores;
    case Recompute::selective:
      break;
  }
  if (compat == Compat::korthikanti) return 3 * scores;
  return p.attention == model::Attention::materialised
             ? scores
             : model::selective_product_flops(p.shape, kind);
}

// The output head of the whole batch, forward: every token of text that is trained on or continued,
// the last one of a prompt, an image once.
base::Work head_flops(const Problem& p, double matrix) {
  const bool once = p.shape.patches || p.task == Task::prefill;
  const double each = once ? 1 : static_cast<double>(computed_tokens(p));
  return 2 * static_cast<double>(p.global_batch) * each * matrix * base::units::FLOP;
}

}  // namespace

base::Work required_flops(const Problem& p, double causal_share) {
  const auto sequences = static_cast<double>(p.global_batch);
  const model::ParameterCounts count = model::count_parameters(p.shape);
  const double matrix = count.output_head > 0 ? count.output_head : count.token_embedding;
  const base::Work head = head_flops(p, matrix);
  const double tokens = sequences * static_cast<double>(computed_tokens(p));
  base::Work all =
      model::model_flops(p.shape, computed_tokens(p), sequences, causal_share,
                         model::Passes::forward, p.task == Task::decode ? p.cached_tokens : 0);
  // model_flops has the head for every token.
  if (p.task == Task::prefill && !p.shape.patches)
    all += head - 2 * tokens * matrix * base::units::FLOP;
  if (!is_training(p.task)) return all;
  const Frozen& f = p.frozen;
  const base::Work scores = tokens * static_cast<double>(p.shape.layers) *
                            token_scores(p, causal_share) * base::units::FLOP;
  const base::Work matrices = all - scores - head;
  base::Work sum = all;
  // Each product has two in the backward pass, for its input and for its weight.
  if (!f.head) sum += head;
  if (!f.layers) sum += matrices;
  if (!f.layers || !f.embedding) sum += head + matrices + 2 * scores;
  return sum;
}

base::Work executed_flops(const Problem& p, const Configuration& c, Compat compat,
                          double causal_share) {
  const base::Work required = required_flops(p, causal_share);
  if (!is_training(p.task)) return required;
  const double tokens =
      static_cast<double>(p.global_batch) * static_cast<double>(p.sequence_length);
  const std::int64_t dense = p.shape.experts ? p.shape.experts->dense_layers : p.shape.layers;
  const auto of = [&](std::int64_t layers, model::LayerKind kind) {
    if (layers == 0) return 0.0;
    return static_cast<double>(layers) * repeated_flops(p, c, compat, kind, causal_share);
  };
  return required + tokens *
                        (of(dense, model::LayerKind::dense) +
                         of(p.shape.layers - dense, model::LayerKind::experts)) *
                        base::units::FLOP;
}

}  // namespace greenline::plan
