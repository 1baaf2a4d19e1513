#include "plan/recommender.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "model/workload.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::Data;
using base::Time;
using base::UserError;
using catalog::Recommender;
using model::Operator;
using model::OperatorKind;

double value(std::int64_t n) { return static_cast<double>(n); }

[[noreturn]] void bad(const std::string& message, const std::string& hint = "") {
  throw UserError("bad-strategy", message, hint);
}

// The strategy as degrees and groups of ranks.
struct Layout {
  ClassStrategy dense, embedding;
  std::int64_t tensor = 1, sharded = 1, replicas = 1;  // replicas: ranks that see other samples
  model::Group tensor_group, shard_group, copy_group;  // copy_group: ranks with the same weights
  LevelKind tables = LevelKind::shard;
  model::Group everyone;
  bool trains_dense = true, trains_tables = true;

  double weights_share() const { return 1 / value(tensor * sharded); }
};

// Ranks of a level whose neighbours stand `stride` devices apart.
model::Group group_of(std::int64_t degree, std::int64_t stride, std::int64_t per_node) {
  return {degree, std::clamp<std::int64_t>(per_node / stride, 1, degree)};
}

const ClassStrategy& class_of(const RecommenderProblem& p, const char* name,
                              const ClassStrategy& otherwise) {
  for (const ClassStrategy& c : p.strategy)
    if (c.layer_class == name) return c;
  return otherwise;
}

void check_classes(const RecommenderProblem& p) {
  for (const ClassStrategy& c : p.strategy)
    if (c.layer_class != "dense" && c.layer_class != "embedding")
      bad(fmt::format("a recommender has no layers of class {}", c.layer_class),
          "its classes are dense and embedding");
}

void add_dense_level(Layout& layout, const StrategyLevel& level, std::int64_t stride,
                     std::int64_t per_node) {
  const model::Group group = group_of(level.degree, stride, per_node);
  switch (level.kind) {
    case LevelKind::tensor:
      layout.tensor = level.degree;
      layout.tensor_group = group;
      return;
    case LevelKind::fsdp:
      layout.sharded = level.degree;
      layout.shard_group = group;
      layout.replicas *= level.degree;
      return;
    case LevelKind::ddp:
      layout.copy_group = group;
      layout.replicas *= level.degree;
      return;
    default:
      bad(fmt::format("dense layers of a recommender cannot be {}", level_name(level.kind)),
          "their levels are ddp, fsdp and tp");
  }
}

Layout layout_of(const RecommenderProblem& p) {
  check_classes(p);
  const std::int64_t per_node = p.system.devices_per_node;
  Layout layout;
  layout.dense =
      with_degrees(class_of(p, "dense", {"dense", {{LevelKind::ddp}}}), p.devices, per_node);
  layout.embedding = with_degrees(class_of(p, "embedding", {"embedding", {{LevelKind::shard}}}),
                                  p.devices, per_node);
  std::int64_t stride = 1;
  for (const StrategyLevel& level : layout.dense.levels) {
    add_dense_level(layout, level, stride, per_node);
    stride *= level.degree;
  }
  if (layout.embedding.levels.size() != 1)
    bad("the tables of a recommender are spread over all devices at one level",
        "embedding=shard, row or column");
  layout.tables = layout.embedding.levels[0].kind;
  if (layout.tables != LevelKind::shard && layout.tables != LevelKind::row &&
      layout.tables != LevelKind::column)
    bad(fmt::format("tables of a recommender cannot be {}", level_name(layout.tables)),
        "embedding=shard (whole tables), row or column");
  layout.everyone = {p.devices, std::min(per_node, p.devices)};
  const bool trains = is_training(p.task);
  layout.trains_dense = trains && !p.frozen.layers;
  layout.trains_tables = trains && !p.frozen.embedding;
  return layout;
}

void check(const RecommenderProblem& p, const Layout& layout) {
  const Recommender& r = *p.shape.recommender;
  if (p.task == Task::decode)
    throw UserError("conflict", "a recommender has no tokens to decode", "use --task prefill");
  if (p.global_batch < 1 || p.global_batch % p.devices != 0 ||
      p.global_batch % layout.replicas != 0)
    bad(fmt::format("global batch {} is not a multiple of {} devices", p.global_batch, p.devices));
  if (r.mlp_width % layout.tensor != 0)
    bad(fmt::format("tp {} does not divide the MLP width {} of {}", layout.tensor, r.mlp_width,
                    p.shape.id));
  if (layout.tables == LevelKind::column && r.embedding_dimension < p.devices)
    bad(fmt::format("embedding=column: {} devices cannot share the {} columns of a table of {}",
                    p.devices, r.embedding_dimension, p.shape.id),
        "embedding=shard or row");
}

