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
      : machine_(p.machine),
        gradient_bytes_(p.gradient_bytes),
        shared_(groups_of(p, s)),
        has_experts_(p.shape.experts.has_value()) {
    if (has_experts_) experts_ = expert_groups_of(p, s);
  }

  // `bytes` of each parameter.
  Time gather(const StageParameters& n, double bytes) const {
    Time t = model::all_gather(machine_, shared_.shard, bytes * n.shared() * units::B);
    if (has_experts_ && n.experts > 0)
      t += model::all_gather(machine_, experts_.shard, bytes * n.experts * units::B);
    return t;
  }
  Time scatter(const StageParameters& n) const {
    return gather(n, gradient_bytes_);  // the same volume the other way
  }
  Time sum(const StageParameters& n) const {
    Time t = model::all_reduce(machine_, shared_.all, gradient_bytes_ * n.shared() * units::B);
    if (has_experts_ && n.experts > 0)
      t += model::all_reduce(machine_, experts_.all, gradient_bytes_ * n.experts * units::B);
    return t;
  }
  // Shards are summed over the groups that hold copies of each other.
  Time sum_copies(const StageParameters& n) const {
    Time t = copies(shared_, n.shared());
    if (has_experts_ && n.experts > 0) t += copies(experts_, n.experts);
    return t;
  }

 private:
  Time copies(const Groups& g, double parameters) const {
    if (g.copies.ranks == 1) return Time{};
    const double shard = parameters / static_cast<double>(g.shard.ranks);
    return model::all_reduce(machine_, g.copies, gradient_bytes_ * shard * units::B);
  }

  const model::Machine& machine_;
  double gradient_bytes_;
  Groups shared_, experts_;
  bool has_experts_;
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

// A slot of computation and what is exchanged beside it.
struct Slot {
  Time cover, load;
};

// What shows of the exchanges of one pass through a chunk: `slots` slots like `middle`, of which
// the first and the last differ. `busy` false: the stage has had time for what the first one needs
// to have done, and nothing waits for what the last one leaves.
Time shown_in_pass(const Problem& p, std::int64_t slots, const Slot& first, const Slot& middle,
                   const Slot& last, bool busy) {
  auto of = [&](const Slot& s) { return shown(p.machine, s.load, s.cover); };
  if (busy && slots == 1)
    return of({first.cover + last.cover - middle.cover, first.load + last.load - middle.load});
  const Time inside = static_cast<double>(std::max<std::int64_t>(0, slots - 2)) * of(middle);
  if (busy) return of(first) + inside + of(last);
  auto slowed = [&](const Slot& s) {
    return p.machine.efficiency.overlap_slowdown * std::min(s.load, s.cover);
  };
  return inside + slowed(last) + (slots > 1 ? slowed(first) : Time{});
}

// What runs beside the first slot of a pass because the pass before has left it, and beside its
// last slot because the pass after needs it.
struct Around {
  Time before, after;
  bool busy = true;  // do the passes follow one another?
};

// The passes of a micro-batch through one chunk, without or with the weights of embedding and head.
class Passes {
 public:
  Passes(const Problem& p, const StageExchange& x, const Slots& z, bool ends)
      : p_(p), x_(x), z_(z), through_(training_of(p).through_layers) {
    left_ = through_ ? x.scatter : Time{};
    forward_needs_ = x.gather;
    if (!ends) return;
    left_ += x.ends_scatter;
    forward_needs_ += x.ends_gather;
  }

  // Forward and backward passes take turns, as on a stage that is always busy.
  PassTimes alternating() const {
    return of({left_, through_ ? x_.gather : forward_needs_}, {{}, forward_needs_});
  }
  // Of several micro-batches one after the other: forward passes of the warm-up, backward passes of
  // the cool-down.
  PassTimes in_a_row() const { return of({{}, forward_needs_}, {left_, x_.gather}); }
  // On a stage that has nothing else to do.
  PassTimes passing() const {
    return of({{}, through_ ? x_.gather : forward_needs_, false}, {{}, forward_needs_, false});
  }
  // The first forward pass finds nothing left over, the last backward pass is followed by none.
  PassTimes first_and_last() const { return of({{}, through_ ? x_.gather : Time{}}, {{}, {}}); }

 private:
  PassTimes of(const Around& forward, const Around& backward) const {
    return {this->forward(forward), this->backward(backward), weight_gradient()};
  }
  Time forward(const Around& a) const {
    const Time t = z_.layer.forward;
    // Where no gradient passes through the layers, the head turns round alone.
    const Time head = through_ ? z_.head.forward : z_.head.forward + z_.head.all_backward();
    return shown_in_pass(p_, z_.slots, {t + z_.embedding.forward, x_.gather + a.before},
                         {t, x_.gather}, {t + head + z_.send, a.after}, a.busy);
  }
  Time backward(const Around& a) const {
    if (!through_) return Time{};
    const bool split = z_.splits;
    const Time t = split ? z_.layer.backward : z_.layer.all_backward();
    const Time head = split ? z_.head.backward : z_.head.all_backward();
    const Time scatter = split ? Time{} : x_.scatter;
    return shown_in_pass(p_, z_.slots, {t + head, x_.gather + (split ? Time{} : a.before)},
                         {t, x_.gather + scatter},
                         {t + z_.embedding.all_backward() + z_.send, scatter + a.after}, a.busy);
  }
  Time weight_gradient() const {
    if (!z_.splits || !through_) return Time{};
    const Time t = z_.layer.weight_gradient;
    return shown_in_pass(p_, z_.slots, {t + z_.head.weight_gradient, {}}, {t, x_.scatter},
                         {t, x_.scatter}, true);
  }

