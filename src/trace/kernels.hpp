// Tables and series of the work of one rank.
#pragma once

#include <cstdint>
#include <vector>

#include "io/trace_columns.hpp"
#include "trace/breakdown.hpp"
#include "trace/device_work.hpp"

namespace greenline::trace {

// One row per name of work, by name.
std::vector<KernelRow> kernel_rows(const io::TraceColumns& trace, const DeviceWork& work);
std::vector<ClassRow> kernel_classes(const std::vector<KernelRow>& kernels);

// By the operator that launched it: the one with the External id of the work. Work without one, as
// of a graph, is left out. number: of operators.
std::vector<ClassRow> operator_classes(const io::TraceColumns& trace, const DeviceWork& work);

// One row per lane that has work, by device and stream.
std::vector<StreamRow> stream_rows(const io::TraceColumns& trace, const DeviceWork& work);

// Lumos' utilisation of streaming multiprocessors: the share of each window during which at least
// one stream runs a kernel (lumos2025). Windows of 1 ms from the first start on, the last one
// shorter; longer ones, by powers of 10, where there would be more than 100 000.
std::int64_t utilisation_window(Span whole);
std::vector<double> utilisation(const DeviceWork& work, Span whole, std::int64_t window);

}  // namespace greenline::trace
