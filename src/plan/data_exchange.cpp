#include "plan/data_exchange.hpp"

#include <algorithm>

#include "plan/placement.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::Data;
using base::Time;

// Groups of the weights that all data ranks have in common, and of routed experts.
struct Groups {
  model::Group all, shard, copies;
};

Groups groups_of(const Problem& p, const Strategy& s) {
  return {data_parallel_group(p, s), shard_group(p, s), copy_group(p, s)};
}

Groups expert_groups_of(const Problem& p, const Strategy& s) {
  return {expert_data_parallel_group(p, s), expert_shard_group(p, s), expert_copy_group(p, s)};
}

bool shards_each_micro_batch(const Problem& p, const Configuration& c) {
  const int zero = c.strategy.zero;
  if (!exchanges(c.strategy)) return false;
  return zero == 3 || (zero == 2 && num_micro_batches(p, c) > 1);
}

// Weights of all units of a stage that some ranks share, by group.
class Exchanges {
 public:
  Exchanges(const Problem& p, const Strategy& s)
      : machine_(p.machine), gradient_bytes_(p.gradient_bytes), shared_(groups_of(p, s)) {
    if (p.shape.experts) experts_ = expert_groups_of(p, s);
  }

  // `bytes` of each parameter.
  Time gather(const StageParameters& n, double bytes) const {
    return gather(shared_, bytes * n.shared()) + gather(experts_, bytes * n.experts);
  }
  Time scatter(const StageParameters& n) const {
    return gather(n, gradient_bytes_);  // the same volume the other way
  }
  Time sum(const StageParameters& n) const {
    return sum(shared_, n.shared()) + sum(experts_, n.experts);
  }
  // Shards are summed over the groups that hold copies of each other.
  Time sum_copies(const StageParameters& n) const {
    return copies(shared_, n.shared()) + copies(experts_, n.experts);
  }

 private:
  Time gather(const Groups& g, double bytes) const {
    return bytes > 0 ? model::all_gather(machine_, g.shard, bytes * units::B) : Time{};
  }
  Time sum(const Groups& g, double parameters) const {
    if (parameters <= 0) return Time{};
    return model::all_reduce(machine_, g.all, gradient_bytes_ * parameters * units::B);
  }
  Time copies(const Groups& g, double parameters) const {
    if (g.copies.ranks == 1 || parameters <= 0) return Time{};
    const double shard = parameters / static_cast<double>(g.shard.ranks);
    return model::all_reduce(machine_, g.copies, gradient_bytes_ * shard * units::B);
  }

  const model::Machine& machine_;
  double gradient_bytes_;
  Groups shared_, experts_;
};

// Layers whose products read fp8 gather their weights in it; the ends stay in 16 bits.
double layer_weight_bytes(const Problem& p) {
  return p.machine.precision == catalog::Precision::fp8 ? 1
                                                        : model::value_bytes(p.machine.precision);
}

StageParameters ends_of(const StageParameters& n) { return {0, n.embedding, n.head, 0}; }

StageParameters layer_of(const StageParameters& n, double layers) {
  return {n.layers / layers, 0, 0, n.experts / layers};
}

struct Parameters {
  StageParameters held, trained;
};

Parameters parameters_of(const Costs& x, const Configuration& c, const StageKind& kind) {
  const StageParameters held = stage_parameters(x.parameters, x.problem.shape, c.strategy, kind);
  return {held, trained(training_of(x.problem), held)};
}

double owned(const StageParameters& n, const Problem& p, const Strategy& s, int from_zero) {
  if (s.zero < from_zero) return n.total();
  double sum = n.shared() / static_cast<double>(shard_group(p, s).ranks);
  if (n.experts > 0) sum += n.experts / static_cast<double>(expert_shard_group(p, s).ranks);
  return sum;
}

}  // namespace

StageExchange stage_exchange(const Costs& costs, const Configuration& c, const StageKind& kind,
                             const Slots& z) {
  const Problem& p = costs.problem;
  StageExchange x;
  if (!exchanges(c.strategy)) return x;
  const Parameters n = parameters_of(costs, c, kind);
  const Exchanges exchange(p, c.strategy);
  const int zero = c.strategy.zero;
  const double all_slots = static_cast<double>(z.chunks * z.slots), layers = kind.layers();
  const double value_bytes = model::value_bytes(p.machine.precision);
  x.each_micro_batch = shards_each_micro_batch(p, c);
  if (x.each_micro_batch) {
    const StageParameters held = layer_of(n.held, layers), trained = layer_of(n.trained, layers);
    const double share = layers / all_slots;
    if (zero == 3) {
      x.gather = share * exchange.gather(held, layer_weight_bytes(p));
      x.ends_gather = exchange.gather(ends_of(n.held), value_bytes);
    }
    if (is_training(p.task)) {
      x.scatter = share * exchange.scatter(trained);
      x.ends_scatter = exchange.scatter(ends_of(n.trained));
      x.sum = share * exchange.sum_copies(trained);
      x.ends_sum = exchange.sum_copies(ends_of(n.trained));
    }
  } else if (is_training(p.task)) {
    x.sum = (zero == 0 ? exchange.sum(n.trained)
                       : exchange.scatter(n.trained) + exchange.sum_copies(n.trained)) /
            all_slots;
  }
  if (zero == 1 || zero == 2) x.updated = exchange.gather(n.trained, value_bytes) / all_slots;
  return x;
}

Time tied_exchange(const Problem& p, const Strategy& s) {
  if (s.pipeline_parallel == 1 || !p.shape.tied_embeddings || !training_of(p).embedding)
    return Time{};
  const double copy = static_cast<double>(p.shape.vocabulary * p.shape.hidden) /
                      static_cast<double>(s.tensor_parallel);
  return 2 * model::point_to_point(p.machine, pipeline_crosses_nodes(p, s),
                                   p.gradient_bytes * copy / 2 * units::B);
}

Time optimizer_time(const Costs& x, const Configuration& c, const StageKind& kind) {
  const Problem& p = x.problem;
  if (!is_training(p.task)) return Time{};
  const StageParameters n = parameters_of(x, c, kind).trained;
  // Adam reads gradient, fp32 weight and two moments, writes the last three and the 2-byte weight;
  // gradients are read once more for their norm and cleared.
  constexpr double kStepBytes = 4 * 4 + 3 * 4 + 2, kGradientPassBytes = 4 + 4;
  const double parameters = owned(n, p, c.strategy, 1);
  const Data bytes =
      (kStepBytes * parameters + kGradientPassBytes * owned(n, p, c.strategy, 2)) * units::B;
  if (c.offload != Offload::none) {
    // fp32 gradients to the host, the step there, 2-byte weights back, one after the other.
    const model::Link& host = p.machine.host;
    return 2 * host.latency + (4 + 2) * parameters * units::B / host.bandwidth +
           bytes / p.machine.host_memory;
  }
  return p.machine.efficiency.kernel_overhead +
         bytes / (p.machine.efficiency.memory * p.machine.memory_bandwidth);
}

}  // namespace greenline::plan
