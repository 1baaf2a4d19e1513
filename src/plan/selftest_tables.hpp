// Tables of `greenline selftest plan`, by what they hold.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "base/selftest.hpp"
#include "catalog/catalog.hpp"
#include "plan/validation.hpp"

namespace greenline::plan {

using CheckRows = std::vector<base::CheckRow>;

// Memory: closed forms of korthikanti2022, activations relative to nothing recomputed, and peaks
// that somebody measured.
void append_memory_tables(const catalog::Catalog& facts, CheckRows& rows);

// Numbers of parameters, and utilisation at measured times.
void append_parameter_tables(const catalog::Catalog& facts, CheckRows& rows);
void append_utilisation_tables(const catalog::Catalog& facts, CheckRows& rows);

// The closed form of the pipeline against its schedule.
void append_pipeline_tables(const catalog::Catalog& facts, CheckRows& rows);

// Collectives inside a node.
void append_collective_tables(const catalog::Catalog& facts, CheckRows& rows);

// Measured training runs.
void append_time_tables(const catalog::Catalog& facts, const base::SelftestRequest& request,
                        CheckRows& rows);

// Those of one file with the columns of vtrain2024, a table for each model size. The system of the
// request stands for the measured one.
void append_vtrain(const catalog::Catalog& facts, const std::string& file,
                   const base::SelftestRequest& request, CheckRows& rows);

// Runs whose sources leave the strategy, the network or the number format open.
void append_assumed_tables(const catalog::Catalog& facts, CheckRows& rows,
                           base::Progress& progress);

// What other models of the same runs say, part by part.
void append_peer_tables(const catalog::Catalog& facts, const base::SelftestRequest& request,
                        CheckRows& rows);

// The published plans of korthikanti2022.
struct PublishedPlan {
  const char* model;
  const char* strategy;
  std::int64_t interleave, micro_batch, global_batch;
  // GiB: weights, gradients and optimizer; activations with nothing recomputed, and with sequence
  // parallelism and selective recomputation.
  double states, activations_none, activations_selective;
  double mfu, hfu;   // percent, of the selective run
  const char* full;  // anchors of the two measured runs
  const char* selective;
  const char* calculon;  // stem of the files with what Calculon says
};
std::span<const PublishedPlan> published_plans();

struct Planned {
  Problem problem;
  Configuration configuration;
};
Planned plan_of(const catalog::Catalog& facts, const PublishedPlan& plan, Recompute recompute,
                bool sequence_parallel);

// Rows of runs with measured times, beside the naive baseline; rates where the source prints rates.
// `tolerance` of each row when it is promised.
void append_runs(const std::string& table, const std::vector<MeasuredRun>& runs,
                 std::optional<double> tolerance, CheckRows& rows);

// A row that holds the mean error of a table's rows to `bound`; it stands in that table and counts
// in no error figure, as its expected value is 0.
void promise_mean_error(const std::string& table, double bound, CheckRows& rows);

}  // namespace greenline::plan
