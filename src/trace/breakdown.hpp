// Where the time of devices went, per rank and step, from measured traces.
//
// Each instant of a rank counts by what runs then on any stream of its devices. With K the instants
// when a kernel computes, X those of kernels of a collective library (NCCL, RCCL), M those of
// memory copies and F those of memory fills:
//
//   computation = |K ∪ F|          exposed_communication = |X \ K|       busy = |K ∪ X ∪ M ∪ F|
//   overlapped = |K ∩ X|           exposed_memcpy = |M \ (K ∪ X ∪ F)|    idle = total - busy
//   exposed_computation = |K \ X|  exposed_memset = |F \ (K ∪ X)|
//   total: from the first start to the last end of the rank
//
// exposed_computation + overlapped + exposed_communication + exposed_memset + exposed_memcpy + idle
// = total, exactly: all are sums of whole nanoseconds. computation counts fills as the reports of
// tracelens2026 do; the parts set computing kernels against communicating ones, as lumos2025 does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/progress.hpp"
#include "base/quantity.hpp"
#include "io/trace_reader.hpp"
#include "model/operator_class.hpp"
#include "trace/device_work.hpp"
#include "trace/job.hpp"
#include "trace/spans.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::trace {

struct BreakdownRequest {
  base::Settings settings;
  std::vector<std::string> files;  // files, archives, folders of one job
  Orphans orphans = Orphans::drop;
  std::int64_t top = 20;  // kernels in the table
};

// Nanoseconds.
struct DeviceTimes {
  std::int64_t computation = 0, exposed_computation = 0, overlapped = 0, exposed_communication = 0;
  std::int64_t exposed_memset = 0, exposed_memcpy = 0, busy = 0, idle = 0, total = 0;
};
DeviceTimes device_times(const DeviceWork& work, Span window);

struct StepTimes {
  std::int64_t number = 0;
  DeviceTimes times;  // total: of the step on the host
};

struct KernelRow {
  std::string name;
  model::OperatorClass its_class = model::OperatorClass::other;
  std::int64_t number = 0;
  std::int64_t total = 0, shortest = 0, longest = 0;  // ns
};

struct ClassRow {
  model::OperatorClass its_class = model::OperatorClass::other;
  std::int64_t number = 0, total = 0;  // of pieces of work; ns
};

struct StreamRow {
  std::string device, stream;
  std::int64_t number = 0, busy = 0;  // ns
};

struct RankBreakdown {
  RankIdentity identity;
  DeviceTimes times;
  DeviceWorkCounts counts;
  std::vector<StepTimes> steps;
  std::vector<KernelRow> kernels;   // by name
  std::vector<ClassRow> classes;    // by class of the kernel
  std::vector<ClassRow> operators;  // by class of the operator that launched it, where known
  std::vector<StreamRow> streams;
  std::int64_t window = 0;          // ns, of each share below
  std::vector<double> utilisation;  // (num_windows) share of each window with a kernel running
};

struct BreakdownResult {
  Orphans orphans = Orphans::drop;
  std::vector<RankBreakdown> ranks;  // by rank
  std::vector<KernelRow> kernels;    // of all ranks: longest first
  std::vector<ClassRow> classes, operators;
  std::int64_t top = 0;
};

// DataError "no-gpu-events" for a trace without work of a device, and those of read_trace and
// check_ranks.
BreakdownResult breakdown(const BreakdownRequest& request,
                          base::Progress& progress = base::no_progress());
// DataError "no-gpu-events" when there is none.
void require_work(const RankIdentity& identity, const DeviceWork& work);
RankBreakdown break_down(const RankIdentity& identity, const io::TraceRead& read, Orphans orphans);

void describe(verb::Fields& fields, BreakdownRequest& request);
void present(verb::Report& report, const BreakdownResult& result);

}  // namespace greenline::trace
