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
  base::Bandwidth intra_bandwidth;                // within the node
  base::Bandwidth inter_bandwidth;                // between nodes
  std::optional<base::Power> max_power;           // of the node, where the vendor states it
  std::optional<base::Bandwidth> host_bandwidth;  // to host memory, per device, one direction
  std::optional<base::MoneyRate> price;           // of one device, on demand
};
System system(const Catalog& facts, std::string_view id);

// Generation of the device of a node, or of an accelerator; "" when the catalogue does not know it.
std::string generation_of(const Catalog& facts, std::string_view node_or_accelerator);

enum class Mlp : std::uint8_t { gelu, swiglu };
enum class Norm : std::uint8_t { layernorm, rmsnorm };
// Learned rows, rotated queries and keys, or none of both: biases of the scores (ALiBi).
enum class Positions : std::uint8_t { learned, rotary, none };

// Which linear layers of a transformer layer have a bias: none; query, key and value; all of
// attention; every one.
enum class Biases : std::uint8_t { none, query, attention, all };

// What a model reads: text one token after the other, an image in patches at once, or categorical
// features through embedding tables.
enum class ModelKind : std::uint8_t { decoder, vision, recommender };

// Feed-forward layers that route each token to `active` of `experts` (and through `shared` ones
// always).
struct Experts {
  std::int64_t experts = 0, active = 0, shared = 0;
  std::int64_t ffn_hidden = 0;    // of one expert
  std::int64_t dense_layers = 0;  // first layers that have an ordinary feed-forward part instead
  bool shared_gate = false;       // the shared experts are weighted by a gate of their own
};

// Square images cut into square patches; a patch is a token.
struct Patches {
  std::int64_t image_size = 0, patch_size = 0;  // pixels
  std::int64_t channels = 3;
  std::int64_t class_tokens = 1;  // tokens that stand beside the patches
  std::int64_t classes = 0;       // width of the classifier; 0: none

  std::int64_t patches() const {
    const std::int64_t side = image_size / patch_size;
    return side * side;
  }
  std::int64_t tokens() const { return patches() + class_tokens; }
  std::int64_t pixels() const { return channels * patch_size * patch_size; }  // of one patch
};

// How the pooled embeddings meet the output of the bottom layers: side by side, or as dot products
// of all pairs.
enum class Interaction : std::uint8_t { concatenation, dot };

// Embedding tables, and two stacks of square layers below and above the feature interaction.
struct Recommender {
  std::int64_t bottom_layers = 0, top_layers = 0, mlp_width = 0;
  std::int64_t tables = 0, rows_per_table = 0, embedding_dimension = 0;
  std::int64_t pooling_factor = 0;  // rows that one sample reads of each table
  Interaction interaction = Interaction::concatenation;
};

// A transformer, or a recommendation model: then `recommender` is set and of the rest only id, name
// and value sizes count.
struct ModelShape {
  std::string id, name, family;
  ModelKind kind = ModelKind::decoder;
  std::int64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, ffn_hidden = 0, vocabulary = 0;
  std::int64_t sequence_length = 0;  // of training
  Mlp mlp = Mlp::gelu;
  Norm norm = Norm::layernorm;
  Positions positions = Positions::learned;
  Biases biases = Biases::all;
  bool tied_embeddings = true;
  std::int64_t head_size = 0;      // of one attention head; 0: hidden / heads
  bool dropout = false;            // while training: masks are made and kept
  bool query_norms = false;        // queries and keys are normalised, head by head
  std::int64_t layer_norms = 2;    // in one layer
  bool embedding_norm = false;     // one more after the embedding
  std::int64_t position_rows = 0;  // of a learned position embedding; 0: sequence_length
  std::optional<Experts> experts;
  std::optional<Patches> patches;
  std::optional<Recommender> recommender;
  double dense_bytes = 2, embedding_bytes = 2;  // of one parameter, as the model was published
  std::optional<double> parameters_published;
  std::optional<double> batch_tokens;  // global batch of its training, tokens, where published

  // 0 for a recommender.
  std::int64_t attention_head() const {
    return head_size > 0 || heads == 0 ? head_size : hidden / heads;
  }
  std::int64_t query_width() const { return heads * attention_head(); }
  std::int64_t key_width() const { return kv_heads * attention_head(); }  // and of the values
  // Matrices that feed the activation function.
  std::int64_t ffn_inputs() const { return mlp == Mlp::swiglu ? 2 : 1; }
};

// The shape of a catalogue entry, or of another one where that entry is only a name for it
// (`same_as`); of a Hugging Face config.json where `name` ends in .json, see hugging_face.hpp.
// UserError "unknown-model" with the nearest, "bad-shape" for sizes that contradict each other.
ModelShape model_shape(const Catalog& facts, std::string_view name);

// "" when the sizes go together, else why not: "heads 63 is not a multiple of kv_heads 8".
std::string why_no_shape(const ModelShape& shape);

// Someone's measurement of a model on a system.
struct Anchor {
  std::string id, model, system, precision, strategy, note, source;
  std::string recompute;
  std::string kernels;          // "eager": one for each primitive operation
  bool overlap_tensor = false;  // asynchronous tensor parallelism
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
