#include "plan/iteration.hpp"

#include <algorithm>
#include <vector>

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::Data;
using base::Time;
using model::Operator;
using model::OperatorKind;

// Time of a list of operators, by what bounds it in principle.
struct KindTime {
  Time matmul, attention, memory_bound;
  Time total() const { return matmul + attention + memory_bound; }
  Time compute() const { return matmul + attention; }
};

enum class Part { all, selective };

KindTime time_of(const model::Machine& machine, const std::vector<Operator>& ops,
                 Part part = Part::all) {
  KindTime sum;
  for (const Operator& o : ops) {
    const double share = part == Part::all ? 1 : o.selective;
    if (share == 0) continue;
    const Time t = share * model::operator_time(machine, o);
    if (o.kind == OperatorKind::matmul)
      sum.matmul += t;
    else if (o.kind == OperatorKind::attention)
      sum.attention += t;
    else
      sum.memory_bound += t;
  }
  return sum;
}

void add(StageTime& s, const KindTime& forward, const KindTime& backward, double times) {
  s.matmul += times * (forward.matmul + backward.matmul);
  s.attention += times * (forward.attention + backward.attention);
  s.memory_bound += times * (forward.memory_bound + backward.memory_bound);
  s.backward += times * backward.total();
}

Data activation_bytes(const Problem& p, const Configuration& c) {
  return 2 * slice_of(p, c).tokens() * static_cast<double>(p.shape.hidden) * units::B;
}

// One exchange of the layer's output inside the tensor-parallel group. With sequence parallelism it
// is an all-gather and a reduce-scatter of the same volume.
Time tensor_exchange(const Problem& p, const Configuration& c) {
  if (c.strategy.tensor_parallel == 1) return Time{};
  const model::Group group = tensor_parallel_group(p, c.strategy);
  const Data bytes = activation_bytes(p, c);
  if (!c.strategy.sequence_parallel) return model::all_reduce(p.machine, group, bytes);
  return model::all_gather(p.machine, group, bytes) +
         model::reduce_scatter(p.machine, group, bytes);
}

// A send to the next or the previous stage. Ranks of a tensor-parallel group send a share each and
// gather it on the other side, unless sequence parallelism keeps it split (narayanan2021
// section 4.1).
Time pipeline_send(const Problem& p, const Configuration& c) {
  const Strategy& s = c.strategy;
  if (s.pipeline_parallel == 1) return Time{};
  const Data bytes = activation_bytes(p, c);
  const bool between_nodes = s.devices() > p.system.devices_per_node;
  Time t = model::point_to_point(p.machine, between_nodes,
                                 bytes / static_cast<double>(s.tensor_parallel));
  if (!s.sequence_parallel && s.tensor_parallel > 1)
    t += model::all_gather(p.machine, tensor_parallel_group(p, s), bytes);
  return t;
}

// ZeRO-3 gathers a layer before its forward and again before its backward pass and scatters its
// gradient after it; ZeRO-2 scatters only, and in the only micro-batch that is the exchange of
// ZeRO-1.
bool shards_each_micro_batch(const Problem& p, const Configuration& c) {
  const Strategy& s = c.strategy;
  return s.data_parallel > 1 && (s.zero == 3 || (s.zero == 2 && num_micro_batches(p, c) > 1));
}

// Parameters that are gathered and whose gradient is scattered together.
struct Unit {
  Time gather, scatter;
};

Unit unit_of(const Problem& p, const Configuration& c, double parameters) {
  const model::Group group = data_parallel_group(p, c.strategy);
  return {c.strategy.zero == 3 ? model::all_gather(p.machine, group, 2 * parameters * units::B)
                               : Time{},
          model::reduce_scatter(p.machine, group, 4 * parameters * units::B)};
}

// Time of one layer of a stage: what the exchange of its neighbour can hide behind.
struct LayerTime {
  Time forward, backward;
};

LayerTime layer_time(const StageTime& s, double layers) {
  return {(s.total() - s.data_parallel - s.backward) / layers, s.backward / layers};
}