// Tables of the fullest device over the mean: whole tables cannot be cut.
double imbalance(const RecommenderProblem& p, const Layout& layout) {
  if (layout.tables != LevelKind::shard) return 1;
  const double mean = value(p.shape.recommender->tables) / value(p.devices);
  return std::ceil(mean) / mean;
}

// Pooled vectors of all tables and samples of one device's share.
Data exchanged(const RecommenderProblem& p, double share) {
  const Recommender& r = *p.shape.recommender;
  return share * value(p.global_batch) * value(r.tables * r.embedding_dimension) *
         p.shape.embedding_bytes * units::B;
}

// A row-wise rank has a part of every pooled vector, which are summed on their way.
Time pooled_exchange(const RecommenderProblem& p, const Layout& layout) {
  if (p.devices == 1) return Time{};
  if (layout.tables == LevelKind::row)
    return model::reduce_scatter(p.machine, layout.everyone, exchanged(p, 1));
  return model::all_to_all(p.machine, layout.everyone,
                           exchanged(p, imbalance(p, layout) / value(p.devices)));
}

// One device's stream of tasks, and the queue of its exchanges.
class Builder {
 public:
  Builder(const RecommenderProblem& p, const Layout& layout)
      : p_(p), layout_(layout), operators_(operators_of(p, layout)) {}

  model::Timeline build() {
    forward();
    if (layout_.trains_dense || layout_.trains_tables) backward();
    return std::move(timeline_);
  }

 private:
  static model::Operators operators_of(const RecommenderProblem& p, const Layout& layout) {
    return model::recommender_operators(p.shape, value(p.global_batch) / value(layout.replicas),
                                        layout.tensor);
  }

  int compute(RecommenderTag tag, Time t) {
    const int task = timeline_.add(0, static_cast<int>(tag), t);
    // Nothing overlaps: computing waits for every exchange that was queued before it.
    if (!p_.overlap && last_exchange_ >= 0) timeline_.depend(task, last_exchange_);
    return last_compute_ = task;
  }
  int exchange(RecommenderTag tag, Time t, int after) {
    const int task = timeline_.add(1, static_cast<int>(tag), t);
    if (after >= 0) timeline_.depend(task, after);
    return last_exchange_ = task;
  }
  void wait(int task, int before) {
    if (before >= 0) timeline_.depend(task, before);
  }

  Time time(const Operator& o) const { return model::operator_time(p_.machine, o); }
  // A device looks up for all samples what it holds of the tables: their share of one device.
  Time lookup_time(Operator o) const {
    const double local = value(layout_.replicas) / value(p_.devices);
    o.bytes *= local * imbalance(p_, layout_);
    return time(o);
  }

  // Weights of one square layer of a device's tensor-parallel part.
  Data layer_bytes(double bytes_of_value) const {
    const double width = value(p_.shape.recommender->mlp_width);
    return width * width / value(layout_.tensor) * bytes_of_value * units::B;
  }
  Time gather_time() const {
    if (layout_.sharded == 1) return Time{};
    return model::all_gather(p_.machine, layout_.shard_group, layer_bytes(p_.shape.dense_bytes));
  }
  Time gradient_time() const {
    Time t;
    const Data gradients = layer_bytes(p_.shape.dense_bytes);
    if (layout_.sharded > 1) t += model::reduce_scatter(p_.machine, layout_.shard_group, gradients);
    if (layout_.copy_group.ranks > 1)
      t += model::all_reduce(p_.machine, layout_.copy_group, gradients / value(layout_.sharded));
    return t;
  }
  // Splitting a layer by rows and the next by columns leaves one sum in two layers.
  bool sums_after(std::int64_t layer) const { return layout_.tensor > 1 && layer % 2 == 1; }
  Time activation_time() const {
    const double samples = value(p_.global_batch) / value(layout_.replicas);
    return model::all_reduce(
        p_.machine, layout_.tensor_group,
        samples * value(p_.shape.recommender->mlp_width) * p_.shape.dense_bytes * units::B);
  }

