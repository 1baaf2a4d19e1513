#include "plan/slice_cost.hpp"

#include <algorithm>
#include <vector>

#include "model/machine.hpp"
#include "plan/placement.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::Data;
using base::Time;
using model::LayerKind;
using model::Operator;
using model::OperatorKind;

// `times` of the operator.
void add(OperatorTime& sum, const model::Machine& machine, const Operator& op, double times = 1) {
  const Time t = times * model::operator_time(machine, op);
  if (op.kind == OperatorKind::matmul || op.kind == OperatorKind::attention)
    sum.starved += times * model::starved_time(machine, op);
  if (op.kind == OperatorKind::matmul)
    sum.matmul += t;
  else if (op.kind == OperatorKind::attention)
    sum.attention += t;
  else
    sum.memory_bound += t;
}

OperatorTime selective_time(const model::Machine& machine, const std::vector<Operator>& ops) {
  OperatorTime sum;
  for (const Operator& o : ops)
    if (o.selective > 0) add(sum, machine, o, o.selective);
  return sum;
}

struct Passes {
  OperatorTime forward, backward, weight_gradient;
};

Passes passes_of(const model::Machine& machine, const model::Operators& ops) {
  Passes t;
  for (const Operator& o : ops.forward) add(t.forward, machine, o);
  for (const Operator& o : ops.backward)
    add(o.weight_gradient ? t.weight_gradient : t.backward, machine, o);
  return t;
}

// One exchange of the layer's output inside the tensor-parallel group. With sequence parallelism it
// is an all-gather and a reduce-scatter of the same volume; fp8 products gather their operands in
// one byte.
struct TensorExchange {
  Time sum, gather, scatter;
  Time total() const { return sum + gather + scatter; }
};

TensorExchange tensor_exchange(const Problem& p, const Configuration& c, bool narrow) {
  if (c.strategy.tensor_parallel == 1) return {};
  const model::Group group = tensor_parallel_group(p, c.strategy);
  const Data bytes = activation_bytes(p, c);
  if (!c.strategy.sequence_parallel) return {model::all_reduce(p.machine, group, bytes), {}, {}};
  return {{},
          model::all_gather(p.machine, group, narrow ? bytes / 2 : bytes),
          model::reduce_scatter(p.machine, group, bytes)};
}

// An exchange, and what of it shows.
struct Exchange {
  Time whole, shown;
  Time hidden() const { return std::max(Time{}, whole - shown); }
};

// Cut in as many pieces as there are ranks they run beside the products that they feed (wang2022).
Exchange beside_products(const Problem& p, const Configuration& c, Time exchange, Time products) {
  if (!p.overlap_tensor || c.strategy.tensor_parallel == 1) return {exchange, exchange};
  return {exchange,
          shown(p.machine, exchange, products, static_cast<double>(c.strategy.tensor_parallel))};
}

// Weight gradients are among them unless they are a pass of their own, or none.
Time backward_products(const Problem& p, const Configuration& c, const Passes& t) {
  const bool alone = c.schedule == Schedule::zero_bubble || p.frozen.layers;
  return alone ? t.backward.matmul : t.backward.matmul + t.weight_gradient.matmul;
}

// Ring attention (liu2023): in each of cp - 1 steps keys and values of another rank arrive while
// those at hand are used. The backward pass sends their gradients along.
Exchange context_exchange(const Problem& p, const Configuration& c, Time attention, double volume) {
  const Strategy& s = c.strategy;
  if (s.context_parallel == 1) return {};
  const auto ranks = static_cast<double>(s.context_parallel);
  const model::Slice slice = slice_of(p, c);
  const Data bytes = volume * slice.value_bytes / 2 *
                     model::kv_cache_bytes(p.shape, slice.tokens(), s.tensor_parallel) /
                     static_cast<double>(p.shape.layers);
  const model::Group group = context_parallel_group(p, s);
  const Time step = model::point_to_point(p.machine, group.ranks > group.per_node, bytes);
  return {(ranks - 1) * step, (ranks - 1) * std::max(Time{}, step - attention / ranks)};
}

