// Problems and random legal configurations for the tests of the plan room.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "base/random.hpp"
#include "plan/configuration.hpp"

namespace greenline::plan {

inline Problem problem_of(const char* model, const char* system, std::int64_t devices,
                          std::int64_t global_batch) {
  const catalog::Catalog facts{base::Settings{}};
  Problem p;
  p.shape = catalog::model_shape(facts, model);
  p.system = catalog::system(facts, system);
  p.machine = model::machine(facts, p.system, catalog::Precision::bf16);
  model::set_host_link(p.machine, facts, p.system);
  p.devices = devices;
  p.global_batch = global_batch;
  p.sequence_length = p.shape.sequence_length;
  return p;
}

// Draws of one seed: the same sequence everywhere.
class ConfigurationSource {
 public:
  explicit ConfigurationSource(std::uint64_t seed) : random_(seed) {}

  std::int64_t pick(std::initializer_list<std::int64_t> from) {
    return from.begin()[random_.below(from.size())];
  }
  bool chance(double p) { return random_.uniform() < p; }

  // A legal configuration of the problem on all its devices.
  Configuration configuration(const Problem& p) {
    while (true) {
      Configuration c;
      Strategy& s = c.strategy;
      s.tensor_parallel = pick({1, 1, 2, 4, 8, 16});
      s.context_parallel = is_training(p.task) && chance(0.3) ? pick({2, 4, 8}) : 1;
      s.pipeline_parallel = pick({1, 1, 2, 3, 4, 8, 16});
      const std::int64_t inner = s.tensor_parallel * s.context_parallel * s.pipeline_parallel;
      if (p.devices % inner != 0) continue;
      s.data_parallel = p.devices / inner;
      s.sequence_parallel = s.tensor_parallel > 1 && chance(0.5);
      s.data_innermost = chance(0.1);
      if (p.shape.experts && chance(0.7)) s.expert_parallel = pick({1, 2, 4, 8, 16});
      if (s.data_parallel > 1) s.zero = static_cast<int>(pick({0, 0, 1, 2, 3, 3}));
      if (s.zero == 3 && chance(0.4)) s.shard_group = pick({2, 4, 8});
      c.micro_batch = pick({1, 1, 2, 4});
      c.recompute = static_cast<Recompute>(pick({0, 1, 2}));
      if (chance(0.3)) c.interleave = pick({2, 3, 4});
      if (chance(0.2)) c.schedule = Schedule::zero_bubble;
      if (why_impossible(p, c).empty()) return c;
    }
  }

 private:
  base::RandomStream random_;
};

}  // namespace greenline::plan