  // Layers gather their weights one ahead of the computation.
  void layers(std::int64_t number, Time each, bool backward) {
    for (std::int64_t i = 0; i < number; ++i) {
      const int gathered =
          layout_.sharded > 1 ? exchange(RecommenderTag::weight_gather, gather_time(), before_last_)
                              : -1;
      before_last_ = last_compute_;
      const int task = compute(RecommenderTag::matmul, each);
      wait(task, gathered);
      wait(task, pending_);
      pending_ = sums_after(i)
                     ? exchange(RecommenderTag::activation_exchange, activation_time(), task)
                     : -1;
      if (backward && layout_.trains_dense && layout_.replicas > 1)
        gradients_ = exchange(RecommenderTag::gradient_exchange, gradient_time(), task);
    }
  }

  Time layer_time(const std::vector<Operator>& list, const char* first, const char* second) const {
    Time t;
    bool one = false, two = second == nullptr;
    for (const Operator& o : list) {
      const std::string_view name = o.name;
      if (!one && name == first) t += time(o), one = true;
      if (!two && name == second) t += time(o), two = true;
    }
    return t;
  }
  const Operator& find(const std::vector<Operator>& list, OperatorKind kind) const {
    const auto at =
        std::find_if(list.begin(), list.end(), [&](const Operator& o) { return o.kind == kind; });
    GL_CHECK_EQ(at != list.end(), true);
    return *at;
  }
  Time interaction_time(const std::vector<Operator>& list) const {
    const bool dot = p_.shape.recommender->interaction == catalog::Interaction::dot;
    return time(find(list, dot ? OperatorKind::attention : OperatorKind::elementwise));
  }

  void forward() {
    const Recommender& r = *p_.shape.recommender;
    const auto& list = operators_.forward;
    compute(RecommenderTag::lookup, lookup_time(find(list, OperatorKind::lookup)));
    const int pooled =
        exchange(RecommenderTag::all_to_all, pooled_exchange(p_, layout_), last_compute_);
    layers(r.bottom_layers, layer_time(list, "bottom MLP", nullptr), false);
    const int joined = compute(RecommenderTag::interaction, interaction_time(list));
    wait(joined, pooled);
    wait(joined, std::exchange(pending_, -1));
    layers(r.top_layers, layer_time(list, "top MLP", nullptr), false);
  }

  void backward() {
    const Recommender& r = *p_.shape.recommender;
    const auto& list = operators_.backward;
    // A frozen layer passes gradients on and has none of its own.
    const Time layer =
        layer_time(list, "input gradient", layout_.trains_dense ? "weight gradient" : nullptr);
    layers(r.top_layers, layer, true);
    const int apart = compute(RecommenderTag::interaction, interaction_time(list));
    wait(apart, std::exchange(pending_, -1));
    const int pooled = layout_.trains_tables ? exchange(RecommenderTag::all_to_all,
                                                        pooled_exchange(p_, layout_), apart)
                                             : -1;
    if (layout_.trains_dense) layers(r.bottom_layers, layer, true);
    if (layout_.trains_tables) {
      const int update =
          compute(RecommenderTag::update, lookup_time(find(list, OperatorKind::lookup)));
      wait(update, pooled);
    }
    if (layout_.trains_dense) {
      const int step = compute(RecommenderTag::optimizer, optimizer_time());
      wait(step, gradients_);
      wait(step, pending_);
    }
  }

  // Adam in fp32 reads gradient, weight and two moments and writes the last three.
  Time optimizer_time() const {
    const Recommender& r = *p_.shape.recommender;
    const double width = value(r.mlp_width);
    const double weights =
        value(r.bottom_layers + r.top_layers) * width * width * layout_.weights_share();
    return p_.machine.efficiency.kernel_overhead +
           7 * 4 * weights * units::B /
               (p_.machine.efficiency.memory * p_.machine.memory_bandwidth);
  }

  const RecommenderProblem& p_;
  const Layout& layout_;
  model::Operators operators_;
  model::Timeline timeline_;
  int last_compute_ = -1, before_last_ = -1, last_exchange_ = -1, pending_ = -1, gradients_ = -1;
};

