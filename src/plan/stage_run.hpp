// One pipeline stage, pass by pass: when it computes and when it exchanges with data-parallel ranks
// beside. The rules are those of plan/timeline_stage.hpp without its tasks; equal slots in the
// middle of a pass are one step. Times are seconds here.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "plan/data_exchange.hpp"
#include "plan/pipeline.hpp"
#include "plan/stage.hpp"
#include "plan/stage_time.hpp"

namespace greenline::plan {

// What stages of a kind have in common: lengths of slots and of their exchanges.
struct StageSlots {
  // `slot`: each; `first` and `last`: more in that slot of a pass; `whole`: all slots together.
  struct Length {
    double slot = 0, first = 0, last = 0, whole = 0;
  };
  StageSlots() = default;
  StageSlots(const Problem& problem, const PipelineShape& shape, const StageKind& kind,
             const Slots& slots, const StageExchange& exchange);

  std::int64_t slots = 1, chunks = 1, micro_batches = 1;
  std::array<Length, 3> passes;     // by Pass
  Pass completes = Pass::backward;  // what makes a gradient complete
  double send = 0;                  // zero where no neighbour waits
  bool embedding = false, head = false;
  bool through_layers = false, overlaps = true, each_micro_batch = false;
  double slowdown = 0;
  double gather = 0, ends_gather = 0, scatter = 0, ends_scatter = 0, sum = 0, ends_sum = 0;
  double updated = 0;

  bool passes_on(Pass pass) const {
    return send > 0 && pass != Pass::weight_gradient && (pass == Pass::forward || through_layers);
  }
  // Else the result is received here while the neighbour sends, or nobody waits.
  bool sends(const Piece& x) const {
    if (!passes_on(x.pass)) return false;
    return x.pass == Pass::forward ? !head || x.chunk < chunks - 1 : !embedding || x.chunk > 0;
  }
  bool receives(const Piece& x) const { return passes_on(x.pass) && !sends(x); }
  // Chunks and micro-batches differ there.
  bool at_ends() const { return embedding || head; }
  bool holds_ends(const Piece& x) const {
    return (embedding && x.chunk == 0) || (head && x.chunk == chunks - 1);
  }
  bool gathers(Pass pass) const {
    return gather > 0 && (pass == Pass::forward || (pass == Pass::backward && through_layers));
  }
};

class StageRun {
 public:
  StageRun(const StageSlots& stage, const PipelineShape& shape, std::int64_t index);

  const StageTurns& turns() const { return turns_; }
  // The next pass receives its neighbour's result while that is sent.
  bool receives() const {
    return z_.at_ends() && z_.receives(piece_of(shape_, turns_.pass(), turns_.number()));
  }
  // The next pass; `ready`: when what it needs is known, or here. When its result is known.
  double run(double ready);
  // After the last pass: when nothing is left but the optimizer step.
  double end();

 private:
  static constexpr double kNever = -std::numeric_limits<double>::infinity();
  // What runs beside a slot: gradients of the slot before, weights of a later one; `updated` has
  // its place already and only holds the slot up.
  struct Beside {
    double scatter = 0, sum = 0, gather = 0, updated = 0;
    double load() const { return scatter + sum + gather + updated; }
  };

  const StageSlots::Length& length(const Piece& x) const {
    return z_.passes[static_cast<std::size_t>(x.pass)];
  }
  bool updates(const Piece& x) const {
    return z_.updated > 0 && x.pass == Pass::forward && x.micro_batch == 0;
  }
  double slot_time(const Piece& x, std::int64_t k) const;
  double cover(const Piece& x, std::int64_t k) const;
  double scatter_after(const Piece& x, bool last) const;
  double sum_after(const Piece& x, bool last) const;
  double first_gather(const Piece& x) const;
  double next_gather() const;
  double updated_time(const Piece& x, std::int64_t k) const;
  Beside beside(const Piece& x, std::int64_t k) const;
  bool is_alone(Pass pass, std::int64_t number) const;
  Piece next_piece() const;

  void start(double ready, const Piece& x);
  void one_by_one(double ready, const Piece& x);
  void slot_by_slot(double ready, const Piece& x);
  void slot(const Piece& x, std::int64_t k, double ready);
  void equal_slots(const Piece& x, double slots);
  void exchange(const Beside& b, double stretch);

  const StageSlots& z_;
  const PipelineShape& shape_;
  StageTurns turns_;
  std::int64_t round_;  // passes of a kind within which each chunk has p micro-batches
  std::int64_t total_;  // passes of a kind
  Piece newest_;        // of the passes done
  bool any_done_ = false;
  double computed_ = 0, exchanged_ = 0;  // ends of the newest computation and exchange
  double arrives_ = kNever;              // weights of the next slot that gathers some
  double gone_ = kNever;                 // gradient of the slot before the last one
  double backlog_ = 0;                   // sums that no slot has hidden yet
  double updated_ = 0;                   // when the newest updated weights are here
  double summed_ = 0;                    // what is left to sum, where nothing overlaps
};

}  // namespace greenline::plan