  const Problem& p_;
  const StageExchange& x_;
  const Slots& z_;
  bool through_;
  Time left_, forward_needs_;
};

PassTimes difference(const PassTimes& a, const PassTimes& b) {
  return {a.forward - b.forward, a.backward - b.backward, a.weight_gradient - b.weight_gradient};
}

// Pass that completes gradients.
Time last_pass(const Slots& z) {
  return z.splits ? z.layer.weight_gradient : z.layer.all_backward();
}

// Buckets of a stage that leave one by one as passes of length `pass` through its slots make them
// ready (or arrive one by one before them): what shows after the last (before the first) pass.
// Those of other chunks have the passes of p micro-batches more.
Time shown_buckets(const Problem& p, const Strategy& s, const Slots& z, Time bucket, Time pass) {
  const auto slots = static_cast<double>(z.slots), others = static_cast<double>(z.chunks - 1);
  if (!p.overlap_gradients) return (others + 1) * slots * bucket;
  const Time around = others * static_cast<double>(s.pipeline_parallel) * slots * pass;
  const Time own = bucket + (slots - 1) * std::max(Time{}, bucket - pass);
  return std::max(own, (others + 1) * slots * bucket - around - (slots - 1) * pass);
}

// By this an exchange and a slot's computation of length `cover` hold each other up.
Time slowdown(const Problem& p, Time exchange, Time cover) {
  if (!p.overlap_gradients) return Time{};
  return p.machine.efficiency.overlap_slowdown * std::min(exchange, cover);
}

// By `slot` each, those slots are longer that follow one whose gradient is complete: in the pass
// itself all but the first.
void slow_last_passes(ExposedOnce& once, const Slots& z, Time slot) {
  const auto slots = static_cast<double>(z.slots);
  if (z.splits)
    once.round = (slots - 1) * slot;
  else
    once.last = (slots - 1) * slot;
  if (z.chunks > 1) once.round = slots * slot;
}

ExposedOnce exposed_once_sharded(const Problem& p, const StageExchange& x, const Slots& z) {
  ExposedOnce once;
  if (!p.overlap_gradients) {
    // All else has been counted in full.
    once.end = static_cast<double>(z.chunks * z.slots) * x.sum + x.ends_sum;
    return once;
  }
  once.start = x.gather + x.ends_gather;
  if (is_training(p.task)) once.end = x.scatter + x.ends_scatter + x.sum + x.ends_sum;
  if (x.sum <= Time{}) return once;
  // Copies are summed behind the last scatters.
  const Time pass = last_pass(z), before = z.splits ? x.scatter : x.gather + x.scatter;
  const Time more = shown(p.machine, before + x.sum, pass) - shown(p.machine, before, pass);
  slow_last_passes(once, z, more);
  return once;
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

ExposedEachMicroBatch exposed_each_micro_batch(const Problem& p, const StageExchange& x,
                                               const Slots& z) {
  ExposedEachMicroBatch exposed;
  if (!x.each_micro_batch) return exposed;
  const auto chunks = static_cast<double>(z.chunks);
  PassTimes& t = exposed.alternating;
  if (!p.overlap_gradients) {
    const double slots = chunks * static_cast<double>(z.slots);
    t.forward = slots * x.gather + x.ends_gather;
    if (training_of(p).through_layers) t.backward = slots * x.gather;
    (z.splits ? t.weight_gradient : t.backward) += slots * x.scatter + x.ends_scatter;
    return exposed;
  }
  const Passes ends(p, x, z, true);
  t = ends.alternating();
  exposed.passing = difference(t, ends.passing());
  exposed.in_a_row = difference(t, ends.in_a_row());
  const PassTimes first_and_last = difference(t, ends.first_and_last());
  exposed.first_and_last = first_and_last.forward + first_and_last.backward;
  if (z.chunks > 1) {
    const Passes others(p, x, z, false);
    auto include = [&](PassTimes& sum, const PassTimes& one) {
      sum.forward += (chunks - 1) * one.forward;
      sum.backward += (chunks - 1) * one.backward;
    };
    const PassTimes u = others.alternating();
    include(t, u);
    include(exposed.passing, difference(u, others.passing()));
    include(exposed.in_a_row, difference(u, others.in_a_row()));
  }
  return exposed;
}

ExposedOnce exposed_once(const Problem& p, const Configuration& c, const StageExchange& x,
                         const Slots& z) {
  ExposedOnce once;
  if (x.each_micro_batch) {
    once = exposed_once_sharded(p, x, z);
  } else {
    once.end = shown_buckets(p, c.strategy, z, x.sum, last_pass(z));
    slow_last_passes(once, z, slowdown(p, x.sum, last_pass(z)));
  }
  once.start += shown_buckets(p, c.strategy, z, x.updated, z.layer.forward);
  // Later stages and chunks have their weights before the first micro-batch comes.
  if (z.first)
    once.first = static_cast<double>(z.slots - 1) * slowdown(p, x.updated, z.layer.forward);
  return once;
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
