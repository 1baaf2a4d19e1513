#include "plan/timeline_stage.hpp"

#include <algorithm>

#include "plan/data_exchange.hpp"
#include "plan/stage_time.hpp"

namespace greenline::plan {
namespace {

using base::Time;

// Computation of a pass through a slot, and the exchanges inside it: what shows of them, and what
// runs beside the computation.
struct PassTasks {
  Time compute;
  ExchangeTime shown, hidden;
  Time total() const { return compute + shown.total(); }
};

ExchangeTime scaled(const ExchangeTime& t, double factor) {
  return {factor * t.tensor, factor * t.context, factor * t.experts};
}

void add(PassTasks& sum, const PassTasks& t, double times) {
  sum.compute += times * t.compute;
  for (const auto part : {&PassTasks::shown, &PassTasks::hidden}) {
    const ExchangeTime x = scaled(t.*part, times);
    ExchangeTime& to = sum.*part;
    to = {to.tensor + x.tensor, to.context + x.context, to.experts + x.experts};
  }
}

struct LayerTasks {
  PassTasks forward, recompute, backward;
  Time weight_gradient;
};

LayerTasks layer_tasks(const LayerCost& cost, const Training& training, Recompute recompute) {
  LayerTasks t;
  t.forward = {cost.forward.total(), cost.forward_exchange, cost.forward_hidden};
  if (!training.through_layers) return t;
  t.backward = {cost.backward.total(), cost.backward_exchange, cost.backward_hidden};
  if (training.layers) t.weight_gradient = cost.weight_gradient.total();
  if (recompute == Recompute::full) t.recompute = t.forward;
  if (recompute == Recompute::selective) {
    t.recompute.compute = cost.selective.total();
    t.recompute.shown.tensor = cost.selective_exchange;
    // What the recomputation is too short to hide runs beside the rest of the backward pass.
    t.recompute.hidden.tensor = std::min(cost.selective_hidden, t.recompute.compute);
    t.backward.hidden.tensor += cost.selective_hidden - t.recompute.hidden.tensor;
  }
  return t;
}

// Of a stage's mean layer, as many of them as a slot is worth.
LayerTasks mean_layer(const Costs& x, const Configuration& c, const StageKind& kind,
                      const Slots& slots) {
  const Training training = training_of(x.problem);
  const auto all_slots = static_cast<double>(slots.chunks * slots.slots);
  LayerTasks mean;
  const auto include = [&](const LayerCost& cost, double layers) {
    if (layers == 0) return;
    const LayerTasks t = layer_tasks(cost, training, c.recompute);
    const double times = layers / all_slots;
    add(mean.forward, t.forward, times);
    add(mean.recompute, t.recompute, times);
    add(mean.backward, t.backward, times);
    mean.weight_gradient += times * t.weight_gradient;
  };
  include(x.slice.dense, kind.dense_layers);
  include(x.slice.experts, kind.expert_layers);
  return mean;
}

PassTasks with_tensor_exchange(Time compute, Time exchange) {
  PassTasks t;
  t.compute = compute;
  t.shown.tensor = exchange;
  return t;
}

struct EndTasks {
  PassTasks forward, backward;
  Time weight_gradient;
};

EndTasks embedding_tasks(const EndCost& cost, const Training& training) {
  EndTasks t;
  t.forward = with_tensor_exchange(cost.forward.total(), cost.exchange);
  if (training.embedding)
    t.backward = with_tensor_exchange(cost.backward.total() + cost.weight_gradient.total(), Time{});
  return t;
}

EndTasks head_tasks(const EndCost& cost, const Training& training) {
  EndTasks t;
  t.forward = with_tensor_exchange(cost.forward.total(), Time{});
  if (!training.any()) return t;
  t.backward =
      with_tensor_exchange(cost.backward.total(), training.through_layers ? cost.exchange : Time{});
  if (training.head) t.weight_gradient = cost.weight_gradient.total();
  return t;
}

// A pass through a slot, in the order of the stage.
struct SlotPass {
  Piece piece;
  double slots = 1;                // of the chunk that run as one
  bool first = true, last = true;  // of the piece
};

class StageBuilder {
 public:
  StageBuilder(model::Timeline& timeline, const Costs& costs, const Configuration& c,
               const PipelineShape& shape, const StageKind& kind, std::int64_t stage)
      : timeline_(timeline),
        problem_(costs.problem),
        shape_(shape),
        kind_(kind),
        stage_(stage),
        training_(training_of(problem_)),
        slots_(slots_of(costs, c, kind)),
        exchange_(stage_exchange(costs, c, kind, slots_)),
        layer_(mean_layer(costs, c, kind, slots_)),
        embedding_(embedding_tasks(costs.slice.embedding, training_)),
        head_(head_tasks(costs.slice.head, training_)) {}

