#include "plan/stage_run.hpp"

#include <algorithm>

namespace greenline::plan {

StageSlots::StageSlots(const Problem& p, const PipelineShape& shape, const StageKind& kind,
                       const Slots& z, const StageExchange& x) {
  const auto s = [](base::Time t) { return t.base_value(); };
  slots = z.slots;
  chunks = shape.chunks;
  micro_batches = shape.micro_batches;
  const PassTimes &l = z.layer, &e = z.embedding, &h = z.head;
  const bool splits = z.splits && shape.training;
  passes[0] = {s(l.forward), s(e.forward), s(h.forward)};
  passes[1] = {s(splits ? l.backward : l.all_backward()), s(splits ? h.backward : h.all_backward()),
               s(e.all_backward())};
  passes[2] = {s(l.weight_gradient), s(h.weight_gradient), 0};
  for (Length& t : passes) t.whole = static_cast<double>(slots) * t.slot + t.first + t.last;
  completes = splits ? Pass::weight_gradient : Pass::backward;
  send = shape.stages > 1 ? s(z.send) : 0;
  embedding = kind.embedding;
  head = kind.head;
  through_layers = training_of(p).through_layers;
  overlaps = p.overlap_gradients;
  each_micro_batch = x.each_micro_batch;
  slowdown = p.machine.efficiency.overlap_slowdown;
  gather = s(x.gather);
  ends_gather = s(x.ends_gather);
  scatter = through_layers ? s(x.scatter) : 0;
  ends_scatter = s(x.ends_scatter);
  sum = s(x.sum);
  ends_sum = s(x.ends_sum);
  updated = s(x.updated);
}

StageRun::StageRun(const StageSlots& stage, const PipelineShape& shape, std::int64_t index)
    : z_(stage),
      shape_(shape),
      turns_(shape, index),
      round_(shape.chunks > 1 ? shape.stages * shape.chunks : 1),
      total_(shape.micro_batches * shape.chunks) {
  if (!z_.overlaps) {
    updated_ = exchanged_ = static_cast<double>(z_.slots * z_.chunks) * z_.updated;
    return;
  }
  if (z_.updated > 0) {
    for (std::int64_t chunk = 0; chunk < z_.chunks; ++chunk)
      for (std::int64_t k = 0; k < z_.slots; ++k)
        exchanged_ += updated_time({Pass::forward, chunk, 0}, k);
  }
  if (z_.gather > 0) arrives_ = exchanged_ = first_gather({});
}

// ---- lengths ----

double StageRun::slot_time(const Piece& x, std::int64_t k) const {
  const StageSlots::Length& t = length(x);
  return t.slot + (k == 0 ? t.first : 0) + (k + 1 == z_.slots ? t.last : 0);
}

// What can hide an exchange: the computation, and the send behind it.
double StageRun::cover(const Piece& x, std::int64_t k) const {
  return slot_time(x, k) + (k + 1 == z_.slots && z_.passes_on(x.pass) ? z_.send : 0);
}

double StageRun::scatter_after(const Piece& x, bool last) const {
  if (x.pass != z_.completes) return 0;
  return z_.scatter + (last && z_.holds_ends(x) ? z_.ends_scatter : 0);
}

double StageRun::sum_after(const Piece& x, bool last) const {
  if (x.pass != z_.completes || x.micro_batch != z_.micro_batches - 1) return 0;
  return z_.sum + (last && z_.holds_ends(x) ? z_.ends_sum : 0);
}

// Weights of the first slot of a pass.
double StageRun::first_gather(const Piece& x) const {
  return z_.gather + (x.pass == Pass::forward && z_.holds_ends(x) ? z_.ends_gather : 0);
}

// Those of the next pass after this one that gathers some.
double StageRun::next_gather() const {
  StageTurns turns = turns_;
  for (turns.advance(); !turns.done(); turns.advance())
    if (z_.gathers(turns.pass()))
      return first_gather(piece_of(shape_, turns.pass(), turns.number()));
  return 0;
}

// The very first pass of the pipeline has no time to gather updated weights while it waits.
double StageRun::updated_time(const Piece& x, std::int64_t k) const {
  const bool slows = z_.embedding && x.chunk == 0 && k > 0;
  return z_.updated + (slows ? z_.slowdown * std::min(z_.updated, cover(x, k)) : 0);
}

StageRun::Beside StageRun::beside(const Piece& x, std::int64_t k) const {
  const bool first = k == 0, last = k + 1 == z_.slots;
  Beside b;
  if (!first || any_done_) {
    const Piece& before = first ? newest_ : x;
    b.scatter = scatter_after(before, first);
    b.sum = sum_after(before, first);
  }
  if (z_.gathers(x.pass)) b.gather = last ? next_gather() : z_.gather;
  if (updates(x) && z_.embedding && x.chunk == 0 && !last) b.updated = z_.updated;
  return b;
}

// Nothing runs beside the pass, and it waits for no exchange.
bool StageRun::is_alone(Pass pass, std::int64_t number) const {
  if (z_.each_micro_batch || backlog_ > 0) return false;
  if (z_.updated > 0 && pass == Pass::forward && number < round_) return false;
  const std::int64_t complete = turns_.num_done(z_.completes) + (pass == z_.completes ? 1 : 0);
  return z_.sum <= 0 || complete <= total_ - round_;
}

// Which chunk and micro-batch it is does not matter where nothing is special about any.
Piece StageRun::next_piece() const {
  const Pass pass = turns_.pass();
  const std::int64_t number = turns_.number();
  const bool is_special = shape_.chunks == 1 || z_.at_ends() ||
                          (pass == Pass::forward && z_.updated > 0 && number < round_) ||
                          (pass == z_.completes && z_.sum > 0 && number >= total_ - round_);
  return is_special ? piece_of(shape_, pass, number) : Piece{pass, 0, -1};
}

// ---- passes ----

double StageRun::run(double ready) {
  const Pass pass = turns_.pass();
  const std::int64_t number = turns_.number();
  if (z_.overlaps && !z_.at_ends() && is_alone(pass, number)) {
    computed_ = std::max(computed_, ready) + z_.passes[static_cast<std::size_t>(pass)].whole;
    const double known = computed_;
    if (z_.passes_on(pass)) computed_ += z_.send;
    newest_ = {pass, 0, shape_.chunks == 1 ? number : -1};
    any_done_ = true;
    turns_.advance();
    return known;
  }
  const Piece x = next_piece();
  if (!z_.overlaps) {
    one_by_one(ready, x);
  } else if (is_alone(pass, number)) {
    start(ready, x);
    computed_ += length(x).whole;
  } else {
    slot_by_slot(ready, x);
  }
  const double known = computed_;
  if (z_.sends(x)) computed_ += z_.send;
  newest_ = x;
  any_done_ = true;
  turns_.advance();
  return known;
}

void StageRun::start(double ready, const Piece& x) {
  computed_ = std::max(computed_, ready);
  if (z_.receives(x)) computed_ += z_.send;
}

// Computation waits for each exchange.
void StageRun::one_by_one(double ready, const Piece& x) {
  const auto slots = static_cast<double>(z_.slots);
  const auto all = [&](double one, double last) { return (slots - 1) * one + last; };
  start(ready, x);
  if (updates(x)) computed_ = std::max(computed_, updated_);
  computed_ += length(x).whole;
  if (z_.gathers(x.pass)) computed_ += (slots - 1) * z_.gather + first_gather(x);
  computed_ += all(scatter_after(x, false), scatter_after(x, true));
  summed_ += all(sum_after(x, false), sum_after(x, true));
}

void StageRun::slot_by_slot(double ready, const Piece& x) {
  // Those between the first two and the last are equal, unless something happens once.
  const bool equal = z_.slots > 3 && backlog_ <= 0 && !updates(x) && sum_after(x, false) <= 0;
  for (std::int64_t k = 0; k < z_.slots; ++k) {
    if (equal && k == 2) {
      equal_slots(x, static_cast<double>(z_.slots - 3));
      k = z_.slots - 1;
    }
    slot(x, k, ready);
  }
}

void StageRun::slot(const Piece& x, std::int64_t k, double ready) {
  const Beside b = beside(x, k);
  const double load = b.load(), time = slot_time(x, k);
  const double hides = time + (k + 1 == z_.slots && z_.passes_on(x.pass) ? z_.send : 0);
  const double slower = z_.slowdown * std::min(backlog_ + load, hides);
  // Nothing waits for sums of gradients alone.
  backlog_ = z_.each_micro_batch ? 0 : std::max(0.0, backlog_ + b.sum - hides);
  double needed = gone_;
  if (z_.gathers(x.pass)) needed = std::max(needed, arrives_);
  if (updates(x)) needed = std::max(needed, updated_ += updated_time(x, k));
  exchange(b, load > 0 ? 1 + slower / load : 1);
  if (k == 0) start(ready, x);
  computed_ = std::max(computed_, needed) + time + slower;
}

void StageRun::exchange(const Beside& b, double stretch) {
  const auto add = [&](double time) {
    if (time > 0) exchanged_ = std::max(exchanged_, computed_) + stretch * time;
  };
  add(b.scatter);
  gone_ = z_.each_micro_batch && b.scatter > 0 ? exchanged_ : kNever;
  add(b.sum);
  add(b.gather);
  if (b.gather > 0) arrives_ = exchanged_;
}

// Each of them waits for the exchange beside the one before, and the other way round.
void StageRun::equal_slots(const Piece& x, double slots) {
  const Beside b = beside(x, 1);
  const double load = b.load(), time = length(x).slot;
  const double slower = z_.slowdown * std::min(load, time);
  if (load <= 0) {
    computed_ += slots * time;
    return;
  }
  const double start_of_last =
      std::max(computed_, exchanged_) + (slots - 1) * std::max(time + slower, load + slower);
  computed_ = start_of_last + time + slower;
  exchanged_ = start_of_last + load + slower;
  if (b.gather > 0) arrives_ = exchanged_;
  gone_ = b.scatter > 0 ? start_of_last + (1 + slower / load) * b.scatter : kNever;
}

double StageRun::end() {
  if (z_.overlaps) {
    exchange({scatter_after(newest_, true), sum_after(newest_, true)}, 1);
  } else if (summed_ > 0) {
    exchanged_ = std::max(exchanged_, computed_) + summed_;
  }
  return std::max(computed_, exchanged_);
}

}  // namespace greenline::plan
