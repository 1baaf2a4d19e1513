// Model shapes of the catalogue.
#include <fmt/format.h>

#include "catalog/entries.hpp"
#include "catalog/hugging_face.hpp"
#include "catalog/properties.hpp"

namespace greenline::catalog {
namespace {

std::optional<Experts> experts_of(const Properties& p) {
  if (!p.has("experts")) return std::nullopt;
  Experts e;
  e.experts = p.size("experts");
  e.active = p.size("active_experts");
  e.shared = p.count_or("shared_experts", 0);
  e.ffn_hidden = p.size("expert_ffn_hidden");
  e.dense_layers = p.count_or("dense_layers", 0);
  e.shared_gate = p.count_or("shared_gate", 0) != 0;
  return e;
}

// Tokens of one image where the entry says so; the patches and one class token otherwise.
std::optional<Patches> patches_of(const Properties& p) {
  if (!p.has("patch_size")) return std::nullopt;
  Patches x;
  x.image_size = p.size("image_size", kMostPixels);
  x.patch_size = p.size("patch_size", kMostPixels);
  if (p.has("channels")) x.channels = p.size("channels", kMostPixels);
  x.classes = p.count_or("classes", 0);
  if (p.has("sequence_length")) x.class_tokens = p.size("sequence_length") - x.patches();
  return x;
}

Recommender recommender_of(const Properties& p) {
  Recommender r;
  r.bottom_layers = p.positive("bottom_mlp_layers");
  r.top_layers = p.positive("top_mlp_layers");
  r.mlp_width = p.positive("mlp_width");
  r.tables = p.positive("tables");
  r.rows_per_table = p.positive("rows_per_table");
  r.embedding_dimension = p.positive("embedding_dimension");
  r.pooling_factor = p.positive("pooling_factor");
  if (p.has("interaction"))
    r.interaction = p.choice<Interaction>(
        "interaction", {{"concatenation", Interaction::concatenation}, {"dot", Interaction::dot}});
  return r;
}

void read_layers(const Properties& p, ModelShape& m) {
  m.layers = p.size("layers");
  m.hidden = p.size("hidden");
  m.heads = p.size("heads");
  m.kv_heads = p.size_or("kv_heads", m.heads);
  m.ffn_hidden = p.size("ffn_hidden");
  m.head_size = p.size_or("head_size", 0);
  m.mlp = p.choice<Mlp>("mlp", {{"gelu", Mlp::gelu}, {"swiglu", Mlp::swiglu}});
  m.norm = p.choice<Norm>("norm", {{"layernorm", Norm::layernorm}, {"rmsnorm", Norm::rmsnorm}});
  m.positions = p.choice<Positions>(
      "positional",
      {{"learned", Positions::learned}, {"rotary", Positions::rotary}, {"none", Positions::none}});
  m.biases = p.count_or("biases", 1) != 0 ? Biases::all : Biases::none;
  if (m.biases == Biases::none && p.count_or("query_biases", 0) != 0) m.biases = Biases::query;
  m.query_norms = p.count_or("query_norms", 0) != 0;
  m.dropout = p.count_or("dropout", 0) != 0;
}

void read_ends(const Properties& p, ModelShape& m) {
  m.patches = patches_of(p);
  if (m.patches) {
    m.kind = ModelKind::vision;
    m.sequence_length = m.patches->tokens();
    m.vocabulary = p.size_or("vocabulary", 0);
    m.tied_embeddings = p.count_or("tied_embeddings", 0) != 0;
    return;
  }
  m.vocabulary = p.size("vocabulary");
  m.sequence_length = p.size("sequence_length");
  m.tied_embeddings = p.facts().integer(p.id("tied_embeddings")) != 0;
}

// Where an entry is only another name, the one that it names.
std::string entry_of(const Catalog& facts, std::string_view name) {
  const std::string id = fmt::format("{}.same_as", name);
  if (!facts.peek(id)) return std::string(name);
  std::string entry = facts.text(id);
  facts.require_entry("models", entry, "model");
  return entry;
}

}  // namespace

std::string why_no_shape(const ModelShape& m) {
  if (m.recommender) return "";
  if (m.head_size == 0 && m.hidden % m.heads != 0)
    return fmt::format("hidden {} is not a multiple of heads {}", m.hidden, m.heads);
  if (m.heads % m.kv_heads != 0)
    return fmt::format("heads {} is not a multiple of kv_heads {}", m.heads, m.kv_heads);
  if (m.experts && m.experts->active > m.experts->experts)
    return fmt::format("{} active experts of {} experts", m.experts->active, m.experts->experts);
  if (m.experts && m.experts->dense_layers >= m.layers)
    return fmt::format("{} dense layers leave none of {} to the experts", m.experts->dense_layers,
                       m.layers);
  if (m.patches && m.patches->class_tokens < 0)
    return fmt::format("{} tokens for {} patches", m.sequence_length, m.patches->patches());
  if (m.patches && m.patches->patch_size > m.patches->image_size)
    return fmt::format("patches of {} pixels in images of {}", m.patches->patch_size,
                       m.patches->image_size);
  return "";
}

ModelShape model_shape(const Catalog& facts, std::string_view name) {
  if (name.ends_with(".json")) return import_hugging_face(std::string(name), facts.journal());
  facts.require_entry("models", name, "model");
  const Properties p(facts, entry_of(facts, name));
  ModelShape m;
  m.id = p.entry();
  m.name = facts.text_or(p.id("name"), m.id);
  m.family = facts.text_or(p.id("family"), "");
  m.dense_bytes = facts.maybe<double>(p.id("dense_bytes")).value_or(2);
  m.embedding_bytes = facts.maybe<double>(p.id("embedding_bytes")).value_or(2);
  m.parameters_published = facts.maybe<double>(p.id("parameters_published"));
  m.batch_tokens = facts.maybe<double>(p.id("batch_tokens"));
  if (p.has("tables")) {
    m.kind = ModelKind::recommender;
    m.recommender = recommender_of(p);
    return m;
  }
  read_layers(p, m);
  read_ends(p, m);
  m.experts = experts_of(p);
  if (const std::string why = why_no_shape(m); !why.empty())
    throw base::UserError("bad-shape", fmt::format("model {}: {}", m.id, why));
  m.head_size = m.attention_head();
  return m;
}

}  // namespace greenline::catalog
