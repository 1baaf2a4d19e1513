// An iteration by the rules of hsia2024, slow and obvious: plain seconds, tasks by name, one
// function for recommenders and one for transformers, each written from the published rules alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plan/madmax.hpp"

namespace greenline::reference {

struct Streams {
  double compute = 0, communication = 0;  // s, tails
  std::map<std::string, double> end;      // by name
  std::map<std::string, double> busy;     // by kind

  void run(bool computes, const std::string& kind, const std::string& name, double seconds,
           const std::vector<std::string>& after) {
    double& tail = computes ? compute : communication;
    for (const std::string& before : after)
      if (const auto it = end.find(before); it != end.end()) tail = std::max(tail, it->second);
    tail += seconds;
    end[name] = tail;
    busy[kind] += seconds;
  }
  void join() { compute = communication = last(); }
  double last() const { return std::max(compute, communication); }
};

// What a row of the published tables holds, plain.
struct MadmaxInput {
  std::vector<std::string> dense;  // "ddp", "fsdp", "tp"
  std::vector<double> degree;      // (num_levels)
  double local_dense = 0, local_embedding = 0;
  double embedding_degree = 0;  // of sharded tables; 0: replicated
  bool trains = true, prefetch = false;
  double flops = 0, memory = 0;  // per s, as reached
  std::vector<double> all_to_all,
      all_reduce;  // B/s, a node's and the machine's, or one for one node

