#include "plan/stage_time.hpp"

#include <algorithm>
#include <cmath>

#include "plan/memory.hpp"
#include "plan/placement.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::Data;
using base::Time;

void add(StageTime& s, const OperatorTime& t, double times) {
  s.matmul += times * t.matmul;
  s.attention += times * t.attention;
  s.memory_bound += times * t.memory_bound;
  s.starved += times * t.starved;
}

void add(StageTime& s, const ExchangeTime& t, double times) {
  s.tensor_parallel += times * t.tensor;
  s.context_parallel += times * t.context;
  s.expert_parallel += times * t.experts;
}

void add_recomputation(StageTime& s, const LayerCost& layer, Recompute recompute, double layers) {
  if (recompute == Recompute::none) return;
  const bool full = recompute == Recompute::full;
  const OperatorTime& again = full ? layer.forward : layer.selective;
  s.recompute_compute += layers * again.compute();
  s.recompute_memory += layers * again.memory_bound;
  s.starved += layers * again.starved;
  s.backward += layers * again.total();
  if (!full) {
    s.tensor_parallel += layers * layer.selective_exchange;
    s.backward += layers * layer.selective_exchange;
    return;
  }
  add(s, layer.forward_exchange, layers);
  s.backward += layers * layer.forward_exchange.total();
}

void add_layers(StageTime& s, const LayerCost& layer, const Training& training, Recompute recompute,
                double layers) {
  if (layers == 0) return;
  add(s, layer.forward, layers);
  add(s, layer.forward_exchange, layers);
  if (!training.through_layers) return;
  add(s, layer.backward, layers);
  add(s, layer.backward_exchange, layers);
  s.backward += layers * (layer.backward.total() + layer.backward_exchange.total());
  add_recomputation(s, layer, recompute, layers);
  if (!training.layers) return;
  add(s, layer.weight_gradient, layers);
  s.backward += layers * layer.weight_gradient.total();
  s.weight_gradient += layers * layer.weight_gradient.total();
}

// The sum over parts of the vocabulary follows the lookup.
void add_embedding(StageTime& s, const EndCost& end, const Training& training) {
  add(s, end.forward, 1);
  s.tensor_parallel += end.exchange;
  if (!training.embedding) return;
  add(s, end.backward, 1);
  add(s, end.weight_gradient, 1);
  s.backward += end.backward.total() + end.weight_gradient.total();
}

// Gradients of the head's input are summed over parts of the vocabulary.
void add_head(StageTime& s, const EndCost& end, const Training& training) {
  add(s, end.forward, 1);
  if (!training.any()) return;
  add(s, end.backward, 1);
  s.backward += end.backward.total();
  if (training.through_layers) {
    s.tensor_parallel += end.exchange;
    s.backward += end.exchange;
  }
  if (!training.head) return;
  add(s, end.weight_gradient, 1);
  s.backward += end.weight_gradient.total();
  s.weight_gradient += end.weight_gradient.total();
}

PassTimes times_of(const StageTime& s) {
  return {s.forward(), s.backward - s.weight_gradient, s.weight_gradient};
}

PassTimes scaled(const PassTimes& t, double factor) {
  return {factor * t.forward, factor * t.backward, factor * t.weight_gradient};
}

PassTimes sum(const PassTimes& a, const PassTimes& b) {
  return {a.forward + b.forward, a.backward + b.backward, a.weight_gradient + b.weight_gradient};
}

}  // namespace

Time pipeline_send(const Problem& p, const Configuration& c) {
  const Strategy& s = c.strategy;
  if (s.pipeline_parallel == 1) return Time{};
  const Data bytes = activation_bytes(p, c);
  Time t = model::point_to_point(p.machine, pipeline_crosses_nodes(p, s),
                                 bytes / static_cast<double>(s.tensor_parallel));
  if (!s.sequence_parallel && s.tensor_parallel > 1)
    t += model::all_gather(p.machine, tensor_parallel_group(p, s), bytes);
  return t;
}

namespace {

// Kept activations go to the host while a layer's forward pass runs and come back during its
// backward pass; what is longer than the pass shows.
void add_host_transfers(StageTime& s, const Costs& x, const Configuration& c, model::LayerKind kind,
                        double layers) {
  const Training training = training_of(x.problem);
  if (c.offload != Offload::all || layers == 0 || !training.through_layers) return;
  const LayerCost& cost = kind == model::LayerKind::dense ? x.slice.dense : x.slice.experts;
  StageTime one;
  add_layers(one, cost, training, c.recompute, 1);
  const model::Link& host = x.problem.machine.host;
  const Time copy = host.latency + kept_by_layer(cost.activations, c.recompute) / host.bandwidth;
  const Time down = std::max(Time{}, copy - one.forward());
  const Time up = std::max(Time{}, copy - one.backward);
  s.offload += layers * (down + up);
  s.backward += layers * up;
}

}  // namespace

StageTime local_time(const Costs& x, const Configuration& c, const StageKind& kind) {
  const Training training = training_of(x.problem);
  StageTime s;
  add_layers(s, x.slice.dense, training, c.recompute, kind.dense_layers);
  add_layers(s, x.slice.experts, training, c.recompute, kind.expert_layers);
  add_host_transfers(s, x, c, model::LayerKind::dense, kind.dense_layers);
  add_host_transfers(s, x, c, model::LayerKind::experts, kind.expert_layers);
  if (kind.embedding) add_embedding(s, x.slice.embedding, training);
  if (kind.head) add_head(s, x.slice.head, training);
  const Time sends = static_cast<double>(c.interleave) * pipeline_send(x.problem, c);
  s.pipeline = training.through_layers ? 2 * sends : sends;
  if (training.through_layers) s.backward += sends;
  return s;
}

PassTimes layer_times(const Costs& x, const Configuration& c, model::LayerKind kind) {
  const bool dense = kind == model::LayerKind::dense;
  StageTime s;
  add_layers(s, dense ? x.slice.dense : x.slice.experts, training_of(x.problem), c.recompute, 1);
  add_host_transfers(s, x, c, kind, 1);
  return times_of(s);
}

PassTimes embedding_times(const Costs& x) {
  StageTime s;
  add_embedding(s, x.slice.embedding, training_of(x.problem));
  return times_of(s);
}

PassTimes head_times(const Costs& x) {
  StageTime s;
  add_head(s, x.slice.head, training_of(x.problem));
  return times_of(s);
}

Slots slots_of(const Costs& x, const Configuration& c, const StageKind& kind) {
  Slots z;
  z.chunks = c.interleave;
  z.slots = std::max<std::int64_t>(1, std::llround(kind.layers() / static_cast<double>(z.chunks)));
  z.first = kind.embedding;
  z.splits = c.schedule == Schedule::zero_bubble;
  PassTimes all;
  if (kind.dense_layers > 0)
    all = scaled(layer_times(x, c, model::LayerKind::dense), kind.dense_layers);
  if (kind.expert_layers > 0)
    all = sum(all, scaled(layer_times(x, c, model::LayerKind::experts), kind.expert_layers));
  z.layer = scaled(all, 1 / static_cast<double>(z.chunks * z.slots));
  if (kind.embedding) z.embedding = scaled(embedding_times(x), 1 / static_cast<double>(z.chunks));
  if (kind.head) z.head = scaled(head_times(x), 1 / static_cast<double>(z.chunks));
  z.send = pipeline_send(x.problem, c);
  return z;
}

}  // namespace greenline::plan
