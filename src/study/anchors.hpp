#pragma once

#include <vector>

#include "study/study.hpp"

namespace greenline::study {

// Measured training rates of the same model (of the nearest size when nobody measured it), beside
// ours.
std::vector<AnchorRow> throughput_anchors(const StudyRequest& request, const Scenario& base,
                                          const catalog::Catalog& facts);

// Measured watts of nodes with the same accelerator generation.
std::vector<AnchorRow> power_anchors(const Scenario& base, const catalog::Catalog& facts);

}  // namespace greenline::study
