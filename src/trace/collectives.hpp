// The collectives of one rank, as its trace names them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/trace_columns.hpp"
#include "trace/device_work.hpp"

namespace greenline::trace {

struct CollectiveKernel {
  std::string kind, group;      // "all_reduce"; name and ranks of the group, "" without
  std::int64_t number = 0;      // the group's own sequence where the trace has it, else n-th
  std::int64_t group_size = 0;  // 0: not known
  std::int64_t start_ns = 0, end_ns = 0;
};

// "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "reduce", "send_recv";
// "other" for what is none of these. Of the name of a kernel or of a collective in arguments.
std::string collective_kind(std::string_view name);
// By start.
std::vector<CollectiveKernel> collective_kernels(const io::TraceColumns& trace,
                                                 const DeviceWork& work);

}  // namespace greenline::trace