  StageTasks build(bool by_layer) {
    plan(by_layer || exchange_.each_micro_batch);
    result_.pieces.resize(3 * static_cast<std::size_t>(shape_.chunks * shape_.micro_batches));
    arrives_.assign(plan_.size(), -1);
    gone_.assign(plan_.size(), -1);
    if (exchange_.updated > Time{}) gather_updated();
    if (gathers_beside()) gather(next_gathering(0), 1);
    for (std::size_t i = 0; i < plan_.size(); ++i) run(i);
    if (!plan_.empty()) leave(plan_.size() - 1, 1);
    if (!problem_.overlap_gradients) sum_at_the_end();
    result_.ends = heads_;
    if (newest_data_ >= 0) result_.ends.push_back(newest_data_);
    return std::move(result_);
  }

 private:
  void plan(bool by_layer) {
    for (const Piece& piece : stage_order(shape_, stage_)) {
      const bool at_ends = piece.micro_batch == 0 || piece.micro_batch == shape_.micro_batches - 1;
      const std::int64_t tasks = by_layer || at_ends ? slots_.slots : 1;
      for (std::int64_t k = 0; k < tasks; ++k)
        plan_.push_back({piece, static_cast<double>(slots_.slots) / static_cast<double>(tasks),
                         k == 0, k + 1 == tasks});
    }
  }

  // Weights of embedding and head are gathered and scattered at once.
  bool holds_ends(const Piece& x) const {
    return (kind_.embedding && x.chunk == 0) || (kind_.head && x.chunk == shape_.chunks - 1);
  }
  bool sends(const Piece& x) const {
    if (x.pass == Pass::forward) return !kind_.head || x.chunk < shape_.chunks - 1;
    return x.pass == Pass::backward && (!kind_.embedding || x.chunk > 0);
  }
  // Does a neighbour wait, or is waited for?
  bool passes_on(const Piece& x) const {
    if (shape_.stages == 1 || x.pass == Pass::weight_gradient) return false;
    return x.pass == Pass::forward || training_.through_layers;
  }

  // ---- computation and the exchanges inside it: one chain ----

  int add_task(StageProcessor processor, TimelineTag tag, Time duration) {
    return timeline_.add(processor_of(stage_, processor), static_cast<int>(tag), duration);
  }
  int chain(StageProcessor processor, TimelineTag tag, Time duration) {
    const int id = add_task(processor, tag, duration);
    for (const int head : heads_) timeline_.depend(id, head);
    for (const int need : needs_) timeline_.depend(id, need);
    needs_.clear();
    heads_.assign(1, id);
    if (opening_ >= 0 && result_.pieces[static_cast<std::size_t>(opening_)].first < 0)
      result_.pieces[static_cast<std::size_t>(opening_)].first = id;
    return id;
  }
  // An exchange beside `hidden` of the computation.
  void overlapped(TimelineTag tag, TimelineTag beside, Time exchange, Time hidden) {
    if (exchange <= Time{}) return;
    if (hidden <= Time{}) {
      chain(StageProcessor::exchange, tag, exchange);
      return;
    }
    const std::vector<int> before = heads_;
    const int computing = chain(StageProcessor::compute, beside, hidden);
    heads_ = before;
    const int exchanging = chain(StageProcessor::exchange, tag, exchange);
    heads_ = {computing, exchanging};
  }
  void pass(const PassTasks& t, TimelineTag tag, double times, Time slower = {}) {
    const Time beside = t.hidden.tensor + t.hidden.context;
    const Time alone = times * std::max(Time{}, t.compute - beside) + slower;
    if (alone > Time{} || t.total() <= Time{}) chain(StageProcessor::compute, tag, alone);
    overlapped(TimelineTag::context_exchange, tag, times * (t.shown.context + t.hidden.context),
               times * t.hidden.context);
    overlapped(TimelineTag::tensor_exchange, tag, times * (t.shown.tensor + t.hidden.tensor),
               times * t.hidden.tensor);
    overlapped(TimelineTag::expert_exchange, tag, times * t.shown.experts, Time{});
  }

