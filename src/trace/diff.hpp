// Where two traces differ: what their devices did, by class of operator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/progress.hpp"
#include "trace/breakdown.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::trace {

struct TraceDiffRequest {
  base::Settings settings;
  std::string a, b;  // a file, archive or folder of one job each
  Orphans orphans = Orphans::drop;
  std::int64_t top = 20;  // kernels in the table
};

// Of one class, kernel or part of the breakdown. Nanoseconds, mean of the ranks of each job.
struct DifferenceRow {
  std::string name;
  double number_a = 0, number_b = 0;
  double a = 0, b = 0;
  double difference() const { return b - a; }
};

struct TraceDiffResult {
  std::int64_t ranks_a = 0, ranks_b = 0;
  DifferenceRow total, busy, idle;
  std::vector<DifferenceRow> parts;      // of the breakdown, in its order; without numbers
  std::vector<DifferenceRow> classes;    // of kernels, largest difference first
  std::vector<DifferenceRow> operators;  // that launched them, likewise
  std::vector<DifferenceRow> kernels;    // likewise, at most `top`
};

// What `breakdown` throws for each.
TraceDiffResult diff_traces(const TraceDiffRequest& request,
                            base::Progress& progress = base::no_progress());

void describe(verb::Fields& fields, TraceDiffRequest& request);
void present(verb::Report& report, const TraceDiffResult& result);

}  // namespace greenline::trace
