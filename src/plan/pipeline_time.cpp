// Length of a pipeline in closed form. Times are seconds here.
//
// A schedule's length is that of its longest path. A path goes right through the stages in forward
// passes and left in backward passes; where it turns back and forth on one stage it collects that
// stage's whole work per micro-batch. Reaching stage j costs either the warm-up on the way, or the
// way through the last stage and back; leaving it likewise. The longest path loops on the slowest
// stage unless the way there costs more than the loops gain, so that a path for each kind of stage
// is enough (tests hold it against the schedule).
#include <algorithm>
#include <array>
#include <vector>

#include "plan/pipeline.hpp"
#include "plan/stage.hpp"

namespace greenline::plan {
namespace {

using base::Time;

// One stage among the others, chunk by chunk.
struct Stage {
  double index = 0;
  double forward = 0, backward = 0, weight_gradient = 0;
  double forward_before = 0, backward_before = 0;  // of all stages before
  double time() const { return forward + backward; }
  double before() const { return forward_before + backward_before; }
};

// Of the whole pipeline.
struct Pipeline {
  double stages = 0, micro_batches = 0, chunks = 1;
  double forward = 0, backward = 0;                  // sums
  double longest_forward = 0, longest_backward = 0;  // of any stage
  Stage last;
  double behind(const Stage& s) const { return stages - 1 - s.index; }
  double after(const Stage& s) const { return forward + backward - s.before() - s.time(); }
};

double positive(double x) { return std::max(0.0, x); }

double one_f_one_b(const Pipeline& p, const Stage& s) {
  const double m = p.micro_batches, behind = p.behind(s), after = p.after(s);
  if (m >= behind + 2)
    return s.before() + m * s.time() + positive(after - behind * s.forward) +
           positive(after - behind * s.backward);
  // All forward passes come before the first backward pass.
  return s.before() +
         std::max(s.time() + after + (m - 1) * std::max(s.forward, s.backward), m * s.time());
}

// Warm-up and cool-down of the interleaved schedule pass v - 1 rounds of p micro-batches at the
// pace of the slowest stage.
double interleaved(const Pipeline& p, const Stage& s) {
  const double total = p.micro_batches * p.chunks, rounds = (p.chunks - 1) * p.stages;
  const double start = rounds * p.longest_forward + p.forward - p.last.forward;
  const double end = rounds * p.longest_backward + p.backward - p.last.backward;
  if (p.behind(s) == 0) return start + end + (total - rounds) * s.time();

  const double ahead = 2 * p.behind(s) + rounds;
  const double busy = s.before() + total * s.time();
  if (ahead >= total) return busy;
  // Through the last stage and left to this one, or along its own warm-up; the same back.
  const double after_forward = p.forward - s.forward_before - s.forward;
  const double after_backward = p.backward - s.backward_before - s.backward;
  const double reach =
      std::max(start + p.last.forward + after_backward, s.forward_before + (ahead + 1) * s.forward);
  const double leave =
      std::max(after_forward + p.last.backward + end, s.backward_before + (ahead + 1) * s.backward);
  double longest = std::max(busy, reach + leave + (total - ahead - 1) * s.time());
  // From the last stage on to the first with the next chunk, and right to this one.
  const double loops = total - rounds - 2 * s.index - 2 - 2 * p.stages;
  if (loops >= 1)
    longest = std::max(
        longest, start + end + s.before() + loops * s.time() + (2 * p.stages + 1) * p.last.time());
  return longest;
}

// Under ZB-H1 `backward` is without weight gradients. Stage i does W of micro-batch k - i after B
// of micro-batch k, and at the end the i + 1 that are left.
class ZeroBubble {
 public:
  // `visited` has room for all stages that will be added.
  ZeroBubble(const Pipeline& pipeline, std::span<Stage> visited)
      : p_(pipeline), visited_(visited) {}

  // Stages in order, the first and the last of each kind.
  void add(const Stage& s) {
    visited_[size_++] = s;
    const double m = p_.micro_batches, behind = p_.behind(s), after = p_.after(s);
    const double reach = s.forward_before + s.forward + positive(after - behind * s.forward);
    if (m >= behind + 1) {
      // Between the first and the last turn from F to B.
      const double turns = m - 1 - behind, begun = positive(turns - s.index);
      const double loops =
          behind * s.forward + s.backward + turns * s.time() + begun * s.weight_gradient;
      const double around = m >= behind + 2 ? after + tail(s) : 0;
      longest_ = std::max(longest_, reach + loops + std::max(around, left(s, turns)));
    } else {
      longest_ =
          std::max(longest_, s.forward_before + (m - 1) * s.forward + s.time() + after + tail(s));
      longest_ = std::max(longest_, s.forward_before + m * s.forward + s.backward + left(s, 0));
    }
    longest_ = std::max(longest_, s.forward_before + s.time() + after + left(s, 0));
  }
  double longest() const { return longest_; }