// In each micro-batch every layer's exchange runs beside the computation of its neighbour; what is
// longer shows.
Time exposed_sharding(const Problem& p, const Configuration& c, const StageTime& s,
                      std::int64_t stage, double layers) {
  if (!shards_each_micro_batch(p, c)) return Time{};
  const Unit u = unit_of(p, c, stage_parameters(p.shape, c.strategy, stage).layers / layers);
  if (!p.overlap_gradients) return layers * (2 * u.gather + u.scatter);
  const LayerTime t = layer_time(s, layers);
  return layers * (std::max(Time{}, u.gather - t.forward) +
                   std::max(Time{}, u.gather + u.scatter - t.backward));
}

// What sharding adds to that once an iteration: nothing hides the first gather, nor the last
// scatter. Embedding and head are gathered and scattered with every micro-batch, beside one layer.
Time exposed_ends(const Problem& p, const Configuration& c, const StageTime& s,
                  const StageParameters& params, double layers) {
  const double ends = params.embedding + params.head;
  const Unit first = unit_of(p, c, ends > 0 ? ends : params.layers / layers);
  const Time once = first.gather + first.scatter;
  // Without overlap every layer has been counted in full.
  if (ends == 0) return p.overlap_gradients ? once : Time{};
  const auto others = static_cast<double>(num_micro_batches(p, c) - 1);
  if (!p.overlap_gradients) return (1 + others) * once;
  // Beside that layer's own exchange only what it leaves can hide something.
  const LayerTime t = layer_time(s, layers);
  const Unit own = unit_of(p, c, params.layers / layers);
  const Time forward = std::max(Time{}, t.forward - own.gather);
  const Time backward = std::max(Time{}, t.backward - own.gather - own.scatter);
  return once + others * (std::max(Time{}, first.gather - forward) +
                          std::max(Time{}, first.scatter - backward));
}

// A tied head keeps a copy of the embedding on the last stage; both sum their gradients.
Time tied_exchange(const Problem& p, const Strategy& s) {
  if (s.pipeline_parallel == 1 || !p.shape.tied_embeddings) return Time{};
  const bool between = s.devices() > p.system.devices_per_node;
  const double copy = static_cast<double>(p.shape.vocabulary * p.shape.hidden) /
                      static_cast<double>(s.tensor_parallel);
  return 2 * model::point_to_point(p.machine, between, 4 * copy / 2 * units::B);
}

// Exchange of gradients (and under ZeRO of weights) once an iteration, and the part of it that
// shows.
Time exposed_gradient_exchange(const Problem& p, const Configuration& c, const StageTime& s,
                               std::int64_t stage) {
  const Strategy& st = c.strategy;
  Time exposed = tied_exchange(p, st);
  if (st.data_parallel == 1) return exposed;
  const StageParameters params = stage_parameters(p.shape, st, stage);
  const auto layers = static_cast<double>(stage_layers(p.shape, st.pipeline_parallel, stage));
  const model::Group group = data_parallel_group(p, st);
  // The last layer's bucket cannot hide, nor can the first gathered weights.
  auto remainder = [&](Time whole, Time cover) {
    if (!p.overlap_gradients) return whole;
    return std::max(whole / layers, whole - cover * (layers - 1) / layers);
  };
  if (shards_each_micro_batch(p, c)) {
    exposed += exposed_ends(p, c, s, params, layers);
  } else {
    const Data gradients = 4 * params.total() * units::B;
    exposed += remainder(st.zero == 0 ? model::all_reduce(p.machine, group, gradients)
                                      : model::reduce_scatter(p.machine, group, gradients),
                         s.backward);
  }
  // The updated weights, which ZeRO-3 leaves divided.
  if (st.zero == 1 || st.zero == 2)
    exposed += remainder(model::all_gather(p.machine, group, 2 * params.total() * units::B),
                         s.total() - s.backward);
  return exposed;
}

// Adam reads gradient, fp32 weight and two moments and writes the last three and the 2-byte weight;
// gradients are read once more for their norm and cleared.
Time optimizer_time(const Problem& p, const Configuration& c, std::int64_t stage) {
  const double parameters = stage_parameters(p.shape, c.strategy, stage).total();
  const auto dp = static_cast<double>(c.strategy.data_parallel);
  const double owned = c.strategy.zero >= 1 ? parameters / dp : parameters;
  const double held = c.strategy.zero >= 2 ? owned : parameters;
  const Data bytes = (30 * owned + 8 * held) * units::B;
  return p.machine.efficiency.kernel_overhead +
         bytes / (p.machine.efficiency.memory * p.machine.memory_bandwidth);
}

}  // namespace

