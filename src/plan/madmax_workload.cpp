#include "plan/madmax_workload.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using catalog::ModelKind;
using catalog::ModelShape;

constexpr std::int64_t kMostLayers = 100'000;

void check_layers(const ModelShape& shape, std::int64_t layers) {
  GL_USER_CHECK(
      layers >= 1 && layers <= kMostLayers, "out-of-range",
      fmt::format("model {}: {} layers, expected 1 to {}", shape.id, layers, kMostLayers));
}

double value(std::int64_t n) { return static_cast<double>(n); }

// Two stacks of square layers. Under tensor parallelism they are split in pairs, first by columns,
// then by rows, so that activations are reduced after every second layer of a pass.
MadmaxWorkload recommender_workload(const ModelShape& shape) {
  const catalog::Recommender& r = *shape.recommender;
  check_layers(shape, r.bottom_layers);
  check_layers(shape, r.top_layers);
  MadmaxWorkload w;
  for (std::int64_t i = 0; i < r.bottom_layers + r.top_layers; ++i) {
    const bool top = i >= r.bottom_layers;
    w.layers.push_back({{top ? "top" : "bottom", top ? i - r.bottom_layers : i, false},
                        value(r.mlp_width) * value(r.mlp_width),
                        i % 2 == 1,
                        i % 2 == 0});
  }
  w.first_after_embedding = static_cast<std::size_t>(r.bottom_layers);
  w.activations = value(r.mlp_width);
  w.embedding_rows = value(r.tables) * value(r.rows_per_table);
  w.embedding_parameters = w.embedding_rows * value(r.embedding_dimension);
  w.lookup = value(r.tables) * value(r.pooling_factor) * value(r.embedding_dimension) *
             shape.embedding_bytes * units::B;
  return w;
}

std::int64_t patches_of(const catalog::Patches& p) {
  const std::int64_t side = (p.image_size + p.patch_size - 1) / p.patch_size;
  return side * side;
}

// Attention and feed-forward blocks. Two rows are looked up for each token, its own and that of its
// position; a patch of an image is looked up as if its projection were a table.
MadmaxWorkload transformer_workload(const ModelShape& shape) {
  const bool vision = shape.kind == ModelKind::vision;
  check_layers(shape, shape.layers);
  const double hidden = value(shape.hidden);
  MadmaxWorkload w;
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    w.layers.push_back({{"attention", i, false}, 4 * hidden * hidden, true, true});
    w.layers.push_back(
        {{"feed-forward", i, false}, 2 * hidden * value(shape.ffn_hidden), true, true});
  }
  w.tokens = value(vision ? patches_of(*shape.patches) : shape.sequence_length);
  w.activations = w.tokens * hidden;
  const double rows = vision ? value(shape.patches->channels) * value(shape.patches->patch_size) *
                                   value(shape.patches->patch_size)
                             : value(shape.vocabulary);
  w.embedding_rows = rows + w.tokens;
  w.embedding_parameters = w.embedding_rows * hidden;
  w.lookup = 2 * w.activations * shape.embedding_bytes * units::B;
  return w;
}

}  // namespace

MadmaxWorkload madmax_workload(const ModelShape& shape) {
  const double bytes = shape.dense_bytes;
  GL_USER_CHECK(bytes == 8 || bytes == 4 || bytes == 2 || bytes == 1, "bad-shape",
                fmt::format("model {}: dense values of {} bytes, MAD-Max has 8, 4, 2 and 1",
                            shape.id, bytes));
  GL_USER_CHECK(shape.embedding_bytes > 0 && shape.embedding_bytes <= 8, "bad-shape",
                fmt::format("model {}: embedding values of {} bytes, expected up to 8", shape.id,
                            shape.embedding_bytes));
  if (shape.experts)
    throw base::UnsupportedError(
        "not-published",
        fmt::format("model {}: MAD-Max gives no equations for mixtures of experts", shape.id),
        "leave --fidelity out: our model has them");
  return shape.kind == ModelKind::recommender ? recommender_workload(shape)
                                              : transformer_workload(shape);
}

double madmax_dense_parameters(const MadmaxWorkload& workload) {
  double sum = 0;
  for (const MadmaxLayer& layer : workload.layers) sum += layer.parameters;
  return sum;
}

}  // namespace greenline::plan
