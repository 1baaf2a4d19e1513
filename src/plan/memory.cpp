#include "plan/memory.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "plan/placement.hpp"
#include "plan/stage.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::Data;

// Mixed-precision Adam (korthikanti2022, narayanan2021): fp16 weight, fp32 gradient, fp32 weight
// and moments.
struct StateBytes {
  double weight = 2, gradient = 4, optimizer = 12;
};

// In fp32 the weight is its own master copy.
StateBytes state_bytes(const Problem& p) {
  return model::value_bytes(p.machine.precision) == 4 ? StateBytes{4, 4, 8} : StateBytes{};
}

void set_device(Memory& m, const Problem& p) {
  m.capacity = p.system.device.memory;
  m.reserve = p.memory_reserve * m.capacity;
}

// Micro-batches that a stage has begun and not finished. 1F1B admits p - i on stage i; with weight
// gradients put off, every stage keeps as many as the first (qi2024 section 2.2).
double micro_batches_in_flight(const Problem& p, const Configuration& c, std::int64_t stage) {
  const std::int64_t stages = c.strategy.pipeline_parallel;
  const std::int64_t most = c.schedule == Schedule::zero_bubble ? stages : stages - stage;
  return static_cast<double>(std::min(num_micro_batches(p, c), most));
}

// The same as a share of a stage's layers: the interleaved schedule admits 2(p - i - 1) + (v - 1) p
// + 1 of its chunks.
double passes_in_flight(const Problem& p, const Configuration& c, std::int64_t stage) {
  if (c.interleave == 1) return micro_batches_in_flight(p, c, stage);
  const std::int64_t stages = c.strategy.pipeline_parallel;
  const std::int64_t chunks = 2 * (stages - stage - 1) + (c.interleave - 1) * stages + 1;
  return static_cast<double>(std::min(chunks, num_micro_batches(p, c) * c.interleave)) /
         static_cast<double>(c.interleave);
}

// Micro-batches whose embedding the first stage holds at once. Interleaved, a second group of
// micro-batches starts on its first chunk before the first group comes back.
double embeddings_in_flight(const Problem& p, const Configuration& c) {
  const std::int64_t stages = c.strategy.pipeline_parallel;
  return static_cast<double>(
      std::min(num_micro_batches(p, c), c.interleave == 1 ? stages : 2 * stages - 1));
}

// Heads whose activations the last stage holds at once.
double heads_in_flight(const Problem& p, const Configuration& c) {
  if (c.schedule != Schedule::zero_bubble) return 1;
  return micro_batches_in_flight(p, c, c.strategy.pipeline_parallel - 1);
}

// Of the layers of one micro-batch.
Data kept_by_layers(const SliceCost& slice, Recompute recompute, const StageKind& kind) {
  Data sum = kind.dense_layers * kept_by_layer(slice.dense.activations, recompute);
  if (kind.expert_layers > 0)
    sum += kind.expert_layers * kept_by_layer(slice.experts.activations, recompute);
  return sum;
}

// The larger of what two kinds of layers ask for.
template <typename Ask>
Data of_larger_layer(const SliceCost& slice, const StageKind& kind, Ask ask) {
  Data largest;
  if (kind.dense_layers > 0) largest = ask(slice.dense.activations);
  if (kind.expert_layers > 0) largest = std::max(largest, ask(slice.experts.activations));
  return largest;
}

// Of all that the backward pass reads. Layers through which no gradient passes keep nothing.
Data activations_on(const Costs& x, const Configuration& c, const Training& training,
                    const StageKind& kind) {
  Data sum;
  if (training.through_layers && c.offload == Offload::all)
    // On the device only the layer at work and the one on its way.
    sum = 2 * of_larger_layer(x.slice, kind,
                              [&](const auto& a) { return kept_by_layer(a, c.recompute); });
  else if (training.through_layers)
    sum = passes_in_flight(x.problem, c, kind.first) * kept_by_layers(x.slice, c.recompute, kind);
  if (kind.embedding && training.embedding)
    sum += embeddings_in_flight(x.problem, c) * x.slice.embedding.kept;
  if (kind.head && training.any()) sum += heads_in_flight(x.problem, c) * x.slice.head.kept;
  return sum;
}

// The layer that is being recomputed; without a backward pass, the layer at work.
Data layer_at_work(const Costs& x, const Configuration& c, const Training& training,
                   const StageKind& kind) {
  if (!training.through_layers)
    return of_larger_layer(x.slice, kind, [](const auto& a) { return a.all; });
  return of_larger_layer(x.slice, kind,
                         [&](const auto& a) { return a.all - kept_by_layer(a, c.recompute); });
}