  double at(const std::vector<double>& bandwidths, std::size_t level, std::size_t levels) const {
    return bandwidths[bandwidths.size() - levels + level];
  }
  double product(const std::string& kinds) const {
    double out = 1;
    for (std::size_t i = 0; i < dense.size(); ++i)
      if (kinds.find(" " + dense[i] + " ") != std::string::npos) out *= degree[i];
    return out;
  }
  double shards() const { return product(" tp fsdp "); }
  double tensor() const { return product(" tp "); }
  bool is_fsdp() const { return dense[0] == "fsdp"; }
  double gather(double weights) const {
    return weights / shards() * degree[0] / (2 * at(all_reduce, 0, dense.size()));
  }
};

// Collectives after the backward pass of one layer, in the order of the strategy.
inline void after_backward(Streams& s, const MadmaxInput& x, const std::string& layer,
                           double weights, double activations, bool reduces) {
  double left = x.shards();
  for (std::size_t i = 0; i < x.dense.size(); ++i) {
    const double bandwidth = x.at(x.all_reduce, i, x.dense.size());
    if (x.dense[i] == "fsdp") {
      s.run(false, "rs", "scatter " + layer, x.gather(weights), {"backward " + layer});
      left /= x.degree[i];
    } else if (x.dense[i] == "tp") {
      if (reduces)
        s.run(false, "ar", "reduced " + layer, activations / bandwidth, {"backward " + layer});
      left /= x.degree[i];
    } else {
      s.run(false, "ar", "gradient " + layer, weights / left / bandwidth, {"backward " + layer});
    }
  }
}

inline void tensor_reduce(Streams& s, const MadmaxInput& x, const std::string& layer,
                          double activations) {
  for (std::size_t i = 0; i < x.dense.size(); ++i)
    if (x.dense[i] == "tp")
      s.run(false, "ar", "reduced " + layer, activations / x.at(x.all_reduce, i, x.dense.size()),
            {"forward " + layer});
}

inline Streams recommender(const catalog::ModelShape& shape, const MadmaxInput& x) {
  const catalog::Recommender& r = *shape.recommender;
  const auto width = static_cast<double>(r.mlp_width);
  const double parameters = width * width, weights = parameters * shape.dense_bytes;
  const double activations = x.local_dense * width * shape.dense_bytes;
  const double looked_up = static_cast<double>(r.tables) * static_cast<double>(r.pooling_factor) *
                           static_cast<double>(r.embedding_dimension) * shape.embedding_bytes *
                           x.local_embedding / x.embedding_degree;
  const double exchange = 2 * looked_up / x.embedding_degree / x.all_to_all.back();
  const double forward = 2 * parameters * x.local_dense / x.tensor() / x.flops;
  const int n = static_cast<int>(r.bottom_layers + r.top_layers);
  const auto name = [](int i) { return std::to_string(i); };
  Streams s;
  s.run(true, "emb", "lookup", looked_up / x.memory, {});
  s.run(false, "a2a", "exchange", exchange, {"lookup"});
  for (int i = 0; i < n; ++i) {
    if (x.is_fsdp())
      s.run(false, "ag", "gather " + name(i), x.gather(weights), {"forward " + name(i - 2)});
    s.run(true, "gemm", "forward " + name(i), forward,
          {"gather " + name(i), "reduced " + name(i - 1), i == r.bottom_layers ? "exchange" : ""});
    if (i % 2 == 1) tensor_reduce(s, x, name(i), activations);
  }
  if (!x.trains) return s;
  s.join();
  s.end.clear();
  for (int i = n - 1; i >= 0; --i) {
    if (x.is_fsdp())
      s.run(false, "ag", "gather " + name(i), x.gather(weights), {"backward " + name(i + 2)});
    s.run(true, "gemm", "backward " + name(i), 2 * forward,
          {"gather " + name(i), "reduced " + name(i + 1)});
    after_backward(s, x, name(i), weights, activations, i % 2 == 0);
    if (i == r.bottom_layers) s.run(false, "a2a", "exchange", exchange, {"backward " + name(i)});
  }
  s.run(true, "emb", "lookup", looked_up / x.memory, {"exchange"});
  return s;
}

inline Streams transformer(const catalog::ModelShape& shape, double tokens, const MadmaxInput& x) {
  const auto hidden = static_cast<double>(shape.hidden);
  const double activations = x.local_dense * tokens * hidden * shape.dense_bytes;
  double looked_up = 2 * tokens * hidden * shape.embedding_bytes * x.local_embedding;
  if (x.embedding_degree > 0) looked_up /= x.embedding_degree;
  const double exchange =
      x.embedding_degree > 0 ? 2 * looked_up / x.embedding_degree / x.all_to_all.back() : 0;
  const int n = 2 * static_cast<int>(shape.layers);  // attention, feed-forward, attention, ...
  const auto parameters = [&](int i) {
    return i % 2 == 0 ? 4 * hidden * hidden : 2 * hidden * static_cast<double>(shape.ffn_hidden);
  };
  const auto name = [](int i) {
    return (i % 2 == 0 ? "attention " : "feed-forward ") + std::to_string(i / 2);
  };
  const auto weights = [&](int i) { return parameters(i) * shape.dense_bytes; };
  const auto forward = [&](int i) {
    return 2 * parameters(i) * tokens * x.local_dense / x.tensor() / x.flops;
  };
  Streams s;
  s.run(true, "emb", "lookup", looked_up / x.memory, {});
  if (x.embedding_degree > 0) s.run(false, "a2a", "exchange", exchange, {"lookup"});
  for (int i = 0; i < n; ++i) {
    if (x.is_fsdp())
      s.run(false, "ag", "gather " + name(i), x.gather(weights(i)),
            {i < 2 ? "" : "forward " + name(i - 2)});
    s.run(true, "gemm", "forward " + name(i), forward(i),
          {"gather " + name(i), i == 0 ? "exchange" : "reduced " + name(i - 1)});
    tensor_reduce(s, x, name(i), activations);
  }
  if (!x.trains) return s;
  s.join();
  s.end.clear();
  for (int i = n - 1; i >= 0; --i) {
    if (x.is_fsdp() && (!x.prefetch || i == n - 1))
      s.run(false, "ag", "gather " + name(i), x.gather(weights(i)),
            {x.prefetch ? "" : "backward " + name(i + 2)});
    s.run(true, "gemm", "backward " + name(i), 2 * forward(i),
          {"gather " + name(i), "reduced " + name(i + 1)});
    if (x.is_fsdp() && x.prefetch && i > 0)
      s.run(false, "ag", "gather " + name(i - 1), x.gather(weights(i - 1)), {});
    after_backward(s, x, name(i), weights(i), activations, true);
  }
  if (x.embedding_degree > 0) s.run(false, "a2a", "exchange", exchange, {"backward " + name(0)});
  s.join();
  s.run(true, "emb", "lookup", looked_up / x.memory, {});
  if (x.embedding_degree == 0)
    s.run(false, "ar", "rows", looked_up / x.all_reduce.back(), {"lookup"});
  return s;
}

}  // namespace greenline::reference
