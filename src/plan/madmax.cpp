#include "plan/madmax.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "plan/madmax_levels.hpp"
#include "plan/madmax_schedule.hpp"
#include "plan/madmax_workload.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::Bandwidth;
using base::Data;
using base::Time;
using base::UserError;

constexpr std::int64_t kMostDevices = 1'000'000, kMostBatch = 1'000'000'000'000;

double value(std::int64_t n) { return static_cast<double>(n); }

[[noreturn]] void not_published(const std::string& message, const char* hint) {
  throw base::UnsupportedError("not-published", message, hint);
}

void check(const MadmaxProblem& p) {
  const std::int64_t node = p.system.devices_per_node;
  if (p.devices < 2 || p.devices > kMostDevices)
    throw UserError("out-of-range",
                    fmt::format("{} devices: expected 2 to {}", p.devices, kMostDevices));
  if (p.devices > node && p.devices % node != 0)
    throw UserError("out-of-range", fmt::format("{} devices are not a whole number of {} nodes "
                                                "of {}",
                                                p.devices, p.system.id, node));
  if (p.global_batch < 1 || p.global_batch > kMostBatch)
    throw UserError("out-of-range",
                    fmt::format("global batch {}: expected 1 to {}", p.global_batch, kMostBatch));
  constexpr const char* kTasks = "they cover --task pretrain and prefill, one forward pass";
  if (p.task == Task::finetune)
    not_published("MAD-Max names frozen layers but gives no equations for them", kTasks);
  if (p.task == Task::decode)
    not_published("MAD-Max has no key-value cache: it can't decode", kTasks);
  if (p.prefetch && p.shape.recommender)
    not_published("MAD-Max has one order of gathering weights for recommenders",
                  "leave --prefetch out");
}

std::int64_t local_batch(std::int64_t global, std::int64_t replicas, const ClassStrategy& s) {
  if (global % replicas == 0) return global / replicas;
  throw UserError("bad-strategy",
                  fmt::format("strategy {}: global batch {} is not a multiple of its {} replicas",
                              class_strategy_text({s}), global, replicas));
}

// What moves and computes, at the rates that a run reaches. Collectives of a strategy of one level
// cross the whole machine; of two levels, the first stays within a node.
struct Rates {
  base::WorkRate compute;
  Bandwidth memory;
  std::array<Bandwidth, 2> all_to_all, all_reduce;  // within a node, across nodes

  Bandwidth gather(std::size_t at) const { return 2 * all_reduce[at]; }
};

Rates rates_of(const MadmaxProblem& p) {
  const MadmaxSystem& s = p.system;
  const auto bytes = static_cast<int>(p.shape.dense_bytes);
  const std::optional<base::WorkRate>& peak = bytes == 8   ? s.fp64
                                              : bytes == 4 ? s.fp32
                                              : bytes == 2 ? s.fp16
                                                           : s.int8;
  if (!peak)
    throw UserError("no-peak", fmt::format("{} has no rate for the {}-byte dense values of {}",
                                           s.device, bytes, p.shape.id));
  const Bandwidth intra = s.intra * s.intra_utilisation, inter = s.inter * s.inter_utilisation;
  const double share = s.allreduce_intra_share;
  Rates r{*peak * s.compute_utilisation,
          s.memory_bandwidth * s.memory_utilisation,
          {intra, inter},
          {intra, share * intra + (1 - share) * inter}};
  if (p.devices <= s.devices_per_node) r.all_to_all[1] = r.all_reduce[1] = intra;
  return r;
}

// The entry of Rates that level `i` of `n` uses.
std::size_t reach(std::size_t i, std::size_t n) { return 2 - n + i; }

class Timing {
 public:
  Timing(const MadmaxProblem& p, const MadmaxWorkload& w, const MadmaxLevels& levels,
         const MadmaxPlan& plan)
      : p_(p), w_(w), levels_(levels), plan_(plan), rates_(rates_of(p)) {}

  MadmaxTimes times() const {
    MadmaxTimes t;
    for (const MadmaxLayer& layer : w_.layers) t.layers.push_back(times_of(layer));
    t.first_after_embedding = w_.first_after_embedding;
    const Data looked_up = looked_up_by_device();
    t.lookup = looked_up / rates_.memory;
    if (levels_.embedding_is_sharded())
      t.exchange =
          2 * (looked_up / value(levels_.embedding.levels[0].degree)) / rates_.all_to_all[1];
    else
      t.reduce_lookup = looked_up / rates_.all_reduce[1];
    t.embedding_closes_backward = !p_.shape.recommender;
    t.trains = p_.task == Task::pretrain;
    t.prefetch = plan_.prefetch;
    return t;
  }

 private:
  Data looked_up_by_device() const {
    const Data all = w_.lookup * value(plan_.local_embedding_batch);
    return levels_.embedding_is_sharded() ? all / value(levels_.embedding.levels[0].degree) : all;
  }

  Data weights(double parameters) const { return parameters * p_.shape.dense_bytes * units::B; }

  Time reduce_activation(std::size_t level) const {
    const Data values = weights(value(plan_.local_dense_batch) * w_.activations);
    return values / rates_.all_reduce[reach(level, levels_.dense.levels.size())];
  }

  // The gathered buffer, of this level's degree.
  Time gather(const MadmaxLayer& layer) const {
    const auto& dense = levels_.dense.levels;
    return weights(layer.parameters / value(levels_.shards()) * value(dense[0].degree)) /
           rates_.gather(reach(0, dense.size()));
  }