  void compute(const SlotPass& s, Time slower) {
    switch (s.piece.pass) {
      case Pass::forward:
        if (s.first && kind_.embedding) pass(embedding_.forward, TimelineTag::forward, share());
        pass(layer_.forward, TimelineTag::forward, s.slots, slower);
        if (s.last && kind_.head) pass(head_.forward, TimelineTag::forward, share());
        return;
      case Pass::backward:
        if (s.first && kind_.head) pass(whole_head(), TimelineTag::backward, share());
        if (layer_.recompute.total() > Time{})
          pass(layer_.recompute, TimelineTag::recompute, s.slots);
        pass(whole_backward(), TimelineTag::backward, s.slots, slower);
        if (s.last && kind_.embedding) pass(embedding_.backward, TimelineTag::backward, share());
        return;
      case Pass::weight_gradient:
        chain(StageProcessor::compute, TimelineTag::weight_gradient,
              s.slots * layer_.weight_gradient + slower +
                  (s.first && kind_.head ? share() * head_.weight_gradient : Time{}));
        return;
    }
  }
  // Embedding and head are spread evenly over a stage's chunks, like its layers.
  double share() const { return 1 / static_cast<double>(shape_.chunks); }
  // With weight gradients where they are no pass of their own.
  PassTasks whole_backward() const {
    PassTasks t = layer_.backward;
    if (!slots_.splits) t.compute += layer_.weight_gradient;
    return t;
  }
  PassTasks whole_head() const {
    PassTasks t = head_.backward;
    if (!slots_.splits) t.compute += head_.weight_gradient;
    return t;
  }
  Time length(const SlotPass& s) const {
    Time t;
    if (s.piece.pass == Pass::forward) {
      t = s.slots * layer_.forward.total();
      if (s.first && kind_.embedding) t += share() * embedding_.forward.total();
      if (s.last && kind_.head) t += share() * head_.forward.total();
    } else if (s.piece.pass == Pass::backward) {
      t = s.slots * (layer_.recompute.total() + whole_backward().total());
      if (s.first && kind_.head) t += share() * whole_head().total();
      if (s.last && kind_.embedding) t += share() * embedding_.backward.total();
    } else {
      t = s.slots * layer_.weight_gradient;
      if (s.first && kind_.head) t += share() * head_.weight_gradient;
    }
    return s.last && passes_on(s.piece) ? t + slots_.send : t;
  }

  // ---- exchanges with data-parallel ranks ----