StageTime stage_time(const Problem& p, const Configuration& c, std::int64_t stage) {
  const std::int64_t stages = c.strategy.pipeline_parallel;
  const model::Slice slice = slice_of(p, c);
  const auto layers = static_cast<double>(stage_layers(p.shape, stages, stage));
  const model::Operators layer = model::layer_operators(p.shape, slice);
  const KindTime forward = time_of(p.machine, layer.forward);
  const Time exchange = tensor_exchange(p, c);

  StageTime s;
  add(s, forward, time_of(p.machine, layer.backward), layers);
  s.tensor_parallel = 4 * layers * exchange;  // two in each direction
  s.backward += 2 * layers * exchange;
  if (c.recompute != Recompute::none) {
    const bool full = c.recompute == Recompute::full;
    const KindTime again = full ? forward : time_of(p.machine, layer.forward, Part::selective);
    s.recompute_compute = layers * again.compute();
    s.recompute_memory = layers * again.memory_bound;
    if (full) s.tensor_parallel += 2 * layers * exchange;
    s.backward += layers * again.total() + (full ? 2 * layers * exchange : Time{});
  }
  auto add_end = [&](const model::Operators& end) {
    add(s, time_of(p.machine, end.forward), time_of(p.machine, end.backward), 1);
    s.tensor_parallel += exchange;
  };
  if (stage == 0) add_end(model::embedding_operators(p.shape, slice));
  if (stage == stages - 1) add_end(model::head_operators(p.shape, slice));
  s.pipeline = 2 * static_cast<double>(c.interleave) * pipeline_send(p, c);
  s.data_parallel = exposed_sharding(p, c, s, stage, layers);
  return s;
}

Time pipeline_time(const std::vector<Time>& stages, std::int64_t micro_batches,
                   std::int64_t chunks) {
  const auto v = static_cast<double>(chunks);
  Time sum, longest;
  for (const Time t : stages) {
    sum += t;
    longest = std::max(longest, t);
  }
  return sum / v + (static_cast<double>(micro_batches) - 1 / v) * longest;
}

Iteration iteration(const Problem& p, const Configuration& c) {
  const std::int64_t stages = c.strategy.pipeline_parallel;
  // Stages differ by position only (first, last) and by one layer: three kinds are enough.
  const std::int64_t extra = p.shape.layers % stages;
  std::vector<Time> times(static_cast<std::size_t>(stages));
  StageTime slowest, stage;
  Time exchange, optimizer;  // of the stage that they keep longest
  for (std::int64_t i = 0; i < stages; ++i) {
    const bool same_as_previous = i > 1 && i < stages - 1 && i != extra;
    if (!same_as_previous) {
      stage = stage_time(p, c, i);
      exchange = std::max(exchange, exposed_gradient_exchange(p, c, stage, i));
      optimizer = std::max(optimizer, optimizer_time(p, c, i));
    }
    times[static_cast<std::size_t>(i)] = stage.total();
    if (i == 0 || stage.total() > slowest.total()) slowest = stage;
  }
  const std::int64_t batches = num_micro_batches(p, c);
  const auto m = static_cast<double>(batches);
  Iteration it;
  it.matmul = m * slowest.matmul;
  it.attention = m * slowest.attention;
  it.memory_bound = m * slowest.memory_bound;
  it.recompute = m * (slowest.recompute_compute + slowest.recompute_memory);
  it.tensor_parallel = m * slowest.tensor_parallel;
  it.pipeline = m * slowest.pipeline;
  it.bubble = std::max(Time{}, pipeline_time(times, batches, c.interleave) - m * slowest.total());
  it.data_parallel = m * slowest.data_parallel + exchange;
  it.optimizer = optimizer;

  const Time total = it.total();
  it.busy.compute = (it.matmul + it.attention + m * slowest.recompute_compute) / total;
  it.busy.memory = (it.memory_bound + m * slowest.recompute_memory + it.optimizer) / total;
  it.busy.network = (it.tensor_parallel + it.pipeline + it.data_parallel) / total;
  it.busy.idle = it.bubble / total;
  return it;
}

}  // namespace greenline::plan
