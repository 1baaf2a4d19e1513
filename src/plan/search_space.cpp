#include "plan/search_space.hpp"

#include <algorithm>

namespace greenline::plan {
namespace {

bool is_power_of_two(std::int64_t n) { return (n & (n - 1)) == 0; }

std::vector<std::int64_t> tensor_sizes(const Problem& p, const SpaceOptions& o) {
  std::vector<std::int64_t> sizes = divisors(p.devices);
  // Beyond a node every layer would wait for the network.
  if (o.breadth == Breadth::usual)
    std::erase_if(sizes, [&](std::int64_t n) { return p.system.devices_per_node % n != 0; });
  return sizes;
}

std::vector<std::int64_t> context_sizes(const SpaceOptions& o, std::int64_t rest) {
  return o.breadth == Breadth::usual ? std::vector<std::int64_t>{1} : divisors(rest);
}

std::vector<std::int64_t> expert_sizes(const Problem& p, std::int64_t data) {
  return p.shape.experts ? divisors(data) : std::vector<std::int64_t>{1};
}

void add_layout(const Problem& p, const Layout& s, Layouts& out) {
  Configuration c;
  c.strategy = s;
  const std::string why = why_impossible(p, c);
  if (why.empty()) {
    out.possible.push_back(s);
    return;
  }
  Impossible& same = out.impossible[why.substr(0, why.find(' '))];
  if (same.number++ == 0) same.example = why;
}

// Sequences of a micro-batch: what divides the share of a data-parallel rank.
std::vector<std::int64_t> micro_batches(const Problem& p, const Layout& s, const SpaceOptions& o) {
  if (!o.micro_batch.empty()) return o.micro_batch;
  std::vector<std::int64_t> sizes = divisors(p.global_batch / s.data_parallel);
  if (o.breadth == Breadth::usual)
    std::erase_if(sizes, [](std::int64_t n) { return !is_power_of_two(n); });
  return sizes;
}

// Chunks of a rank that hold equally many layers.
std::vector<std::int64_t> interleavings(const Problem& p, const Layout& s, const SpaceOptions& o) {
  if (!o.interleave.empty()) return o.interleave;
  std::vector<std::int64_t> chunks = {1};
  if (s.pipeline_parallel == 1 || !is_training(p.task)) return chunks;
  if (p.shape.layers % s.pipeline_parallel == 0)
    chunks = divisors(p.shape.layers / s.pipeline_parallel);
  return chunks;
}

std::vector<Recompute> recomputations(const Problem& p, const SpaceOptions& o) {
  if (!o.recompute.empty()) return o.recompute;
  if (!is_training(p.task)) return {Recompute::none};
  return {Recompute::none, Recompute::selective, Recompute::full};
}

std::vector<Schedule> schedules(const Problem& p, const Layout& s, const SpaceOptions& o) {
  if (!o.schedule.empty()) return o.schedule;
  if (s.pipeline_parallel == 1 || !is_training(p.task)) return {Schedule::one_f_one_b};
  return {Schedule::one_f_one_b, Schedule::zero_bubble};
}

std::vector<Offload> offloads(const Problem& p, const SpaceOptions& o) {
  if (!o.offload.empty()) return o.offload;
  if (!is_training(p.task)) return {Offload::none};
  return {Offload::none, Offload::optimizer, Offload::all};
}

// The split with and without sequence parallelism, under every ZeRO stage and shard group.
std::vector<Strategy> strategies(const Problem& p, const Layout& s, const SpaceOptions& o) {
  std::vector<Strategy> out;
  const std::int64_t sharers = s.data_parallel * s.context_parallel;
  const std::int64_t node = std::max<std::int64_t>(
      1, p.system.devices_per_node / (s.tensor_parallel * s.context_parallel));
  const bool has_node_group = o.breadth == Breadth::all && node > 1 && node < s.data_parallel &&
                              s.data_parallel % node == 0;
  for (const bool sequence : {true, false}) {
    if (sequence && s.tensor_parallel == 1) continue;
    if (!sequence && s.tensor_parallel > 1 && o.breadth == Breadth::usual) continue;
    Strategy t = s;
    t.sequence_parallel = sequence;
    out.push_back(t);
    for (t.zero = 1; t.zero <= 3 && sharers > 1; ++t.zero) {
      t.shard_group = 0;
      out.push_back(t);
      t.shard_group = node;
      if (has_node_group) out.push_back(t);
    }
  }
  return out;
}

}  // namespace

std::span<const base::EnumName> enum_names(Breadth) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Breadth::usual), "usual",
       "tensor parallelism within a node, no context parallelism, no shard groups"},
      {static_cast<int>(Breadth::all), "all", "every legal configuration"},
  };
  return kNames;
}

std::vector<std::int64_t> divisors(std::int64_t n) {
  std::vector<std::int64_t> low, high;
  for (std::int64_t d = 1; d * d <= n; ++d) {
    if (n % d != 0) continue;
    low.push_back(d);
    if (d * d < n) high.push_back(n / d);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

Layouts layouts(const Problem& p, const SpaceOptions& o) {
  Layouts out;
  for (const std::int64_t tensor : tensor_sizes(p, o)) {
    for (const std::int64_t context : context_sizes(o, p.devices / tensor)) {
      for (const std::int64_t pipeline : divisors(p.devices / (tensor * context))) {
        Layout s;
        s.tensor_parallel = tensor;
        s.context_parallel = context;
        s.pipeline_parallel = pipeline;
        s.data_parallel = p.devices / (tensor * context * pipeline);
        for (const std::int64_t experts : expert_sizes(p, s.data_parallel)) {
          s.expert_parallel = experts;
          add_layout(p, s, out);
        }
      }
    }
  }
  return out;
}

void for_each_configuration(const Problem& p, const Layout& layout, const SpaceOptions& o,
                            const std::function<bool(const Configuration&)>& body,
                            const std::function<void(const std::string&)>& refused) {
  const auto all_micro_batches = micro_batches(p, layout, o);
  const auto all_interleavings = interleavings(p, layout, o);
  const auto all_recomputations = recomputations(p, o);
  const auto all_schedules = schedules(p, layout, o);
  const auto all_offloads = offloads(p, o);
  const auto all_strategies = strategies(p, layout, o);
  Configuration c;
  const auto rest = [&] {
    for (const Recompute recompute : all_recomputations) {
      for (const std::int64_t interleave : all_interleavings) {
        for (const Schedule schedule : all_schedules) {
          for (const Offload offload : all_offloads) {
            c.recompute = recompute;
            c.interleave = interleave;
            c.schedule = schedule;
            c.offload = offload;
            if (const std::string why = why_impossible(p, c); !why.empty())
              refused(why);
            else if (!body(c))
              return false;
          }
        }
      }
    }
    return true;
  };
  for (const std::int64_t micro_batch : all_micro_batches) {
    c.micro_batch = micro_batch;
    for (const Strategy& strategy : all_strategies) {
      c.strategy = strategy;
      if (!rest()) return;
    }
  }
}

}  // namespace greenline::plan
