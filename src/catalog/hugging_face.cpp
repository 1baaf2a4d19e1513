#include "catalog/hugging_face.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "catalog/hugging_face_keys.hpp"
#include "io/file.hpp"
#include "io/json.hpp"

namespace greenline::catalog {
namespace {

// Attention of LLaMA and what took it over. Four biases of attention, or of all linear layers.
void read_llama(const ConfigKeys& k, ModelShape& m) {
  if (k.flag_or("attention_bias", false)) m.biases = Biases::attention;
  if (!k.flag_or("mlp_bias", false)) return;
  if (m.biases != Biases::attention)
    unsupported_config(k, "mlp_bias", "biases of the feed-forward part alone");
  m.biases = Biases::all;
}

// The first layers may have an ordinary feed-forward part, any others may not.
std::int64_t dense_layers_of(const ConfigKeys& k) {
  if (k.size_or("decoder_sparse_step|moe_layer_freq", 1) != 1)
    unsupported_config(k, "decoder_sparse_step|moe_layer_freq", "expert layers between dense ones");
  const io::Value* list = k.find("mlp_only_layers");
  if (list == nullptr) return k.count_or("first_k_dense_replace", 0);
  std::int64_t next = 0;
  for (const io::Value& layer : list->as_array())
    if (layer.as_int() != next++)
      unsupported_config(k, "mlp_only_layers", "expert layers between dense ones");
  return next;
}

void read_mixtral(const ConfigKeys& k, ModelShape& m) {
  m.experts = Experts{.experts = k.size("num_local_experts"),
                      .active = k.size("num_experts_per_tok"),
                      .ffn_hidden = m.ffn_hidden};
}

void read_experts(const ConfigKeys& k, ModelShape& m) {
  m.experts = Experts{.experts = k.size("num_experts|n_routed_experts"),
                      .active = k.size("num_experts_per_tok"),
                      .shared = k.count_or("n_shared_experts", 0),
                      .ffn_hidden = k.size("moe_intermediate_size"),
                      .dense_layers = dense_layers_of(k)};
}

void read_qwen2(const ConfigKeys&, ModelShape& m) { m.biases = Biases::query; }

void read_qwen2_moe(const ConfigKeys& k, ModelShape& m) {
  m.biases = Biases::query;
  read_experts(k, m);
  const std::int64_t shared = k.size("shared_expert_intermediate_size");
  if (shared % m.experts->ffn_hidden != 0)
    unsupported_config(
        k, "shared_expert_intermediate_size",
        fmt::format("a shared expert of {} that is no multiple of the routed ones' {}", shared,
                    m.experts->ffn_hidden));
  m.experts->shared = shared / m.experts->ffn_hidden;
  m.experts->shared_gate = true;
}

void read_qwen3(const ConfigKeys& k, ModelShape& m) {
  read_llama(k, m);
  m.query_norms = true;
  if (!k.has("head_dim")) m.head_size = 128;
}

void read_qwen3_moe(const ConfigKeys& k, ModelShape& m) {
  read_qwen3(k, m);
  read_experts(k, m);
}

void read_deepseek(const ConfigKeys& k, ModelShape& m) {
  read_llama(k, m);
  if (k.has("n_routed_experts")) read_experts(k, m);
}

void read_gemma(const ConfigKeys& k, ModelShape& m) {
  read_llama(k, m);
  if (!k.has("head_dim")) m.head_size = 256;
}

void read_gemma2(const ConfigKeys& k, ModelShape& m) {
  read_gemma(k, m);
  m.layer_norms = 4;
}

void read_gpt_neox(const ConfigKeys& k, ModelShape&) {
  if (!k.flag_or("attention_bias", true))
    unsupported_config(k, "attention_bias", "biases of the feed-forward part alone");
}

void read_opt(const ConfigKeys& k, ModelShape& m) {
  if (k.size_or("word_embed_proj_dim", m.hidden) != m.hidden)
    unsupported_config(k, "word_embed_proj_dim", "embeddings that are projected to another width");
  if (!k.flag_or("do_layer_norm_before", true))
    unsupported_config(k, "do_layer_norm_before", "norms after the residual sums");
  if (!k.flag_or("enable_bias", true)) m.biases = Biases::none;
  m.position_rows = m.sequence_length + 2;  // two of them are never looked up
}

void read_bloom(const ConfigKeys&, ModelShape& m) { m.embedding_norm = true; }

void read_falcon(const ConfigKeys& k, ModelShape& m) {
  const bool grouped = k.flag_or("new_decoder_architecture", false);
  if (grouped)
    m.kv_heads = k.size_or("num_kv_heads", m.heads);
  else if (k.flag_or("multi_query", true))
    m.kv_heads = 1;
  if (k.flag_or("alibi", false)) m.positions = Positions::none;
  if (k.flag_or("bias", false)) m.biases = Biases::all;
  if (grouped)
    m.layer_norms = k.size_or("num_ln_in_parallel_attn", 2);
  else if (k.flag_or("parallel_attn", true))
    m.layer_norms = 1;
}

std::int64_t num_classes(const ConfigKeys& k) {
  if (const io::Value* labels = k.find("id2label"))
    return static_cast<std::int64_t>(labels->as_object().size());
  return k.count_or("num_labels", 0);
}

void read_vit(const ConfigKeys& k, ModelShape& m) {
  if (!k.flag_or("qkv_bias", true))
    unsupported_config(k, "qkv_bias", "biases of all linear layers but query, key and value");
  m.kind = ModelKind::vision;
  m.patches = Patches{.image_size = k.size("image_size", kMostPixels),
                      .patch_size = k.size("patch_size", kMostPixels),
                      .classes = num_classes(k)};
  if (k.has("num_channels")) m.patches->channels = k.size("num_channels", kMostPixels);
  m.sequence_length = m.patches->tokens();
}

// Names of the sizes in the file. An empty one, or one after '?' that is not there, has the value
// that all models of the architecture have.
struct SizeKeys {
  const char *layers, *hidden, *heads, *kv_heads, *ffn, *context;
};
constexpr SizeKeys kSizes = {"num_hidden_layers",   "hidden_size",       "num_attention_heads",
                             "num_key_value_heads", "intermediate_size", "max_position_embeddings"};
constexpr SizeKeys kGpt2Sizes = {"n_layer|num_hidden_layers",
                                 "n_embd|hidden_size",
                                 "n_head|num_attention_heads",
                                 "",
                                 "?n_inner",
                                 "n_positions|n_ctx|max_position_embeddings"};
constexpr SizeKeys kOptSizes = {
    "num_hidden_layers",      "hidden_size", "num_attention_heads", "", "ffn_dim",
    "max_position_embeddings"};
constexpr SizeKeys kBloomSizes = {"n_layer|num_hidden_layers",
                                  "hidden_size|n_embed",
                                  "n_head|num_attention_heads",
                                  "",
                                  "?n_inner",
                                  "?seq_length"};
constexpr SizeKeys kFalconSizes = {"num_hidden_layers|n_layer",  "hidden_size",
                                   "num_attention_heads|n_head", "",
                                   "?ffn_hidden_size",           "?max_position_embeddings"};
constexpr SizeKeys kVitSizes = {
    "num_hidden_layers", "hidden_size", "num_attention_heads", "", "intermediate_size", ""};
constexpr std::int64_t kOldContext = 2048;  // of BLOOM and Falcon, whose files may not say it

struct Architecture {
  const char* type;
  const char* family;
  SizeKeys sizes;
  Mlp mlp;
  Norm norm;
  Positions positions;
  Biases biases;
  bool tied, dropout;  // where the file does not say
  void (*read_more)(const ConfigKeys&, ModelShape&);
};

constexpr Architecture llama_like(const char* type, bool tied,
                                  void (*read_more)(const ConfigKeys&, ModelShape&)) {
  return {type,         "llama", kSizes, Mlp::swiglu, Norm::rmsnorm, Positions::rotary,
          Biases::none, tied,    false,  read_more};
}

constexpr Architecture kArchitectures[] = {
    {"bloom", "bloom", kBloomSizes, Mlp::gelu, Norm::layernorm, Positions::none, Biases::all, true,
     false, read_bloom},
    llama_like("deepseek", false, read_deepseek),
    {"falcon", "falcon", kFalconSizes, Mlp::gelu, Norm::layernorm, Positions::rotary, Biases::none,
     true, false, read_falcon},
    llama_like("gemma", true, read_gemma),
    llama_like("gemma2", true, read_gemma2),
    {"gpt2", "gpt", kGpt2Sizes, Mlp::gelu, Norm::layernorm, Positions::learned, Biases::all, true,
     true, nullptr},
    {"gpt_neox", "gpt-neox", kSizes, Mlp::gelu, Norm::layernorm, Positions::rotary, Biases::all,
     false, false, read_gpt_neox},
    llama_like("llama", false, read_llama),
    llama_like("mistral", false, nullptr),
    llama_like("mixtral", false, read_mixtral),
    {"opt", "opt", kOptSizes, Mlp::gelu, Norm::layernorm, Positions::learned, Biases::all, true,
     true, read_opt},
    llama_like("phi3", false, nullptr),
    llama_like("qwen2", false, read_qwen2),
    llama_like("qwen2_moe", false, read_qwen2_moe),
    llama_like("qwen3", false, read_qwen3),
    llama_like("qwen3_moe", false, read_qwen3_moe),
    {"vit", "vit", kVitSizes, Mlp::gelu, Norm::layernorm, Positions::learned, Biases::all, false,
     false, read_vit},
};

const Architecture& architecture_of(const ConfigKeys& k) {
  const io::Value* type = k.find("model_type");
  if (type == nullptr)
    throw base::DataError("bad-config", "the configuration has no model_type",
                          "is it the config.json of a Transformers model?", k.root().where());
  for (const Architecture& a : kArchitectures)
    if (type->as_text() == a.type) return a;
  unsupported_config(k, "model_type",
                     fmt::format("architecture {}", base::quoted(type->as_text())));
}

// What changes a layer whatever the architecture calls itself.
void refuse_what_no_layer_has(const ConfigKeys& k) {
  const auto refuse = [&](const char* key, const char* what) {
    const std::string type = k.text_or("model_type", "");
    unsupported_config(k, key, fmt::format("architecture {}, {}", base::quoted(type), what));
  };
  if (k.has("kv_lora_rank"))
    refuse("kv_lora_rank", "whose keys and values are compressed (latent attention)");
  for (const char* key : {"text_config", "vision_config"})
    if (k.has(key)) refuse(key, "which holds several models");
  if (k.flag_or("is_encoder_decoder", false))
    refuse("is_encoder_decoder", "an encoder and a decoder");
  if (k.flag_or("add_cross_attention", false))
    refuse("add_cross_attention", "whose layers attend to another model");
}

// Any share of dropped values needs a mask.
bool has_dropout(const ConfigKeys& k, bool otherwise) {
  bool said = false;
  for (const char* key :
       {"resid_pdrop", "attn_pdrop", "embd_pdrop", "dropout", "hidden_dropout", "attention_dropout",
        "hidden_dropout_prob", "attention_probs_dropout_prob"}) {
    if (k.number_or(key, 0) > 0) return true;
    said = said || k.has(key);
  }
  return otherwise && !said;
}

constexpr const char* kRopeTables[] = {"rope_scaling", "rope_parameters"};
constexpr const char* kOriginal = "original_max_position_embeddings";

// The length that the model was trained with, where a longer context was added afterwards.
std::int64_t context_of(const ConfigKeys& k, const char* keys) {
  if (*keys == '?') return k.size_or(keys + 1, kOldContext);
  for (const char* scaling : kRopeTables) {
    const io::Value* table = k.find(scaling);
    if (table == nullptr || !table->is_object()) continue;
    const ConfigKeys inner(*table);
    if (inner.has(kOriginal)) return inner.size(kOriginal);
  }
  return k.size(k.has(kOriginal) ? kOriginal : keys);
}

void read_sizes(const ConfigKeys& k, const SizeKeys& keys, ModelShape& m) {
  m.layers = k.size(keys.layers);
  m.hidden = k.size(keys.hidden);
  m.heads = k.size(keys.heads);
  m.kv_heads = k.size_or(keys.kv_heads, m.heads);
  m.ffn_hidden = *keys.ffn == '?' ? k.size_or(keys.ffn + 1, 4 * m.hidden) : k.size(keys.ffn);
  m.head_size = k.size_or("head_dim", 0);
  if (*keys.context == '\0') return;
  m.vocabulary = k.size("vocab_size");
  m.sequence_length = context_of(k, keys.context);
}

// "owner/model" or "model", not a path on someone's machine.
bool is_name(std::string_view text) {
  constexpr std::size_t kMost = 100;
  if (text.empty() || text.size() > kMost || std::count(text.begin(), text.end(), '/') > 1)
    return false;
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0; };
  return is_plain(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return is_plain(static_cast<unsigned char>(c)) ||
                  std::string_view("-_./").find(c) != std::string_view::npos;
         });
}

