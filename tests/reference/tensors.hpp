// Every trainable tensor of a transformer, one by one, as a checkpoint would list them: the slow
// and obvious form of model::count_parameters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/entries.hpp"

namespace greenline::reference {

struct Tensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::int64_t size() const {
    std::int64_t n = 1;
    for (const std::int64_t d : shape) n *= d;
    return n;
  }
};

class TensorList {
 public:
  explicit TensorList(const catalog::ModelShape& shape) : s_(shape) {}

  std::vector<Tensor> read() {
    s_.patches ? image_input() : token_input();
    if (s_.embedding_norm) norm("embedding_norm", s_.hidden);
    for (std::int64_t i = 0; i < s_.layers; ++i) layer(i);
    norm("final_norm", s_.hidden);
    if (s_.patches) {
      if (s_.patches->classes > 0) linear("classifier", s_.patches->classes, s_.hidden, true);
    } else if (!s_.tied_embeddings) {
      all_.push_back({"output_head", {s_.vocabulary, s_.hidden}});
    }
    return all_;
  }

 private:
  void linear(const std::string& name, std::int64_t out, std::int64_t in, bool bias) {
    all_.push_back({name + ".weight", {out, in}});
    if (bias) all_.push_back({name + ".bias", {out}});
  }

  void norm(const std::string& name, std::int64_t width) {
    all_.push_back({name + ".weight", {width}});
    if (s_.norm == catalog::Norm::layernorm) all_.push_back({name + ".bias", {width}});
  }

  void token_input() {
    all_.push_back({"token_embedding", {s_.vocabulary, s_.hidden}});
    const std::int64_t rows = s_.position_rows > 0 ? s_.position_rows : s_.sequence_length;
    if (s_.positions == catalog::Positions::learned)
      all_.push_back({"position_embedding", {rows, s_.hidden}});
  }

  void image_input() {
    const catalog::Patches& p = *s_.patches;
    all_.push_back({"patch_embedding.weight", {s_.hidden, p.channels, p.patch_size, p.patch_size}});
    all_.push_back({"patch_embedding.bias", {s_.hidden}});
    for (std::int64_t i = 0; i < p.class_tokens; ++i) all_.push_back({"class_token", {s_.hidden}});
    const std::int64_t side = p.image_size / p.patch_size;
    all_.push_back({"position_embedding", {side * side + p.class_tokens, s_.hidden}});
  }

  void feed_forward(const std::string& name, std::int64_t width) {
    const bool bias = s_.biases == catalog::Biases::all;
    if (s_.mlp == catalog::Mlp::swiglu) linear(name + ".gate", width, s_.hidden, bias);
    linear(name + ".up", width, s_.hidden, bias);
    linear(name + ".down", s_.hidden, width, bias);
  }

  void attention(const std::string& name) {
    const std::int64_t head = s_.head_size > 0 ? s_.head_size : s_.hidden / s_.heads;
    const bool bias = s_.biases != catalog::Biases::none;
    linear(name + ".query", s_.heads * head, s_.hidden, bias);
    linear(name + ".key", s_.kv_heads * head, s_.hidden, bias);
    linear(name + ".value", s_.kv_heads * head, s_.hidden, bias);
    linear(name + ".output", s_.hidden, s_.heads * head,
           bias && s_.biases != catalog::Biases::query);
    if (s_.query_norms) {
      norm(name + ".query_norm", head);
      norm(name + ".key_norm", head);
    }
  }

  void experts(const std::string& name) {
    const catalog::Experts& e = *s_.experts;
    linear(name + ".router", e.experts, s_.hidden, false);
    for (std::int64_t i = 0; i < e.experts; ++i)
      feed_forward(name + ".experts." + std::to_string(i), e.ffn_hidden);
    if (e.shared == 0) return;
    feed_forward(name + ".shared", e.shared * e.ffn_hidden);
    if (e.shared_gate) linear(name + ".shared_gate", 1, s_.hidden, false);
  }

  void layer(std::int64_t i) {
    const std::string name = "layer." + std::to_string(i);
    for (std::int64_t n = 0; n < s_.layer_norms; ++n)
      norm(name + ".norm." + std::to_string(n), s_.hidden);
    attention(name + ".attention");
    if (s_.experts && i >= s_.experts->dense_layers)
      experts(name);
    else
      feed_forward(name + ".feed_forward", s_.ffn_hidden);
  }

  catalog::ModelShape s_;
  std::vector<Tensor> all_;
};

inline std::vector<Tensor> tensors(const catalog::ModelShape& shape) {
  return TensorList(shape).read();
}

}  // namespace greenline::reference
