#include "model/machine.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace greenline::model {
namespace {

using base::Bandwidth;
using base::Data;
using base::Time;
using catalog::Catalog;
using catalog::Precision;

base::WorkRate peak_of(const catalog::Accelerator& device, Precision precision) {
  const auto& peak = device.peak[static_cast<std::size_t>(precision)];
  if (peak) return *peak;
  std::string known;
  for (int p = 0; p < catalog::kNumPrecisions; ++p) {
    if (!device.peak[static_cast<std::size_t>(p)]) continue;
    known += known.empty() ? "" : ", ";
    known += catalog::precision_name(static_cast<Precision>(p));
  }
  throw base::UserError("no-peak",
                        fmt::format("{} has no {} peak in the catalogue; it has {}", device.id,
                                    catalog::precision_name(precision), known),
                        fmt::format("choose --precision, or give the peak: --set {}.peak_{}=...",
                                    device.id, catalog::precision_name(precision)));
}

// A share of a peak or a bandwidth, or a size: positive, or nothing can be computed.
double positive(const Catalog& facts, const std::string& id) {
  const double value = facts.get<double>(id);
  if (value > 0 && std::isfinite(value)) return value;
  throw base::UserError("bad-fact", fmt::format("{} is {}: expected a number above 0", id, value));
}

Time latency(const Catalog& facts, const std::string& id) {
  const Time value = facts.get<Time>(id);
  if (value >= Time{} && std::isfinite(value.base_value())) return value;
  throw base::UserError(
      "bad-fact", fmt::format("{} is {} s: expected a time of 0 or more", id, value.base_value()));
}

Link link_of(const Catalog& facts, const std::string& generation, const char* level,
             Bandwidth bandwidth) {
  const std::string prefix = generation + "." + level;
  return {positive(facts, prefix + "_efficiency") * bandwidth, latency(facts, prefix + "_latency")};
}

// Steps of a ring over n ranks: each sends its share to the next one.
Time ring(const Link& link, std::int64_t n, Data data) {
  if (n <= 1) return Time{};
  const auto steps = static_cast<double>(n - 1);
  return steps * (link.latency + data / static_cast<double>(n) / link.bandwidth);
}

Link flat_link(const Machine& m, Group g) {
  return {std::min(m.intra.bandwidth, static_cast<double>(g.per_node) * m.inter.bandwidth),
          std::max(m.intra.latency, m.inter.latency)};
}

// An all-gather or a reduce-scatter.
Time half_collective(const Machine& m, Group g, Data data) {
  if (g.ranks <= g.per_node) return ring(m.intra, g.ranks, data);
  const std::int64_t nodes = (g.ranks + g.per_node - 1) / g.per_node;
  if (g.per_node == 1) return ring(m.inter, nodes, data);
  const Time flat = ring(flat_link(m, g), g.ranks, data);
  const Time levels = ring(m.intra, g.per_node, data) +
                      ring(m.inter, nodes, data / static_cast<double>(g.per_node));
  return std::min(flat, levels);
}

// Nodes form a tree, the ranks inside a node a chain.
Time tree(const Machine& m, Group g, Data data) {
  const std::int64_t nodes = (g.ranks + g.per_node - 1) / g.per_node;
  const double levels = std::ceil(std::log2(static_cast<double>(nodes)));
  const Time latency =
      2 * levels * m.inter.latency + 2 * static_cast<double>(g.per_node - 1) * m.intra.latency;
  const Bandwidth bandwidth = g.per_node == 1 ? m.inter.bandwidth : flat_link(m, g).bandwidth;
  return latency + 2 * (data / bandwidth);
}

void check_group(const Machine& m, Group g) {
  GL_CHECK_GE(g.ranks, std::int64_t{1});
  GL_CHECK_GE(g.per_node, std::int64_t{1});
  GL_CHECK_LE(g.per_node, m.devices_per_node);
}

}  // namespace

Machine machine(const Catalog& facts, const catalog::System& system, Precision precision) {
  const std::string& generation = system.device.generation;
  if (facts.peek(generation + ".matmul_efficiency") == nullptr) {
    throw base::UserError("no-efficiency",
                          fmt::format("device generation {} of {} has no fitted efficiencies",
                                      base::quoted(generation), system.device.id),
                          fmt::format("give them as an overlay (--catalog DIR) with "
                                      "{0}.matmul_efficiency and its neighbours; "
                                      "`greenline catalog list efficiency` shows a full set",
                                      generation));
  }
  auto number = [&](const char* name) { return positive(facts, generation + "." + name); };
  Machine m;
  m.matmul_peak = peak_of(system.device, precision);
  m.attention_peak =
      precision == Precision::fp8 ? peak_of(system.device, Precision::bf16) : m.matmul_peak;
  m.memory_bandwidth = system.device.memory_bandwidth;
  m.efficiency = {number("matmul_efficiency"), number("matmul_half_size"),
                  number("attention_efficiency"), number("memory_efficiency"),
                  latency(facts, generation + ".kernel_overhead")};
  m.intra = link_of(facts, generation, "intra", system.intra_bandwidth);
  m.inter = link_of(facts, generation, "inter", system.inter_bandwidth);
  m.devices_per_node = system.devices_per_node;
  return m;
}

Time operator_time(const Machine& machine, const Operator& op) {
  const Efficiency& e = machine.efficiency;
  const Time memory = op.bytes / (e.memory * machine.memory_bandwidth);
  Time compute;
  if (op.kind == OperatorKind::matmul) {
    const double share = e.matmul / (1 + e.matmul_half_size * (1 / op.m + 1 / op.n + 1 / op.k));
    compute = op.flops / (share * machine.matmul_peak);
  } else if (op.kind == OperatorKind::attention) {
    compute = op.flops / (e.attention * machine.attention_peak);
  }
  return e.kernel_overhead + std::max(compute, memory);
}

Time all_gather(const Machine& machine, Group group, Data data) {
  check_group(machine, group);
  return half_collective(machine, group, data);
}

Time reduce_scatter(const Machine& machine, Group group, Data data) {
  return all_gather(machine, group, data);
}

Time all_reduce(const Machine& machine, Group group, Data data) {
  check_group(machine, group);
  if (group.ranks <= 1) return Time{};
  const Time rings = 2 * half_collective(machine, group, data);
  return group.ranks <= group.per_node ? rings : std::min(rings, tree(machine, group, data));
}

Time point_to_point(const Machine& machine, bool between_nodes, Data data) {
  const Link& link = between_nodes ? machine.inter : machine.intra;
  return link.latency + data / link.bandwidth;
}

}  // namespace greenline::model