  bool gathers_beside() const { return exchange_.gather > Time{} && problem_.overlap_gradients; }
  bool gathers(const SlotPass& s) const {
    if (exchange_.gather <= Time{}) return false;
    return s.piece.pass == Pass::forward ||
           (s.piece.pass == Pass::backward && training_.through_layers);
  }
  bool completes_gradients(const SlotPass& s) const {
    return s.piece.pass == (slots_.splits ? Pass::weight_gradient : Pass::backward);
  }
  Time gather_time(const SlotPass& s) const {
    const bool ends = s.first && s.piece.pass == Pass::forward && holds_ends(s.piece);
    return s.slots * exchange_.gather + (ends ? exchange_.ends_gather : Time{});
  }
  Time scatter_time(const SlotPass& s) const {
    if (!completes_gradients(s)) return Time{};
    const bool ends = s.last && holds_ends(s.piece);
    const Time layer = training_.through_layers ? s.slots * exchange_.scatter : Time{};
    return layer + (ends ? exchange_.ends_scatter : Time{});
  }
  Time sum_time(const SlotPass& s) const {
    if (!completes_gradients(s) || s.piece.micro_batch != shape_.micro_batches - 1) return Time{};
    const bool ends = s.last && holds_ends(s.piece);
    return s.slots * exchange_.sum + (ends ? exchange_.ends_sum : Time{});
  }
  // By this a computation and what is exchanged beside it hold each other up.
  Time slowdown(Time load, Time cover) const {
    return problem_.machine.efficiency.overlap_slowdown * std::min(load, cover);
  }

  // In the order in which they are added; `after` is what they wait for.
  void exchange(TimelineTag tag, Time duration, const std::vector<int>& after) {
    if (duration <= Time{}) return;
    newest_data_ = add_task(StageProcessor::data, tag, duration);
    for (const int before : after) timeline_.depend(newest_data_, before);
  }
  void gather(std::size_t slot, double stretch) {
    if (slot >= plan_.size()) return;
    exchange(TimelineTag::gather, stretch * gather_time(plan_[slot]), heads_);
    arrives_[slot] = newest_data_;
  }
  // What a slot has left: gradients to scatter and to sum.
  void leave(std::size_t slot, double stretch) {
    if (!problem_.overlap_gradients) return;
    const SlotPass& s = plan_[slot];
    exchange(TimelineTag::scatter, stretch * scatter_time(s), heads_);
    if (exchange_.each_micro_batch && scatter_time(s) > Time{}) gone_[slot] = newest_data_;
    exchange(TimelineTag::gradient_exchange, stretch * sum_time(s), heads_);
  }
  // Updated weights of the iteration before, one slot after the other.
  void gather_updated() {
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      const SlotPass& s = plan_[i];
      if (s.piece.pass != Pass::forward || s.piece.micro_batch != 0) continue;
      const bool slows = problem_.overlap_gradients && is_first_forward(s) && i > 0;
      const Time t = s.slots * exchange_.updated;
      exchange(TimelineTag::gather, slows ? t + slowdown(t, length(s)) : t, {});
      arrives_[i] = newest_data_;
    }
    if (problem_.overlap_gradients) return;
    for (std::size_t i = 0; i < plan_.size(); ++i)
      if (arrives_[i] >= 0) arrives_[i] = newest_data_;
  }
  void sum_at_the_end() {
    Time sum;
    for (const SlotPass& s : plan_) sum += sum_time(s);
    exchange(TimelineTag::gradient_exchange, sum, heads_);
  }

  // The next slot whose weights are gathered, from slot i on.
  std::size_t next_gathering(std::size_t i) const {
    while (i < plan_.size() && !gathers(plan_[i])) ++i;
    return i;
  }

