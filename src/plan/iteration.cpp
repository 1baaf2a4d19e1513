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
  const std::int64_t t = c.strategy.tensor_parallel;
  if (t == 1) return Time{};
  const model::Group group{t, std::min(t, p.system.devices_per_node)};
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
    t += model::all_gather(
        p.machine, {s.tensor_parallel, std::min(s.tensor_parallel, p.system.devices_per_node)},
        bytes);
  return t;
}

// ZeRO-3 gathers every layer before its forward and again before its backward pass and scatters its
// gradient after it; ZeRO-2 scatters only. Each runs beside the computation of a neighbouring
// layer; what is longer shows.
Time exposed_sharding(const Problem& p, const Configuration& c, const StageTime& s,
                      std::int64_t stage, double layers) {
  const int zero = c.strategy.zero;
  if (zero < 2 || c.strategy.data_parallel == 1 || (zero == 2 && num_micro_batches(p, c) == 1))
    return Time{};
  const model::Group group = data_parallel_group(p, c.strategy);
  const double parameters = stage_parameters(p.shape, c.strategy, stage).layers / layers;
  const Time gather =
      zero == 3 ? model::all_gather(p.machine, group, 2 * parameters * units::B) : Time{};
  const Time scatter = model::reduce_scatter(p.machine, group, 4 * parameters * units::B);
  if (!p.overlap_gradients) return layers * (2 * gather + scatter);
  const Time backward = s.backward / layers;
  const Time forward = (s.total() - s.backward) / layers;
  return layers *
         (std::max(Time{}, gather - forward) + std::max(Time{}, gather + scatter - backward));
}

// Exchange of gradients (and under ZeRO of weights) once an iteration, and the part of it that
// shows.
Time exposed_gradient_exchange(const Problem& p, const Configuration& c, const StageTime& s,
                               std::int64_t stage) {
  const Strategy& st = c.strategy;
  const StageParameters params = stage_parameters(p.shape, st, stage);
  const auto layers = static_cast<double>(stage_layers(p.shape, st.pipeline_parallel, stage));
  const model::Group group = data_parallel_group(p, st);
  const double ends = params.embedding + params.head;
  Time exposed;
  if (st.pipeline_parallel > 1 && p.shape.tied_embeddings) {
    const bool between = st.devices() > p.system.devices_per_node;
    const double copy = static_cast<double>(p.shape.vocabulary * p.shape.hidden) /
                        static_cast<double>(st.tensor_parallel);
    exposed += 2 * model::point_to_point(p.machine, between, 4 * copy / 2 * units::B);
  }
  if (st.data_parallel == 1) return exposed;
  if (st.zero == 3) {
    // Embedding and head are gathered before anything can hide it, and their gradient is scattered
    // last.
    const double first = ends > 0 ? ends : params.layers / layers;
    return exposed + model::all_gather(p.machine, group, 2 * first * units::B) +
           model::reduce_scatter(p.machine, group, 4 * first * units::B);
  }
  const Data gradients = 4 * params.total() * units::B;
  const Time reduce = st.zero == 0 ? model::all_reduce(p.machine, group, gradients)
                                   : model::reduce_scatter(p.machine, group, gradients);
  const Time gather =
      st.zero == 0 ? Time{} : model::all_gather(p.machine, group, 2 * params.total() * units::B);
  if (!p.overlap_gradients) return exposed + reduce + gather;
  // The last layer's bucket cannot hide, nor can the first gathered weights.
  auto remainder = [&](Time whole, Time cover) {
    return std::max(whole / layers, whole - cover * (layers - 1) / layers);
  };
  return exposed + remainder(reduce, s.backward) + remainder(gather, s.total() - s.backward);
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
  std::int64_t slowest = 0;
  StageTime slowest_time, previous;
  for (std::int64_t i = 0; i < stages; ++i) {
    const bool same_as_previous = i > 1 && i < stages - 1 && i != extra;
    const StageTime t = same_as_previous ? previous : stage_time(p, c, i);
    previous = t;
    times[static_cast<std::size_t>(i)] = t.total();
    if (i == 0 || t.total() > slowest_time.total()) {
      slowest_time = t;
      slowest = i;
    }
  }
  const std::int64_t batches = num_micro_batches(p, c);
  const auto m = static_cast<double>(batches);
  Iteration it;
  it.matmul = m * slowest_time.matmul;
  it.attention = m * slowest_time.attention;
  it.memory_bound = m * slowest_time.memory_bound;
  it.recompute = m * (slowest_time.recompute_compute + slowest_time.recompute_memory);
  it.tensor_parallel = m * slowest_time.tensor_parallel;
  it.pipeline = m * slowest_time.pipeline;
  it.bubble =
      std::max(Time{}, pipeline_time(times, batches, c.interleave) - m * slowest_time.total());
  it.data_parallel =
      m * slowest_time.data_parallel + exposed_gradient_exchange(p, c, slowest_time, slowest);
  it.optimizer = optimizer_time(p, c, slowest);

  const Time total = it.total();
  it.busy.compute = (it.matmul + it.attention + m * slowest_time.recompute_compute) / total;
  it.busy.memory = (it.memory_bound + m * slowest_time.recompute_memory + it.optimizer) / total;
  it.busy.network = (it.tensor_parallel + it.pipeline + it.data_parallel) / total;
  it.busy.idle = it.bubble / total;
  return it;
}

}  // namespace greenline::plan
