// How long a machine takes: a roofline for operators, latency and bandwidth for collectives.
//
// Constants that a data sheet does not give (achieved share of the peak, latency) are catalogue
// facts, one set per device generation: `<generation>.matmul_efficiency` and its neighbours in
// data/efficiency.csv.
#pragma once

#include <cstdint>

#include "base/quantity.hpp"
#include "catalog/catalog.hpp"
#include "catalog/entries.hpp"
#include "model/workload.hpp"

namespace greenline::model {

// What one device reaches of its data sheet.
struct Efficiency {
  double matmul = 0;            // share of the peak that a very large matrix product reaches
  double matmul_half_size = 0;  // size at which one dimension alone would halve that share
  double attention = 0;         // share of the peak inside the products of materialised attention
  double fused_attention = 0;   // share of the peak inside fused attention kernels
  double memory = 0;            // share of the memory bandwidth that streaming kernels reach
  double overlap_slowdown = 0;  // computing time that a collective beside it costs, as a share of
                                // the time that both run: it takes processors and memory bandwidth
  base::Time kernel_overhead;   // added to every operator
};

// One level of the network. Bandwidth: of one device, one direction, bus bandwidth after
// efficiency.
struct Link {
  base::Bandwidth bandwidth;
  base::Time latency;  // of one step
};

struct Machine {
  catalog::Precision precision = catalog::Precision::bf16;  // of the matrix products
  base::WorkRate matmul_peak;                               // dense, in that number format
  base::WorkRate
      attention_peak;  // attention and output head stay in 16 bits when products run in 8
  base::Bandwidth memory_bandwidth;
  Efficiency efficiency;
  Link intra, inter;  // within a node, between nodes
  Link host;  // between a device and host memory; bandwidth 0 unless set_host_link() was called
  base::Bandwidth host_memory;  // of the host, one device's share
  std::int64_t devices_per_node = 1;
};

// UserError "no-efficiency" for a generation without constants, "no-peak" for a number format that
// the device does not have; both name what exists.
Machine machine(const catalog::Catalog& facts, const catalog::System& system,
                catalog::Precision precision);

// Bytes of a weight or an activation in memory: 4 when products read fp32, else 2. Operands of fp8
// products are cast where they are used.
double value_bytes(catalog::Precision precision);

// For what is offloaded: the link of the node and one device's share of its host memory. Leaves the
// bandwidth 0 where the catalogue does not know the link.
void set_host_link(Machine& machine, const catalog::Catalog& facts, const catalog::System& system);

// overhead + max(flops / (peak e), bytes / (bandwidth e_mem)). For a product e = matmul / (1 +
// half_size (1/m + 1/n + 1/k)): each dimension pays for the part of a tile, or of the pipeline,
// that it leaves empty.
base::Time operator_time(const Machine& machine, const Operator& op);
// Part of it during which arithmetic has nothing to do: what bytes take longer than flops. Of a
// product that leaves more than half of its tiles empty (few rows: decoding), all but the time of
// its flops in full tiles.
base::Time starved_time(const Machine& machine, const Operator& op);

// Ranks that exchange data, `per_node` of them in each node they touch.
struct Group {
  std::int64_t ranks = 1;
  std::int64_t per_node = 1;
};

// `data` is the whole buffer: what every rank holds after an all-gather or before a reduce-scatter.
// In bus bandwidth B of one device and step latency a, over n ranks (rings: thakur2005, the tree:
// sanders2009):
//   ring all-gather or reduce-scatter   (n-1) (a + data/n / B)
//   ring all-reduce                   2 (n-1) (a + data/n / B)
//   tree all-reduce                   2 log2(nodes) a + 2 (per_node - 1) a_intra + 2 data / B,
//   between nodes only
//   all-to-all                          (n-1) a + (n-1)/n data / B
// Over several nodes the lesser of one flat ring (its bandwidth is that of the links inside or of
// all network ports of the group in a node together, its latency that of the slower link) and the
// hierarchical form: inside, between (data / per_node), inside.
base::Time all_gather(const Machine& machine, Group group, base::Data data);
base::Time reduce_scatter(const Machine& machine, Group group, base::Data data);
base::Time all_reduce(const Machine& machine, Group group, base::Data data);
// `data` is what one rank sends to all, itself included. Over several nodes the lesser of direct
// sends, which use the links inside and between nodes side by side, and the hierarchical form:
// ranks of a node first collect for each other what goes to the same rank of another node.
base::Time all_to_all(const Machine& machine, Group group, base::Data data);
base::Time point_to_point(const Machine& machine, bool between_nodes, base::Data data);

}  // namespace greenline::model
