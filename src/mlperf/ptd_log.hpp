// `power/ptd_logs.txt`, what the power daemon wrote: "MM-DD-YYYY hh:mm:ss.fff: text", with lines
// without a time between.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace greenline::mlperf {

struct PtdLine {
  std::optional<std::int64_t> time_ns;  // UTC, since 1970; nothing for a line without one
  std::string text;                     // behind the time
  std::uint32_t line = 0;
};

// Blank lines are left out; nothing is refused.
std::vector<PtdLine> parse_ptd_log(std::string_view text);

}  // namespace greenline::mlperf