void note(base::Journal* journal, const std::string& name, const std::string& text) {
  if (journal != nullptr) journal->notice(fmt::format("{}: {}", name, text));
}

// "yarn" of a table that stretches positions; "" of one that does not.
std::string rope_kind(const ConfigKeys& k) {
  for (const char* scaling : kRopeTables) {
    const io::Value* table = k.find(scaling);
    if (table == nullptr || !table->is_object()) continue;
    std::string kind = ConfigKeys(*table).text_or("rope_type|type", "default");
    if (kind != "default") return kind;
  }
  return "";
}

// Stretched positions cost nothing more, but the length is then a choice.
void note_context(const ConfigKeys& k, const ModelShape& m, const std::string& name,
                  base::Journal* journal) {
  const std::int64_t most = k.size_or("max_position_embeddings", m.sequence_length);
  const std::string kind = rope_kind(k);
  if (kind.empty() && most == m.sequence_length) return;
  note(
      journal, name,
      fmt::format("positions are stretched after training{}: sequences are taken as {} tokens, the "
                  "file allows {}; the stretching itself costs nothing here",
                  kind.empty() ? "" : " (rope_scaling " + kind + ")", m.sequence_length, most));
}

// What changes cost and has no word in a shape.
void note_what_is_left_out(const ConfigKeys& k, const ModelShape& m, const std::string& name,
                           base::Journal* journal) {
  note_context(k, m, name, journal);
  const std::int64_t window = k.count_or("sliding_window", 0);  // 0: none
  // A longer sequence than the trained one may be asked for.
  const std::int64_t longest = k.size_or("max_position_embeddings", m.sequence_length);
  if (window > 0 && window < longest && k.flag_or("use_sliding_window", true))
    note(journal, name,
         fmt::format("sliding_window {} is not modelled: every token attends to all before it, of "
                     "up to {}",
                     window, longest));
  for (const char* key : {"attn_logit_softcapping", "final_logit_softcapping"})
    if (k.has(key)) note(journal, name, fmt::format("{} is not modelled", key));
  if (k.has("quantization_config"))
    note(journal, name,
         "quantization_config is not modelled: a weight has the bytes of the precision of the run, "
         "not those of the file");
  if (k.count_or("num_nextn_predict_layers", 0) > 0)
    note(journal, name, "num_nextn_predict_layers is not modelled");
}

}  // namespace

