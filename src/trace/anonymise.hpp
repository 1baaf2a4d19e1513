// A trace to show to others: the same timing, without the names that say whose it is.
//
// Stay: stamps, streams, ids, kinds of collectives, names of the CUDA and HIP runtimes and of ATen
// operators, marks of steps. Go: names of kernels ("gemm 12": what class it is of stays), of
// ranges, Python functions and of what else the user named, of processes, threads and groups;
// members of the document but for rank, world size and devices; shapes and types unless asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/progress.hpp"
#include "io/trace_columns.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::trace {

struct AnonymiseRequest {
  base::Settings settings;
  std::vector<std::string> files;  // one trace
  bool keep_shapes = false;        // and types of the inputs of operators
};

struct AnonymiseResult {
  std::int64_t num_events = 0, names_kept = 0, names_replaced = 0, shapes_removed = 0;
  std::shared_ptr<const io::TraceColumns> trace;
};

// DataError "several-traces" for more than one.
AnonymiseResult anonymise(const AnonymiseRequest& request,
                          base::Progress& progress = base::no_progress());
AnonymiseResult anonymised(const io::TraceColumns& trace, bool keep_shapes);

void describe(verb::Fields& fields, AnonymiseRequest& request);
void present(verb::Report& report, const AnonymiseResult& result);

}  // namespace greenline::trace
