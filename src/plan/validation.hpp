// Measured training runs that the model of time is held against: rows of the catalogue, and files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/journal.hpp"
#include "base/quantity.hpp"
#include "base/selftest.hpp"
#include "catalog/catalog.hpp"
#include "catalog/entries.hpp"
#include "plan/configuration.hpp"

namespace greenline::plan {

struct MeasuredRun {
  std::string name, source, generation, note;
  Problem problem;
  Configuration configuration;
  base::Time iteration;  // measured
  base::Location where;  // in the file that it comes from
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

// Rows of CSV files with the columns of vtrain2024's tables, of multi-node runs or, without the
// column `Parameters (billion)`, of runs on one node: GPT models, 1F1B, full recomputation,
// gradients exchanged in 16 bits after the backward pass, as DeepSpeed does. `system` is where they
// ran; "": dgx-a100-80. DataError with its place: "bad-run" for sizes that contradict each other or
// the number of parameters, and those of check_runs.
std::vector<MeasuredRun> vtrain_runs(const catalog::Catalog& facts,
                                     std::span<const std::string> paths, base::Journal& journal,
                                     const std::string& system = "");

// DataError "implausible-run" (faster than the peak allows, or ten thousand times slower),
// "duplicate-run" (the same run with the same time), "runs-disagree" (one run with two times more
// than 5 % apart) or "sizes-disagree" (one name of a model for two shapes, or two for one).
void check_runs(std::span<const MeasuredRun> runs);

// `greenline selftest plan`: memory, parameters, measured times and results of MAD-Max. With files
// in `oracles` only their rows, each file read by its columns; a folder stands for vtrain_multi.csv
// and madmax_oracle.csv in it.
std::vector<base::CheckRow> selftest(const base::SelftestRequest& request,
                                     base::Progress& progress);

}  // namespace greenline::plan