  MadmaxLayerTimes times_of(const MadmaxLayer& layer) const {
    MadmaxLayerTimes t;
    t.block = layer.block;
    const base::Work work =
        2 * layer.parameters * w_.tokens * value(plan_.local_dense_batch) * units::FLOP;
    t.forward = work / value(levels_.tensor()) / rates_.compute;
    t.backward = 2 * t.forward;
    const auto& dense = levels_.dense.levels;
    if (dense[0].kind == LevelKind::fsdp) t.gather = gather(layer);
    // As published: a gradient is reduced whole once the levels within have been walked over.
    double shards = value(levels_.shards());
    for (std::size_t i = 0; i < dense.size(); ++i) {
      const auto& [kind, degree] = dense[i];
      if (kind == LevelKind::tensor) {
        if (layer.reduces_forward) t.reduce_activation = reduce_activation(i);
        if (layer.reduces_backward)
          t.after_backward.push_back({MadmaxTag::all_reduce, reduce_activation(i), true});
      } else if (kind == LevelKind::fsdp) {
        t.after_backward.push_back({MadmaxTag::reduce_scatter, gather(layer), false});
      } else {
        t.after_backward.push_back(
            {MadmaxTag::all_reduce,
             weights(layer.parameters / shards) / rates_.all_reduce[reach(i, dense.size())],
             false});
      }
      if (kind != LevelKind::ddp) shards /= value(degree);
    }
    return t;
  }

  const MadmaxProblem& p_;
  const MadmaxWorkload& w_;
  const MadmaxLevels& levels_;
  const MadmaxPlan& plan_;
  Rates rates_;
};

// Mixed-precision Adam of korthikanti2022 for 16-bit weights; of wider ones the weight is its own
// master copy.
MadmaxMemory memory_of(const MadmaxProblem& p, const MadmaxWorkload& w,
                       const MadmaxLevels& levels) {
  const double dense = madmax_dense_parameters(w) / value(levels.shards());
  const double tables =
      levels.embedding_is_sharded() ? value(levels.embedding.levels[0].degree) : 1;
  const double bytes = p.shape.dense_bytes;
  MadmaxMemory m;
  m.capacity = p.system.memory;
  m.dense_weights = dense * bytes * units::B;
  m.embedding_weights = w.embedding_parameters / tables * p.shape.embedding_bytes * units::B;
  if (!is_training(p.task)) return m;
  m.dense_gradients = dense * std::max(bytes, 4.0) * units::B;
  m.dense_optimizer = dense * (bytes < 4 ? 12 : 2 * bytes) * units::B;
  m.embedding_optimizer = 4 * w.embedding_rows / tables * units::B;
  return m;
}

std::vector<std::string> notices_of(const MadmaxProblem& p, const MadmaxLevels& levels) {
  std::vector<std::string> out;
  if (p.shape.kind == catalog::ModelKind::vision && p.task == Task::pretrain &&
      levels.dense.levels[0].kind != LevelKind::fsdp)
    out.emplace_back(
        "the authors' program adds an all-gather here that no publication describes; it is not in "
        "this time");
  if (!p.shape.recommender && p.shape.mlp == catalog::Mlp::swiglu)
    out.emplace_back("MAD-Max counts two of the three matrices of a SwiGLU layer");
  return out;
}

void sum_by_tag(MadmaxPlan& plan) {
  std::array<Time, kNumMadmaxTags> sums{};
  for (int i = 0; i < plan.timeline.num_tasks(); ++i)
    sums[static_cast<std::size_t>(plan.timeline.tag(i))] += plan.timeline.duration(i);
  const auto of = [&](MadmaxTag tag) { return sums[static_cast<std::size_t>(tag)]; };
  plan.gemm = of(MadmaxTag::gemm);
  plan.embedding = of(MadmaxTag::embedding);
  plan.all_to_all = of(MadmaxTag::all_to_all);
  plan.all_reduce = of(MadmaxTag::all_reduce);
  plan.all_gather = of(MadmaxTag::all_gather);
  plan.reduce_scatter = of(MadmaxTag::reduce_scatter);
}

}  // namespace

const char* madmax_tag_name(MadmaxTag tag) {
  constexpr const char* kNames[kNumMadmaxTags] = {"matrix products", "embedding lookups",
                                                  "all-to-all",      "all-reduce",
                                                  "all-gather",      "reduce-scatter"};
  return kNames[static_cast<int>(tag)];
}

MadmaxPlan madmax(const MadmaxProblem& p) {
  check(p);
  const MadmaxWorkload workload = madmax_workload(p.shape);
  const MadmaxLevels levels = madmax_levels(p);
  MadmaxPlan plan;
  plan.strategy = {levels.dense, levels.embedding};
  plan.local_dense_batch = local_batch(p.global_batch, levels.replicas(), levels.dense);
  plan.local_embedding_batch = levels.embedding_is_sharded()
                                   ? p.global_batch
                                   : local_batch(p.global_batch, p.devices, levels.embedding);
  plan.prefetch = levels.dense.levels[0].kind == LevelKind::fsdp &&
                  p.prefetch.value_or(p.shape.kind == catalog::ModelKind::vision);
  MadmaxTasks tasks = madmax_tasks(Timing(p, workload, levels, plan).times());
  plan.timeline = std::move(tasks.timeline);
  plan.blocks = std::move(tasks.blocks);
  plan.schedule = plan.timeline.run();
  plan.iteration = plan.schedule.makespan;
  sum_by_tag(plan);
  plan.throughput = value(p.global_batch) / plan.iteration;
  plan.memory = memory_of(p, workload, levels);
  plan.notices = notices_of(p, levels);
  return plan;
}

}  // namespace greenline::plan
