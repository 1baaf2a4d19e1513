#include "plan/utilisation.hpp"

#include "model/workload.hpp"

namespace greenline::plan {
namespace {

// Per token and layer.
double repeated_flops(const Problem& p, const Configuration& c, Compat compat,
                      double causal_share) {
  const double scores = 4 * static_cast<double>(p.shape.hidden) *
                        static_cast<double>(p.sequence_length) * causal_share;
  switch (c.recompute) {
    case Recompute::none:
      return 0;
    case Recompute::full:
      return 2 * model::count_parameters(p.shape).layer_matrices + scores;
    case Recompute::selective:
      break;
  }
  if (compat == Compat::korthikanti) return 3 * scores;
  return p.attention == model::Attention::materialised ? scores
                                                       : model::selective_product_flops(p.shape);
}

}  // namespace

base::Work executed_flops(const Problem& p, const Configuration& c, Compat compat,
                          double causal_share) {
  const auto sequences = static_cast<double>(p.global_batch);
  const double tokens = sequences * static_cast<double>(p.sequence_length);
  return model::model_flops(p.shape, p.sequence_length, sequences, causal_share) +
         tokens * static_cast<double>(p.shape.layers) * repeated_flops(p, c, compat, causal_share) *
             base::units::FLOP;
}

}  // namespace greenline::plan
