// Every trainable tensor of a decoder-only transformer, one by one, as a checkpoint would list
// them: the slow and obvious form of model::count_parameters.
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

inline std::vector<Tensor> tensors(const catalog::ModelShape& s) {
  std::vector<Tensor> all;
  auto linear = [&](const std::string& name, std::int64_t out, std::int64_t in) {
    all.push_back({name + ".weight", {out, in}});
    if (s.biases) all.push_back({name + ".bias", {out}});
  };
  auto norm = [&](const std::string& name) {
    all.push_back({name + ".weight", {s.hidden}});
    if (s.norm == catalog::Norm::layernorm) all.push_back({name + ".bias", {s.hidden}});
  };
  const std::int64_t head = s.hidden / s.heads;
  all.push_back({"token_embedding", {s.vocabulary, s.hidden}});
  if (s.positions == catalog::Positions::learned)
    all.push_back({"position_embedding", {s.sequence_length, s.hidden}});
  for (std::int64_t i = 0; i < s.layers; ++i) {
    const std::string layer = "layer." + std::to_string(i);
    norm(layer + ".attention_norm");
    linear(layer + ".query", s.heads * head, s.hidden);
    linear(layer + ".key", s.kv_heads * head, s.hidden);
    linear(layer + ".value", s.kv_heads * head, s.hidden);
    linear(layer + ".attention_output", s.hidden, s.heads * head);
    norm(layer + ".feed_forward_norm");
    if (s.mlp == catalog::Mlp::swiglu) linear(layer + ".gate", s.ffn_hidden, s.hidden);
    linear(layer + ".up", s.ffn_hidden, s.hidden);
    linear(layer + ".down", s.hidden, s.ffn_hidden);
  }
  norm("final_norm");
  if (!s.tied_embeddings) all.push_back({"output_head", {s.vocabulary, s.hidden}});
  return all;
}

}  // namespace greenline::reference
