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
  constexpr double kLeast = 1e-9, kMost = 1e9;
  const double value = facts.get<double>(id);
  if (value >= kLeast && value <= kMost) return value;
  throw base::UserError("bad-fact", fmt::format("{} is {}: expected a number from {} to {}", id,
                                                value, kLeast, kMost));
}

// Of a whole: 0 is nothing, 1 is all.
double share(const Catalog& facts, const std::string& id) {
  const double value = facts.get<double>(id);
  if (value >= 0 && value <= 1) return value;
  throw base::UserError("bad-fact", fmt::format("{} is {}: expected 0 to 1", id, value));
}

Time latency(const Catalog& facts, const std::string& id) {
  const Time value = facts.get<Time>(id);
  const Time most = 1.0 * base::units::s;
  if (value >= Time{} && value <= most) return value;
  throw base::UserError("bad-fact", fmt::format("{} is {} s: expected a time from 0 to {} s", id,
                                                value.base_value(), most.base_value()));
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

// A rank sends to `n` ranks, itself among them, each its part of `parts`.
Time exchange(const Link& link, std::int64_t n, std::int64_t parts, Data data) {
  const auto others = static_cast<double>(n - 1);
  return others * (link.latency + data / static_cast<double>(parts) / link.bandwidth);
}

std::int64_t nodes_of(Group g) { return (g.ranks + g.per_node - 1) / g.per_node; }

Link flat_link(const Machine& m, Group g) {
  return {std::min(m.intra.bandwidth, static_cast<double>(g.per_node) * m.inter.bandwidth),
          std::max(m.intra.latency, m.inter.latency)};
}

// An all-gather or a reduce-scatter.
Time half_collective(const Machine& m, Group g, Data data) {
  if (g.ranks <= g.per_node) return ring(m.intra, g.ranks, data);
  const std::int64_t nodes = nodes_of(g);
  if (g.per_node == 1) return ring(m.inter, nodes, data);
  const Time flat = ring(flat_link(m, g), g.ranks, data);
  const Time levels = ring(m.intra, g.per_node, data) +
                      ring(m.inter, nodes, data / static_cast<double>(g.per_node));
  return std::min(flat, levels);
}

// Nodes form a tree, the ranks inside a node a chain.
Time tree(const Machine& m, Group g, Data data) {
  const std::int64_t nodes = nodes_of(g);
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
  m.precision = precision;
  m.matmul_peak = peak_of(system.device, precision);
  m.attention_peak =
      precision == Precision::fp8 ? peak_of(system.device, Precision::bf16) : m.matmul_peak;
  m.memory_bandwidth = system.device.memory_bandwidth;
  m.efficiency = {number("matmul_efficiency"),
                  number("matmul_half_size"),
                  number("attention_efficiency"),
                  number("fused_attention_efficiency"),
                  number("memory_efficiency"),
                  share(facts, generation + ".overlap_slowdown"),
                  latency(facts, generation + ".kernel_overhead")};
  m.intra = link_of(facts, generation, "intra", system.intra_bandwidth);
  m.inter = link_of(facts, generation, "inter", system.inter_bandwidth);
  m.devices_per_node = system.devices_per_node;
  return m;
}

double value_bytes(Precision precision) {
  return precision == Precision::fp32 || precision == Precision::tf32 ? 4 : 2;
}

void set_host_link(Machine& m, const Catalog& facts, const catalog::System& system) {
  if (!system.host_bandwidth) return;
  m.host = {positive(facts, "host-link.efficiency") * *system.host_bandwidth,
            latency(facts, "host-link.latency")};
  m.host_memory = facts.get<Bandwidth>("host-link.memory_bandwidth") /
                  static_cast<double>(system.devices_per_node);
}

namespace {

struct OperatorBounds {
  Time compute, memory;
};

// By this share a product takes longer because of parts of tiles that its dimensions leave empty.
double tile_loss(const Machine& machine, const Operator& op) {
  if (op.kind != OperatorKind::matmul) return 0;
  return machine.efficiency.matmul_half_size * (1 / op.m + 1 / op.n + 1 / op.k);
}

OperatorBounds bounds(const Machine& machine, const Operator& op) {
  const Efficiency& e = machine.efficiency;
  OperatorBounds t{{}, op.bytes / (e.memory * machine.memory_bandwidth)};
  if (op.kind == OperatorKind::matmul) {
    const double share = e.matmul / (1 + tile_loss(machine, op));
    t.compute = op.flops / (share * (op.narrow ? machine.matmul_peak : machine.attention_peak));
  } else if (op.kind == OperatorKind::attention) {
    const double share = op.m == 0 ? e.fused_attention : e.attention;
    t.compute = op.flops / (share * machine.attention_peak);
  }
  return t;
}

}  // namespace

Time operator_time(const Machine& machine, const Operator& op) {
  const OperatorBounds t = bounds(machine, op);
  return machine.efficiency.kernel_overhead + std::max(t.compute, t.memory);
}

Time starved_time(const Machine& machine, const Operator& op) {
  const OperatorBounds t = bounds(machine, op);
  const double unfilled = tile_loss(machine, op);
  if (unfilled <= 1) return std::max(Time{}, t.memory - t.compute);
  return operator_time(machine, op) - t.compute * (1 / (1 + unfilled));
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

Time all_to_all(const Machine& machine, Group group, Data data) {
  check_group(machine, group);
  if (group.ranks <= 1) return Time{};
  if (group.ranks <= group.per_node) return exchange(machine.intra, group.ranks, group.ranks, data);
  const std::int64_t nodes = nodes_of(group);
  const Time direct =
      std::max(exchange(machine.intra, group.per_node, group.ranks, data),
               exchange(machine.inter, group.ranks - group.per_node + 1, group.ranks, data));
  const Time levels = exchange(machine.intra, group.per_node, group.per_node, data) +
                      exchange(machine.inter, nodes, nodes, data);
  return std::min(direct, levels);
}

Time point_to_point(const Machine& machine, bool between_nodes, Data data) {
  const Link& link = between_nodes ? machine.inter : machine.intra;
  return link.latency + data / link.bandwidth;
}

}  // namespace greenline::model