// To the experts and back.
Time expert_exchange(const Problem& p, const Configuration& c) {
  if (c.strategy.expert_parallel == 1) return Time{};
  return 2 * model::all_to_all(p.machine, expert_parallel_group(p, c.strategy),
                               model::expert_dispatch(p.shape, slice_of(p, c)));
}

LayerCost layer_cost(const Problem& p, const Configuration& c, LayerKind kind) {
  const model::Slice slice = slice_of(p, c);
  const model::Operators ops = model::layer_operators(p.shape, slice, kind);
  const Passes t = passes_of(p.machine, ops);
  LayerCost cost;
  cost.forward = t.forward;
  cost.backward = t.backward;
  cost.weight_gradient = t.weight_gradient;
  cost.selective = selective_time(p.machine, ops.forward);
  const TensorExchange tensor = tensor_exchange(p, c, slice.narrow_products);
  // Two exchanges in each direction of a layer.
  const Exchange forward = beside_products(p, c, 2 * tensor.total(), t.forward.matmul);
  const Exchange backward = beside_products(p, c, 2 * tensor.total(), backward_products(p, c, t));
  const Exchange keys = context_exchange(p, c, t.forward.attention, 1);
  const Exchange key_gradients = context_exchange(p, c, t.backward.attention, 2);
  const Time experts = kind == LayerKind::experts ? expert_exchange(p, c) : Time{};
  cost.forward_exchange = {forward.shown, keys.shown, experts};
  cost.forward_hidden = {forward.hidden(), keys.hidden(), {}};
  cost.backward_exchange = {backward.shown, key_gradients.shown, experts};
  cost.backward_hidden = {backward.hidden(), key_gradients.hidden(), {}};
  // The policy of fused attention keeps what was scattered and gathers it once more, beside
  // products of the backward pass that hide no other exchange.
  if (p.attention == model::Attention::fused) {
    const Time idle = std::max(Time{}, backward_products(p, c, t) - backward.hidden());
    const Exchange again = beside_products(p, c, tensor.gather, idle);
    cost.selective_exchange = again.shown;
    cost.selective_hidden = again.hidden();
  }
  cost.activations = model::layer_activations(p.shape, slice, kind);
  return cost;
}

EndCost end_cost(const Problem& p, const Configuration& c, const model::Operators& ops) {
  const Passes t = passes_of(p.machine, ops);
  return {t.forward, t.backward, t.weight_gradient, tensor_exchange(p, c, false).total(), {}, {}};
}

}  // namespace

Time shown(const model::Machine& machine, Time exchange, Time cover) {
  return std::max(Time{}, exchange - cover) +
         machine.efficiency.overlap_slowdown * std::min(exchange, cover);
}

Time shown(const model::Machine& machine, Time exchange, Time cover, double pieces) {
  const double covered = (pieces - 1) / pieces;
  return exchange / pieces + shown(machine, covered * exchange, covered * cover);
}

Data activation_bytes(const Problem& p, const Configuration& c) {
  const model::Slice slice = slice_of(p, c);
  return slice.value_bytes * slice.tokens() * static_cast<double>(p.shape.hidden) * units::B;
}

SliceKey slice_key(const Problem& p, const Configuration& c) {
  const Strategy& s = c.strategy;
  return {s.tensor_parallel,
          s.context_parallel,
          s.expert_parallel,
          c.micro_batch,
          tensor_parallel_group(p, s).per_node,
          context_parallel_group(p, s).per_node,
          expert_parallel_group(p, s).per_node,
          s.sequence_parallel,
          c.schedule == Schedule::zero_bubble};
}

SliceCost slice_cost(const Problem& p, const Configuration& c) {
  const model::Slice slice = slice_of(p, c);
  SliceCost cost;
  cost.dense = layer_cost(p, c, LayerKind::dense);
  if (p.shape.experts) cost.experts = layer_cost(p, c, LayerKind::experts);
  cost.embedding = end_cost(p, c, model::embedding_operators(p.shape, slice));
  cost.embedding.kept = model::embedding_activations(p.shape, slice);
  const model::Slice last = head_slice(p, c);
  cost.head = end_cost(p, c, model::head_operators(p.shape, last));
  cost.head.kept = model::head_activations(p.shape, last);
  cost.head.gradients = model::head_gradients(p.shape, last);
  return cost;
}

}  // namespace greenline::plan