 private:
  double backward_between(const Stage& from, const Stage& to) const {
    return to.backward_before - from.backward_before;
  }
  // After the last B of this stage: left, and what the stage where it ends has left.
  double tail(const Stage& s) const { return left(s, p_.micro_batches - 1); }
  // After B of micro-batch k: left at once, and the rest of the stage where it ends. Within a kind
  // that is longest at an end, or at stage k, from which on all weight gradients are left.
  double left(const Stage& s, double k) const {
    double longest = 0;
    const auto end_at = [&](const Stage& end) {
      longest =
          std::max(longest, backward_between(end, s) + (p_.micro_batches - 1 - k) * end.backward +
                                (p_.micro_batches - positive(k - end.index)) * end.weight_gradient);
    };
    for (std::size_t i = 0; i < size_; ++i) {
      const Stage& end = visited_[i];
      end_at(end);
      // Stages between two that were visited are of their kind.
      if (i == 0 || !(visited_[i - 1].index < k && k < end.index)) continue;
      Stage between = end;
      between.index = k;
      between.backward_before -= (end.index - k) * end.backward;
      end_at(between);
    }
    return longest;
  }

  const Pipeline& p_;
  std::span<Stage> visited_;
  std::size_t size_ = 0;
  double longest_ = 0;
};

// Calls visit(stage) for the first and the last stage of each kind.
template <typename Visit>
void each_kind(std::span<const EqualStages> kinds, double chunks, bool split, Visit visit) {
  Stage s;
  for (const EqualStages& kind : kinds) {
    const auto of = [&](Time t) { return t.base_value() / chunks; };
    const StageWork& w = kind.work;
    s.weight_gradient = of(w.weight_gradient);
    s.forward = of(w.forward);
    s.backward = of(split ? w.backward - w.weight_gradient : w.backward);
    visit(s);
    const auto more = static_cast<double>(kind.stages - 1);
    if (more > 0) {
      s.index += more;
      s.forward_before += more * s.forward;
      s.backward_before += more * s.backward;
      visit(s);
    }
    s.index += 1;
    s.forward_before += s.forward;
    s.backward_before += s.backward;
  }
}

Pipeline pipeline_of(std::span<const EqualStages> kinds, std::int64_t micro_batches, double chunks,
                     bool split) {
  Pipeline p;
  p.micro_batches = static_cast<double>(micro_batches);
  p.chunks = chunks;
  each_kind(kinds, chunks, split, [&](const Stage& s) {
    p.stages = s.index + 1;
    p.forward = s.forward_before + s.forward;
    p.backward = s.backward_before + s.backward;
    p.longest_forward = std::max(p.longest_forward, s.forward);
    p.longest_backward = std::max(p.longest_backward, s.backward);
    p.last = s;
  });
  return p;
}

}  // namespace

Time pipeline_time(std::span<const EqualStages> kinds, std::int64_t micro_batches,
                   std::int64_t chunks, Schedule schedule) {
  const bool split = schedule == Schedule::zero_bubble;
  const auto v = static_cast<double>(chunks);
  const Pipeline p = pipeline_of(kinds, micro_batches, v, split);
  if (split) {
    constexpr std::size_t kFew = StageKinds::kMost;
    std::array<Stage, 2 * kFew> few;
    std::vector<Stage> many(kinds.size() > kFew ? 2 * kinds.size() : 0);
    ZeroBubble path(p, many.empty() ? std::span<Stage>(few) : std::span<Stage>(many));
    each_kind(kinds, v, split, [&](const Stage& s) { path.add(s); });
    return Time::from_base(path.longest());
  }
  double longest = 0;
  each_kind(kinds, v, split, [&](const Stage& s) {
    longest = std::max(longest, chunks > 1 ? interleaved(p, s) : one_f_one_b(p, s));
  });
  return Time::from_base(longest);
}

namespace {

double longest_forward_loop(std::span<const EqualStages> kinds) {
  double longest = 0;
  for (const EqualStages& kind : kinds) longest = std::max(longest, kind.work.forward.base_value());
  return longest;
}

}  // namespace

Time forward_pipeline_time(std::span<const EqualStages> kinds, std::int64_t micro_batches) {
  const Pipeline p = pipeline_of(kinds, micro_batches, 1, false);
  return Time::from_base(p.forward + (p.micro_batches - 1) * longest_forward_loop(kinds));
}

Time repeated_pipeline_time(std::span<const EqualStages> kinds, std::int64_t micro_batches) {
  const Pipeline p = pipeline_of(kinds, micro_batches, 1, false);
  return Time::from_base(std::max(p.forward, p.micro_batches * longest_forward_loop(kinds)));
}

Time pipeline_time(const std::vector<StageWork>& stages, std::int64_t micro_batches,
                   std::int64_t chunks, Schedule schedule) {
  std::vector<EqualStages> kinds;
  kinds.reserve(stages.size());
  for (const StageWork& work : stages) kinds.push_back({work, 1});
  return pipeline_time(kinds, micro_batches, chunks, schedule);
}

}  // namespace greenline::plan
