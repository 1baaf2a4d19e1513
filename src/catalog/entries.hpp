// Catalogue entries as typed values: accelerators, systems (a node and how nodes are joined), model
// shapes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/estimate.hpp"
#include "base/quantity.hpp"
#include "catalog/catalog.hpp"

namespace greenline::catalog {

enum class Precision : std::uint8_t { fp32, tf32, fp16, bf16, fp8 };
inline constexpr int kNumPrecisions = 5;
const char* precision_name(Precision p);

// One accelerator. Peaks are dense (never sparse), per device.
struct Accelerator {
  std::string id, name, generation;  // generation: "volta", "ampere", "hopper"
  std::array<std::optional<base::WorkRate>, kNumPrecisions> peak;  // by Precision
  base::Data memory;
  base::Bandwidth memory_bandwidth;
  base::Power tdp;
};
Accelerator accelerator(const Catalog& facts, std::string_view id);

// A node of equal accelerators and its networks. Bandwidths are per device, one direction, bus
// bandwidth.
struct System {
  std::string id, name;
  Accelerator device;
  std::int64_t devices_per_node = 1;
  base::Bandwidth intra_bandwidth;       // within the node
  base::Bandwidth inter_bandwidth;       // between nodes
  std::optional<base::Power> max_power;  // of the node, where the vendor states it
};
System system(const Catalog& facts, std::string_view id);

// Generation of the device of a node, or of an accelerator; "" when the catalogue does not know it.
std::string generation_of(const Catalog& facts, std::string_view node_or_accelerator);

enum class Mlp : std::uint8_t { gelu, swiglu };
enum class Norm : std::uint8_t { layernorm, rmsnorm };
enum class Positions : std::uint8_t { learned, rotary };

// A dense decoder-only transformer.
struct ModelShape {
  std::string id, name, family;
  std::int64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, ffn_hidden = 0, vocabulary = 0;
  std::int64_t sequence_length = 0;  // of training
  Mlp mlp = Mlp::gelu;
  Norm norm = Norm::layernorm;
  Positions positions = Positions::learned;
  bool tied_embeddings = true, biases = true;
  std::optional<double> parameters_published;
  std::optional<double> batch_tokens;  // global batch of its training, tokens, where published
};
ModelShape model_shape(const Catalog& facts, std::string_view id);

// Someone's measurement of a model on a system.
struct Anchor {
  std::string id, model, system, precision, strategy, note, source;
  std::string recompute;
  std::int64_t devices = 0;
  std::optional<double> tokens;           // of the whole run
  std::optional<base::Rate> token_rate;   // tokens of one device
  std::optional<base::Time> device_time;  // of all devices together
  std::optional<double> sequence_length, micro_batch, global_batch, interleave;
  std::optional<base::Time> iteration_time;
  std::optional<base::WorkRate> work_rate;  // of one device, in the FLOP count of the source
  std::optional<base::Power> node_power;
  std::optional<base::Data> memory;

  // Tokens of one device, stated or from a run's tokens and device-hours or an iteration's batch
  // and time.
  std::optional<base::Rate> rate() const;
  // The rate is that of a whole run, from its device-hours: restarts, stalls and evaluation are in.
  // Else it is that of training steps.
  bool is_whole_run() const;
};
std::vector<Anchor> anchors(const Catalog& facts);

}  // namespace greenline::catalog