std::vector<std::string> hugging_face_types() {
  std::vector<std::string> types;
  for (const Architecture& a : kArchitectures) types.emplace_back(a.type);
  return types;
}

ModelShape parse_hugging_face(std::string_view text, const std::string& name,
                              base::Journal* journal) {
  const io::Value root = io::parse_json(text, name);
  root.as_object();  // or "wrong-type"
  const ConfigKeys k(root);
  refuse_what_no_layer_has(k);
  const Architecture& a = architecture_of(k);
  ModelShape m;
  m.id = k.text_or("_name_or_path", "");
  if (!is_name(m.id)) m.id = std::filesystem::path(name).stem().string();
  m.name = m.id;
  m.family = a.family;
  m.mlp = a.mlp;
  m.norm = a.norm;
  m.positions = a.positions;
  m.biases = a.biases;
  m.tied_embeddings = k.flag_or("tie_word_embeddings", a.tied);
  m.dropout = has_dropout(k, a.dropout);
  read_sizes(k, a.sizes, m);
  if (a.read_more != nullptr) a.read_more(k, m);
  if (const std::string why = why_no_shape(m); !why.empty())
    throw base::DataError("bad-shape", why, "", root.where());
  m.head_size = m.attention_head();
  note(journal, name,
       fmt::format("shape of {} ({}), {} tokens unless another length is given", m.id, a.type,
                   m.sequence_length));
  note_what_is_left_out(k, m, name, journal);
  return m;
}

ModelShape import_hugging_face(const std::string& path, base::Journal* journal) {
  return parse_hugging_face(io::read_file(path, journal), path, journal);
}

}  // namespace greenline::catalog
