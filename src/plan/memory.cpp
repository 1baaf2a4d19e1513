#include "plan/memory.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::Data;

// Mixed-precision Adam (korthikanti2022, narayanan2021): fp16 weight, fp32 gradient, fp32 weight
// and moments.
constexpr double kWeightBytes = 2, kGradientBytes = 4, kOptimizerBytes = 12;

void set_device(Memory& m, const Problem& p) {
  m.capacity = p.system.device.memory;
  m.reserve = p.memory_reserve * m.capacity;
}

// Layers whose activations a rank holds at once, counting one micro-batch's layer as one: 1F1B
// admits at most p - i micro-batches on stage i, the interleaved schedule 2(p - i - 1) + (v - 1) p
// + 1 chunks.
double layers_in_flight(const Problem& p, const Configuration& c, std::int64_t stage) {
  const std::int64_t stages = c.strategy.pipeline_parallel;
  const std::int64_t batches = num_micro_batches(p, c);
  const auto layers = static_cast<double>(stage_layers(p.shape, stages, stage));
  if (c.interleave == 1) return layers * static_cast<double>(std::min(batches, stages - stage));
  const std::int64_t chunks = 2 * (stages - stage - 1) + (c.interleave - 1) * stages + 1;
  return layers * static_cast<double>(std::min(chunks, batches * c.interleave)) /
         static_cast<double>(c.interleave);
}

// Micro-batches whose embedding the first stage holds at once. Interleaved, a second group of
// micro-batches starts on its first chunk before the first group comes back.
double embeddings_in_flight(const Problem& p, const Configuration& c) {
  const std::int64_t stages = c.strategy.pipeline_parallel;
  return static_cast<double>(
      std::min(num_micro_batches(p, c), c.interleave == 1 ? stages : 2 * stages - 1));
}

Data kept_by_layer(const model::LayerActivations& a, Recompute recompute) {
  switch (recompute) {
    case Recompute::none:
      return a.all;
    case Recompute::selective:
      return a.selective;
    case Recompute::full:
      return a.input;
  }
  return {};
}

Data activations_on(const Problem& p, const Configuration& c, std::int64_t stage) {
  const std::int64_t stages = c.strategy.pipeline_parallel;
  const model::Slice slice = slice_of(p, c);
  Data sum = layers_in_flight(p, c, stage) *
             kept_by_layer(model::layer_activations(p.shape, slice), c.recompute);
  if (stage == 0) sum += embeddings_in_flight(p, c) * model::embedding_activations(p.shape, slice);
  if (stage == stages - 1) sum += model::head_activations(p.shape, slice);
  return sum;
}

// What lives for a moment only: the layer being recomputed, the gradient of the logits; under
// ZeRO-2 and 3 the whole gradient of one layer, or of embedding and head when they are larger;
// under ZeRO-3 two gathered layers (one at work, one on its way), embedding and head.
Data buffers_on(const Problem& p, const Configuration& c, std::int64_t stage) {
  Data sum;
  const model::LayerActivations a = model::layer_activations(p.shape, slice_of(p, c));
  if (c.recompute == Recompute::full) sum += a.all - a.input;
  if (c.recompute == Recompute::selective) sum += a.all - a.selective;
  if (stage == c.strategy.pipeline_parallel - 1)
    sum += model::head_gradients(p.shape, slice_of(p, c));
  if (c.strategy.zero >= 2) {
    const StageParameters params = stage_parameters(p.shape, c.strategy, stage);
    const double layer = params.layers / static_cast<double>(stage_layers(
                                             p.shape, c.strategy.pipeline_parallel, stage));
    const double ends = params.embedding + params.head;
    const double gathered = c.strategy.zero == 3 ? 2 * layer + ends : 0;
    sum += (kWeightBytes * gathered + kGradientBytes * std::max(layer, ends)) * units::B;
  }
  return sum;
}

Memory stage_memory(const Problem& p, const Configuration& c, std::int64_t stage) {
  const double parameters = stage_parameters(p.shape, c.strategy, stage).total();
  const auto dp = static_cast<double>(c.strategy.data_parallel);
  auto share = [&](int from) { return c.strategy.zero >= from ? dp : 1; };
  Memory m;
  m.weights = kWeightBytes * parameters / share(3) * units::B;
  m.gradients = kGradientBytes * parameters / share(2) * units::B;
  m.optimizer = kOptimizerBytes * parameters / share(1) * units::B;
  m.activations = activations_on(p, c, stage);
  m.buffers = buffers_on(p, c, stage);
  m.stage = stage;
  set_device(m, p);
  return m;
}

}  // namespace

Memory fullest_stage(const Problem& p, const Configuration& c) {
  const std::int64_t stages = c.strategy.pipeline_parallel;
  Memory fullest = stage_memory(p, c, 0);
  // Between the ends, stages differ by fewer micro-batches in flight only: the second is the
  // fullest of them.
  for (const std::int64_t stage : {std::int64_t{1}, stages - 1}) {
    if (stage >= stages) continue;
    const Memory m = stage_memory(p, c, stage);
    if (m.total() > fullest.total()) fullest = m;
  }
  return fullest;
}

Memory memory_of(const Problem& p, const Configuration& c, Compat compat) {
  return compat == Compat::korthikanti ? korthikanti_memory(p, c) : fullest_stage(p, c);
}

Memory korthikanti_memory(const Problem& p, const Configuration& c) {
  const auto& shape = p.shape;
  if (shape.kv_heads != shape.heads || shape.mlp != catalog::Mlp::gelu ||
      shape.ffn_hidden != 4 * shape.hidden) {
    throw base::UnsupportedError("compat-shape",
                                 "the closed forms of --compat korthikanti hold for GPT shapes (as "
                                 "many key and value heads as heads, "
                                 "GELU, feed-forward size 4 x hidden); " +
                                     shape.id + " is another",
                                 "leave --compat out");
  }
  const auto t = static_cast<double>(c.strategy.tensor_parallel);
  const auto stages = static_cast<double>(c.strategy.pipeline_parallel);
  const auto v = static_cast<double>(c.interleave);
  const auto h = static_cast<double>(shape.hidden);
  const auto layers = static_cast<double>(shape.layers);
  const auto s = static_cast<double>(p.sequence_length);
  const double scores = 5 * static_cast<double>(shape.heads) * s;

  // Bytes of one layer and one token of its depth's worth, times t: whole numbers up to the one
  // division below.
  double token = 0;
  const bool none = c.recompute == Recompute::none;
  if (c.recompute == Recompute::full)
    token = 2 * h * t;
  else if (c.strategy.sequence_parallel)
    token = 34 * h + (none ? scores : 0);
  else
    token = 10 * h * t + 24 * h + (none ? scores : 0);
  // The first stage holds the whole depth's worth; interleaving holds (p - 1) / (p v) more, one
  // chunk nothing.
  const double held = c.interleave > 1 ? stages * v + stages - 1 : stages * v;

  const double weights = 12 * layers * h * h / (t * stages);
  const auto dp = static_cast<double>(c.strategy.data_parallel);
  auto share = [&](int from) { return c.strategy.zero >= from ? dp : 1; };
  Memory m;
  m.weights = kWeightBytes * weights / share(3) * units::B;
  m.gradients = kGradientBytes * weights / share(2) * units::B;
  m.optimizer = kOptimizerBytes * weights / share(1) * units::B;
  m.activations =
      s * static_cast<double>(c.micro_batch) * layers * token * held / (t * stages * v) * units::B;
  set_device(m, p);
  return m;
}

}  // namespace greenline::plan
