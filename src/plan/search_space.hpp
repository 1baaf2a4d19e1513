// The configurations that a search goes through, in a fixed order: first how devices are split,
// then everything else of each split.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "plan/configuration.hpp"

namespace greenline::plan {

// usual: what people run first. Tensor parallelism within a node and always with sequence
// parallelism, no context parallelism, shards over all data-parallel ranks, micro-batches in powers
// of two. all: every legal one.
enum class Breadth : std::uint8_t { usual, all };
std::span<const base::EnumName> enum_names(Breadth);

// The values to try; none: all that make sense.
struct SpaceOptions {
  Breadth breadth = Breadth::all;
  std::vector<std::int64_t> micro_batch;  // sequences
  std::vector<Recompute> recompute;
  std::vector<std::int64_t> interleave;
  std::vector<Schedule> schedule;
  std::vector<Offload> offload = {Offload::none};
};

// How the devices are split: tp x cp x pp x dp, and ep of dp.
using Layout = Strategy;

// Splits that cannot run, whatever else is chosen, by the first word of what stands against them.
struct Impossible {
  std::int64_t number = 0;
  std::string example;  // "tp 16 does not divide the 8 key and value heads of llama3-70b"
};

struct Layouts {
  std::vector<Layout> possible;
  std::map<std::string, Impossible> impossible;
};
Layouts layouts(const Problem& problem, const SpaceOptions& options);

// Every legal configuration of a split: sequence parallelism, micro-batch, ZeRO stage and shard
// group, recomputation, interleaving, schedule and offload. `body` returns false to stop. `refused`
// is told why a combination on the way is not legal.
void for_each_configuration(
    const Problem& problem, const Layout& layout, const SpaceOptions& options,
    const std::function<bool(const Configuration&)>& body,
    const std::function<void(const std::string&)>& refused = [](const std::string&) {});

// Ascending.
std::vector<std::int64_t> divisors(std::int64_t n);

}  // namespace greenline::plan