// Gathered weights and whole gradients under ZeRO: under ZeRO-2 and 3 the whole gradient of one
// layer, or of embedding and head when they are larger; under ZeRO-3 two gathered layers (one at
// work, one on its way), embedding and head.
Data gathered(const Costs& x, const Configuration& c, const Training& training,
              const StageKind& kind) {
  if (c.strategy.zero < 2) return {};
  const StageParameters held = stage_parameters(x.parameters, x.problem.shape, c.strategy, kind);
  const StageParameters changing = trained(training, held);
  auto layer = [&](const StageParameters& n) { return (n.layers + n.experts) / kind.layers(); };
  auto ends = [](const StageParameters& n) { return n.embedding + n.head; };
  const double weights = c.strategy.zero == 3 ? 2 * layer(held) + ends(held) : 0;
  const StateBytes bytes = state_bytes(x.problem);
  return (bytes.weight * weights + bytes.gradient * std::max(layer(changing), ends(changing))) *
         units::B;
}

// Ring attention holds the keys and values of the next rank beside its own.
Data arriving_keys(const Problem& p, const Configuration& c) {
  const Strategy& s = c.strategy;
  if (s.context_parallel == 1) return {};
  return model::value_bytes(p.machine.precision) / 2 *
         model::kv_cache_bytes(p.shape, slice_of(p, c).tokens(), s.tensor_parallel) /
         static_cast<double>(p.shape.layers);
}

Data buffers_on(const Costs& x, const Configuration& c, const Training& training,
                const StageKind& kind) {
  Data sum = layer_at_work(x, c, training, kind) + gathered(x, c, training, kind) +
             arriving_keys(x.problem, c);
  if (!kind.head) return sum;
  return sum + (training.any() ? x.slice.head.gradients : x.slice.head.kept);
}

// Keys and values of all sequences that a device serves.
Data kv_cache_on(const Problem& p, const Configuration& c, const StageKind& kind) {
  if (is_training(p.task) || p.shape.patches) return {};
  const Strategy& s = c.strategy;
  const auto sequences = static_cast<double>(p.global_batch) / static_cast<double>(s.data_parallel);
  const auto tokens =
      static_cast<double>(computed_tokens(p) + (p.task == Task::decode ? p.cached_tokens : 0)) /
      static_cast<double>(s.context_parallel);
  return kind.layers() / static_cast<double>(p.shape.layers) *
         model::kv_cache_bytes(p.shape, sequences * tokens, s.tensor_parallel);
}

Memory stage_memory(const Costs& x, const Configuration& c, const Training& training,
                    const StageKind& kind) {
  const Problem& p = x.problem;
  const StageParameters held = stage_parameters(x.parameters, p.shape, c.strategy, kind);
  const StageParameters changing = trained(training, held);
  const auto ranks = static_cast<double>(shard_group(p, c.strategy).ranks);
  const auto expert_ranks = static_cast<double>(expert_shard_group(p, c.strategy).ranks);
  auto share = [&](const StageParameters& n, int from) {
    if (c.strategy.zero < from) return n.total();
    return n.shared() / ranks + n.experts / expert_ranks;
  };
  Memory m;
  const StateBytes bytes = state_bytes(p);
  m.weights = bytes.weight * share(held, 3) * units::B;
  m.gradients = bytes.gradient * share(changing, 2) * units::B;
  if (c.offload == Offload::none) m.optimizer = bytes.optimizer * share(changing, 1) * units::B;
  m.activations = activations_on(x, c, training, kind);
  m.buffers = buffers_on(x, c, training, kind);
  m.kv_cache = kv_cache_on(p, c, kind);
  m.stage = kind.first;
  set_device(m, p);
  return m;
}

}  // namespace

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

Memory fullest_stage(const Costs& x, const Configuration& c) {
  const Training training = training_of(x.problem);
  Memory fullest;
  // Of stages that hold the same, the first has the most micro-batches in flight.
  for (const StageKind& kind : stage_kinds(x.problem.shape, c.strategy.pipeline_parallel)) {
    const Memory m = stage_memory(x, c, training, kind);
    if (kind.first == 0 || m.total() > fullest.total()) fullest = m;
  }
  return fullest;
}

Memory fullest_stage(const Problem& p, const Configuration& c) {
  const model::ParameterCounts parameters = model::count_parameters(p.shape);
  const SliceCost slice = slice_cost(p, c);
  return fullest_stage(Costs{p, parameters, slice}, c);
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
  const StateBytes bytes;  // the paper's
  m.weights = bytes.weight * weights / share(3) * units::B;
  m.gradients = bytes.gradient * weights / share(2) * units::B;
  m.optimizer = bytes.optimizer * weights / share(1) * units::B;
  m.activations =
      s * static_cast<double>(c.micro_batch) * layers * token * held / (t * stages * v) * units::B;
  set_device(m, p);
  return m;
}

}  // namespace greenline::plan