Memory memory_of(const RecommenderProblem& p, const Layout& layout) {
  const Recommender& r = *p.shape.recommender;
  const double width = value(r.mlp_width), layers = value(r.bottom_layers + r.top_layers);
  const double dense = layers * width * width * layout.weights_share();
  const double tables = value(r.tables) / value(p.devices) * imbalance(p, layout);
  const double rows = value(r.rows_per_table);
  const double samples = value(p.global_batch) / value(layout.replicas);
  const double vectors = value((r.tables + 1) * r.embedding_dimension) * p.shape.embedding_bytes;

  Memory m;
  m.weights = (dense * p.shape.dense_bytes +
               tables * rows * value(r.embedding_dimension) * p.shape.embedding_bytes) *
              units::B;
  if (layout.trains_dense) {
    m.gradients = 4 * dense * units::B;
    // Two moments, and the fp32 weight where the weight itself is shorter.
    m.optimizer = (p.shape.dense_bytes < 4 ? 12 : 8) * dense * units::B;
  }
  if (layout.trains_tables) m.optimizer += 4 * tables * rows * units::B;  // of row-wise Adagrad
  const double kept = is_training(p.task) ? layers : 1;
  m.activations =
      samples * (kept * width / value(layout.tensor) * p.shape.dense_bytes + vectors) * units::B;
  m.buffers = 2 * exchanged(p, imbalance(p, layout) /
                                   (layout.tables == LevelKind::row ? 1 : value(p.devices)));
  if (layout.sharded > 1)
    m.buffers += 2 * width * width / value(layout.tensor) * p.shape.dense_bytes * units::B;
  m.capacity = p.system.device.memory;
  m.reserve = p.memory_reserve * m.capacity;
  return m;
}

void set_times(RecommenderPlan& plan) {
  plan.time.assign(kNumRecommenderTags, Time{});
  for (int i = 0; i < plan.timeline.num_tasks(); ++i)
    plan.time[static_cast<std::size_t>(plan.timeline.tag(i))] += plan.timeline.duration(i);
  const auto of = [&](RecommenderTag tag) { return plan.time[static_cast<std::size_t>(tag)]; };
  plan.iteration = plan.schedule.makespan;
  plan.communication = of(RecommenderTag::all_to_all) + of(RecommenderTag::activation_exchange) +
                       of(RecommenderTag::weight_gather) + of(RecommenderTag::gradient_exchange);
  const Time compute = of(RecommenderTag::matmul);
  const Time memory = of(RecommenderTag::lookup) + of(RecommenderTag::interaction) +
                      of(RecommenderTag::update) + of(RecommenderTag::optimizer);
  // The compute stream waits for nothing but exchanges.
  // Rounding of the sums is not communication.
  plan.exposed_communication =
      std::clamp(plan.iteration - compute - memory, Time{}, plan.communication);
  plan.busy = {compute / plan.iteration, memory / plan.iteration,
               plan.exposed_communication / plan.iteration, 0};
}

}  // namespace

const char* recommender_tag_name(RecommenderTag tag) {
  constexpr const char* kNames[kNumRecommenderTags] = {
      "matrix products",  "embedding lookups", "feature interaction", "row updates",
      "optimizer",        "pooled vectors",    "activation sums",     "gathering of weights",
      "gradient exchange"};
  return kNames[static_cast<int>(tag)];
}

std::string why_impossible(const RecommenderProblem& p) {
  try {
    check(p, layout_of(p));
  } catch (const UserError& e) {
    if (e.code() != "bad-strategy") throw;
    return e.message();
  }
  return "";
}

Memory recommender_memory(const RecommenderProblem& p) {
  const Layout layout = layout_of(p);
  check(p, layout);
  return memory_of(p, layout);
}

RecommenderPlan recommender_plan(const RecommenderProblem& p) {
  GL_CHECK_EQ(p.shape.recommender.has_value(), true);
  const Layout layout = layout_of(p);
  check(p, layout);
  RecommenderPlan plan;
  plan.strategy = {layout.dense, layout.embedding};
  plan.local_batch = p.global_batch / layout.replicas;
  plan.table_imbalance = imbalance(p, layout);
  plan.timeline = Builder(p, layout).build();
  plan.schedule = plan.timeline.run();
  plan.names.processors = {"compute", "communication"};
  for (int tag = 0; tag < kNumRecommenderTags; ++tag)
    plan.names.tags.emplace_back(recommender_tag_name(static_cast<RecommenderTag>(tag)));
  set_times(plan);
  plan.memory = memory_of(p, layout);
  return plan;
}

}  // namespace greenline::plan
