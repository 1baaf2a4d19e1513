// A recommendation model as operators.
#include "model/workload.hpp"

namespace greenline::model {
namespace {

namespace units = base::units;
using base::Data;
using base::Work;
using catalog::Recommender;

constexpr double kStateBytes = 4;  // of row-wise Adagrad, a row

// (m x k) by (k x n).
Operator product(const char* name, double m, double n, double k, double value_bytes) {
  return {name,
          OperatorKind::matmul,
          1,
          m,
          n,
          k,
          2 * m * n * k * units::FLOP,
          value_bytes * (m * k + k * n + m * n) * units::B,
          0};
}

Operator memory_bound(const char* name, OperatorKind kind, Data bytes) {
  return {name, kind, 1, 0, 0, 0, Work{}, bytes, 0};
}

// One value of each table and of the bottom layers' output, for each dimension.
double vectors(const Recommender& r) { return static_cast<double>(r.tables + 1); }

Data vector_bytes(const Recommender& r, double value_bytes) {
  return vectors(r) * static_cast<double>(r.embedding_dimension) * value_bytes * units::B;
}

// Reads the rows and writes one pooled vector for each table.
Operator lookup(const Recommender& r, double samples, double row_bytes) {
  const double pooled = static_cast<double>(r.tables * r.embedding_dimension) * row_bytes;
  return memory_bound("embedding lookup", OperatorKind::lookup,
                      samples * (lookup_bytes(r, row_bytes) + pooled * units::B));
}

// Reads the pooled gradients; reads and writes each row and its optimizer state. A row that several
// samples look up counts once for each.
Operator update(const Recommender& r, double samples, double row_bytes) {
  const auto rows = static_cast<double>(r.tables * r.pooling_factor);
  Operator o = lookup(r, samples, row_bytes);
  o.name = "embedding update";
  o.bytes += samples * (lookup_bytes(r, row_bytes) + 2 * kStateBytes * rows * units::B);
  return o;
}

Operator interaction(const Recommender& r, double samples, double value_bytes) {
  const Data inputs = vector_bytes(r, value_bytes);
  if (r.interaction == catalog::Interaction::concatenation)
    return memory_bound("concatenation", OperatorKind::elementwise, 2 * samples * inputs);
  const double n = vectors(r);
  return {"dot products",
          OperatorKind::attention,
          samples,
          n,
          n,
          static_cast<double>(r.embedding_dimension),
          samples * interaction_flops(r),
          samples * (inputs + value_bytes * n * n / 2 * units::B),
          0};
}

// Both factors of a dot product get a gradient. A concatenation is taken apart.
Operator backward_of_interaction(Operator o) {
  if (o.kind != OperatorKind::attention) return o;
  o.flops *= 2;
  o.bytes *= 2;
  return o;
}

}  // namespace

Data lookup_bytes(const Recommender& r, double value_bytes) {
  return value_bytes * static_cast<double>(r.tables) * static_cast<double>(r.pooling_factor) *
         static_cast<double>(r.embedding_dimension) * units::B;
}

Work interaction_flops(const Recommender& r) {
  if (r.interaction == catalog::Interaction::concatenation) return Work{};
  return vectors(r) * vectors(r) * static_cast<double>(r.embedding_dimension) * units::FLOP;
}

Operators recommender_operators(const catalog::ModelShape& shape, double samples,
                                std::int64_t tensor_parallel) {
  const Recommender& r = *shape.recommender;
  const auto width = static_cast<double>(r.mlp_width);
  const double part = width / static_cast<double>(tensor_parallel);
  auto append = [](std::vector<Operator>& list, std::int64_t times, const Operator& o) {
    list.insert(list.end(), static_cast<std::size_t>(times), o);
  };

  Operators ops;
  auto& f = ops.forward;
  append(f, r.bottom_layers, product("bottom MLP", samples, part, width, shape.dense_bytes));
  f.push_back(lookup(r, samples, shape.embedding_bytes));
  f.push_back(interaction(r, samples, shape.embedding_bytes));
  append(f, r.top_layers, product("top MLP", samples, part, width, shape.dense_bytes));

  auto& b = ops.backward;
  auto append_gradients = [&](std::int64_t layers) {
    for (std::int64_t i = 0; i < layers; ++i) {
      b.push_back(product("input gradient", samples, width, part, shape.dense_bytes));
      b.push_back(product("weight gradient", width, part, samples, shape.dense_bytes));
    }
  };
  append_gradients(r.top_layers);
  b.push_back(backward_of_interaction(interaction(r, samples, shape.embedding_bytes)));
  append_gradients(r.bottom_layers);
  b.push_back(update(r, samples, shape.embedding_bytes));
  return ops;
}

}  // namespace greenline::model
