// Constants of a device generation from measured runs of one's own, and how far they can be
// trusted.
//
//   CalibrateRequest r;
//   r.measured = {"runs.csv"};
//   CalibrateResult x = calibrate(r);
//   system_file_text(x);   // what --system takes
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/progress.hpp"
#include "base/quantity.hpp"
#include "catalog/catalog.hpp"
#include "plan/fit.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::plan {

struct CalibrateRequest {
  base::Settings settings;
  std::vector<std::string> measured;  // CSV files with the columns of vtrain2024's multi-node table
  std::string system = "dgx-a100-80";  // node of the catalogue, or a system file, that they ran on
};

struct CalibratedConstant {
  std::string id;  // "ampere.matmul_efficiency"
  std::string unit;
  double catalogue = 0, fitted = 0;
  // Over the fits that leave out one size each: how well the runs determine it.
  std::optional<double> low, high;
  bool at_bound = false;  // the runs would take it further than it can be
};

struct CalibratedRun {
  std::string name, size;
  base::Time measured, ours, naive;
  double error() const { return ours / measured - 1; }
};

// Runs of one model: what a plan chooses between.
struct CalibratedSize {
  std::string size;
  std::int64_t rows = 0;
  double error = 0, naive_error = 0;     // mean of |ours / measured - 1|
  std::optional<double> held_out_error;  // with constants of the other sizes
  std::optional<double> spearman;        // none when all values are equal, or for one row
  std::string chosen;                    // the run with the shortest predicted time
  double chosen_over_best = 1;           // its measured time over the shortest measured one
};

struct CalibrateResult {
  std::string system, generation;
  std::vector<std::string> files;
  double error = 0, naive_error = 0;     // over all rows
  std::optional<double> held_out_error;  // over all rows, each size with constants of the others
  double naive_share = 0;                // of the peak: the best that one share can do
  double fastest = 1, slowest = 1;       // 5th and 95th percentile of measured / ours
  std::vector<catalog::Fact> inherited;  // of the system file that the runs were on, if it was one
  std::vector<CalibratedConstant> constants;
  std::vector<CalibratedSize> sizes;
  std::vector<CalibratedRun> rows;
  std::int64_t evaluations = 0;
  bool interrupted = false;
};

// DataError "few-runs" or "too-many-runs", and the errors of vtrain_runs. Interrupted: the best so
// far, without the fits that leave a size out.
CalibrateResult calibrate(const CalibrateRequest& request,
                          base::Progress& progress = base::no_progress());

// A TOML file for --system: the node, and the fitted constants of its generation.
std::string system_file_text(const CalibrateResult& result);

void describe(verb::Fields& fields, CalibrateRequest& request);
void present(verb::Report& report, const CalibrateResult& result);

}  // namespace greenline::plan
