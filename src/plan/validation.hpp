// Measured training runs that the model of time is held against: rows of the catalogue, and files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/quantity.hpp"
#include "base/selftest.hpp"
#include "catalog/catalog.hpp"
#include "catalog/entries.hpp"
#include "plan/configuration.hpp"

namespace greenline::plan {

struct MeasuredRun {
  std::string name, source, generation;
  Problem problem;
  Configuration configuration;
  base::Time iteration;  // measured
  bool is_rate = false;  // it was published as tokens per second and device
  double tokens_per_device() const {
    return static_cast<double>(problem.global_batch * problem.sequence_length) /
           static_cast<double>(problem.devices);
  }
};

// The run that an anchor describes, with the software of its time: GPT runs materialise attention
// and reduce gradients after the backward pass. Nothing when it does not say strategy, batch and
// either iteration time or tokens per second, or runs on no node of the catalogue. DataError
// "bad-anchor" for a run that cannot be.
std::optional<MeasuredRun> measured_run(const catalog::Catalog& facts,
                                        const catalog::Anchor& anchor);

// Those of all anchors of the catalogue.
std::vector<MeasuredRun> anchor_runs(const catalog::Catalog& facts);

// Rows of a CSV with the columns of vtrain2024's table of multi-node runs: GPT models on A100
// nodes, 1F1B, full recomputation. DataError for a row that cannot be read.
std::vector<MeasuredRun> vtrain_runs(const catalog::Catalog& facts, const std::string& path,
                                     base::Journal& journal);

// `greenline selftest plan`: memory, parameters and measured times.
std::vector<base::CheckRow> selftest(const base::SelftestRequest& request,
                                     base::Progress& progress);

}  // namespace greenline::plan
