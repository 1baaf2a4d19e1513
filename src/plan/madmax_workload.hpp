// A model as hsia2024 counts it: equal samples through layers of matrices, and rows looked up in
// embedding tables.
#pragma once

#include <cstddef>
#include <vector>

#include "base/quantity.hpp"
#include "catalog/entries.hpp"
#include "plan/madmax.hpp"

namespace greenline::plan {

// A matrix layer, or half of a transformer layer.
struct MadmaxLayer {
  MadmaxBlock block;
  double parameters = 0;
  bool reduces_forward = false, reduces_backward = false;  // activations, under tensor parallelism
};

struct MadmaxWorkload {
  std::vector<MadmaxLayer> layers;  // in the order of the forward pass
  std::size_t first_after_embedding = 0;
  double tokens = 1;       // of one sample: each passes every parameter once
  double activations = 0;  // values of one sample between two layers
  double embedding_parameters = 0, embedding_rows = 0;
  base::Data lookup;  // of one sample
};

// UserError "bad-shape" for a size of dense values that is not 8, 4, 2 or 1 byte, "out-of-range"
// for more layers than a plan has; UnsupportedError "not-published" for mixtures of experts.
MadmaxWorkload madmax_workload(const catalog::ModelShape& shape);

double madmax_dense_parameters(const MadmaxWorkload& workload);

}  // namespace greenline::plan
