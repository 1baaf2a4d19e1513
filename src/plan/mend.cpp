#include "plan/mend.hpp"

#include <array>

#include <fmt/format.h>

#include "plan/search.hpp"

namespace greenline::plan {
namespace {

using Change = bool (*)(Configuration&, const Problem&);  // false: nothing left to change

bool add_sequence_parallelism(Configuration& c, const Problem&) {
  if (c.strategy.tensor_parallel == 1 || c.strategy.sequence_parallel) return false;
  c.strategy.sequence_parallel = true;
  return true;
}

template <Recompute R>
bool recompute_more(Configuration& c, const Problem&) {
  if (c.recompute >= R) return false;
  c.recompute = R;
  return true;
}

// The pair that made full recomputation unnecessary (korthikanti2022).
bool split_and_recompute_selectively(Configuration& c, const Problem& p) {
  return add_sequence_parallelism(c, p) && recompute_more<Recompute::selective>(c, p);
}

template <int Zero>
bool shard_more(Configuration& c, const Problem&) {
  if (c.strategy.data_parallel == 1 || c.strategy.zero >= Zero) return false;
  c.strategy.zero = Zero;
  return true;
}

bool halve_micro_batch(Configuration& c, const Problem&) {
  if (c.micro_batch % 2 != 0) return false;
  c.micro_batch /= 2;
  return true;
}

bool double_tensor_parallelism(Configuration& c, const Problem& p) {
  Strategy& s = c.strategy;
  if (s.data_parallel % 2 != 0 || p.system.devices_per_node % (2 * s.tensor_parallel) != 0)
    return false;
  s.tensor_parallel *= 2;
  s.data_parallel /= 2;
  return true;
}

bool double_pipeline(Configuration& c, const Problem&) {
  Strategy& s = c.strategy;
  if (s.data_parallel % 2 != 0) return false;
  s.pipeline_parallel *= 2;
  s.data_parallel /= 2;
  return true;
}

constexpr std::array<Change, 10> kChanges = {add_sequence_parallelism,
                                             recompute_more<Recompute::selective>,
                                             split_and_recompute_selectively,
                                             shard_more<1>,
                                             halve_micro_batch,
                                             recompute_more<Recompute::full>,
                                             shard_more<3>,
                                             double_tensor_parallelism,
                                             double_pipeline,
                                             halve_micro_batch};

std::string difference(const Configuration& from, const Configuration& to) {
  std::string text;
  auto add = [&](const std::string& words) { text += text.empty() ? words : " " + words; };
  if (!(from.strategy == to.strategy)) add("--strategy " + strategy_text(to.strategy));
  if (from.recompute != to.recompute)
    add(std::string("--recompute ") + base::enum_name(to.recompute));
  if (from.micro_batch != to.micro_batch) add(fmt::format("--micro-batch {}", to.micro_batch));
  return text;
}

bool fits(const Problem& p, const Configuration& c, Compat compat) {
  return why_impossible(p, c).empty() && memory_of(p, c, compat).fits();
}

// Of all that can be said in the words of difference(); the search counts memory as Compat::none.
std::string fastest_that_fits(const Problem& p, const Configuration& c) {
  SpaceOptions space;
  space.interleave = {c.interleave};
  space.schedule = {c.schedule};
  space.offload = {c.offload};
  const SearchOutcome outcome = search(p, space, base::no_progress());
  return outcome.fits ? difference(c, outcome.best) : "";
}

}  // namespace

std::string smallest_mend(const Problem& p, const Configuration& c, Compat compat) {
  for (const Change change : kChanges) {
    Configuration trial = c;
    if (change(trial, p) && fits(p, trial, compat)) return difference(c, trial);
  }
  // A change that the problem forbids (heads that do not divide) is skipped, the others go on.
  Configuration all = c;
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Change change : kChanges) {
      Configuration trial = all;
      if (!change(trial, p) || !why_impossible(p, trial).empty()) continue;
      all = trial;
      changed = true;
      if (fits(p, all, compat)) return difference(c, all);
    }
  }
  return compat == Compat::none ? fastest_that_fits(p, c) : "";
}

}  // namespace greenline::plan