  void run(std::size_t i) {
    const SlotPass& s = plan_[i];
    // Its weights are here or on their way: those of the next one follow.
    const std::size_t next = gathers_beside() && gathers(s) ? next_gathering(i + 1) : plan_.size();
    const bool gathers_next = next < plan_.size();
    Time load, sums;
    if (problem_.overlap_gradients) {
      if (i > 0) sums = sum_time(plan_[i - 1]);
      if (i > 0) load = scatter_time(plan_[i - 1]);
      if (gathers_next) load += gather_time(plan_[next]);
      if (i + 1 < plan_.size() && is_first_forward(plan_[i + 1]))
        load += plan_[i + 1].slots * exchange_.updated;
    }
    const Time slower = slowdown(backlog_ + load + sums, length(s));
    load += sums;
    const double stretch = load > Time{} ? 1 + slower / load : 1;
    // Nothing waits for sums of gradients alone.
    backlog_ = exchange_.each_micro_batch ? Time{} : std::max(Time{}, backlog_ + sums - length(s));
    if (i > 0) leave(i - 1, stretch);
    if (gathers_next) gather(next, stretch);

    open(s);
    if (gathers(s) && !problem_.overlap_gradients)
      chain(StageProcessor::data, TimelineTag::gather, gather_time(s));
    if (arrives_[i] >= 0) needs_.push_back(arrives_[i]);
    if (i >= 2 && gone_[i - 2] >= 0) needs_.push_back(gone_[i - 2]);
    compute(s, slower);
    if (const Time t = scatter_time(s); t > Time{} && !problem_.overlap_gradients)
      chain(StageProcessor::data, TimelineTag::scatter, t);
    close(s);
  }
  // Of the chunk that has no time to gather updated weights while it waits.
  bool is_first_forward(const SlotPass& s) const {
    return kind_.embedding && s.piece == Piece{Pass::forward, 0, 0};
  }

  // ---- neighbours ----

  void open(const SlotPass& s) {
    if (!s.first) return;
    opening_ = static_cast<std::int64_t>(piece_index(shape_, s.piece));
    if (passes_on(s.piece) && !sends(s.piece) && slots_.send > Time{}) {
      chain(StageProcessor::send, TimelineTag::send, slots_.send);
      result_.pieces[static_cast<std::size_t>(opening_)].receives = true;
    }
  }
  void close(const SlotPass& s) {
    if (!s.last) return;
    PieceTasks& piece = result_.pieces[piece_index(shape_, s.piece)];
    // Two heads: an exchange and the computation beside it.
    if (heads_.size() > 1) chain(StageProcessor::compute, tag_of(s.piece), Time{});
    piece.computed = piece.sent = heads_.front();
    if (passes_on(s.piece) && sends(s.piece) && slots_.send > Time{})
      piece.sent = chain(StageProcessor::send, TimelineTag::send, slots_.send);
  }
  static TimelineTag tag_of(const Piece& x) {
    return x.pass == Pass::forward ? TimelineTag::forward : TimelineTag::backward;
  }

  model::Timeline& timeline_;
  const Problem& problem_;
  const PipelineShape& shape_;
  StageKind kind_;
  std::int64_t stage_;
  Training training_;
  Slots slots_;
  StageExchange exchange_;
  LayerTasks layer_;
  EndTasks embedding_, head_;

  StageTasks result_;
  std::vector<SlotPass> plan_;
  std::vector<int> arrives_;  // (num_slots) task that brings a slot's weights, -1: none
  std::vector<int> gone_;     // (num_slots) task that takes its gradient away, -1: none
  std::vector<int> heads_;    // ends of the chain
  std::vector<int> needs_;    // what its next task waits for as well
  std::int64_t opening_ = -1;
  int newest_data_ = -1;
  Time backlog_;  // exchanges that no slot has hidden yet
};

}  // namespace

const char* timeline_tag_name(TimelineTag tag) {
  constexpr const char* kNames[kNumTimelineTags] = {
      "forward",   "backward",        "weight gradient",   "recompute",
      "optimizer", "tensor exchange", "context exchange",  "expert exchange",
      "gather",    "scatter",         "gradient exchange", "send"};
  return kNames[static_cast<std::size_t>(tag)];
}

std::size_t piece_index(const PipelineShape& shape, const Piece& piece) {
  const auto pass = static_cast<std::int64_t>(piece.pass);
  return static_cast<std::size_t>((pass * shape.chunks + piece.chunk) * shape.micro_batches +
                                  piece.micro_batch);
}

StageTasks add_stage(model::Timeline& timeline, const Costs& costs, const Configuration& c,
                     const PipelineShape& shape, const StageKind& kind, std::int64_t stage,
                     bool by_layer) {
  return StageBuilder(timeline, costs, c, shape, kind, stage).build(by_layer);
}

}  // namespace greenline::plan
