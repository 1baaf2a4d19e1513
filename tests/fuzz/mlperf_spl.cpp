// Any text is a power trace or a DataError with its line; a trace counts every line once.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "mlperf/ptd_log.hpp"
#include "mlperf/spl.hpp"
#include "require.hpp"

using namespace greenline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto num_lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) +
                         (!text.empty() && text.back() != '\n' ? 1 : 0);
  try {
    const mlperf::SplTrace trace = mlperf::parse_spl(text, "spl.txt");
    require(trace.samples.size() + trace.num_messages + trace.num_other_lines +
                (trace.is_truncated ? 1 : 0) ==
            num_lines);
    for (const mlperf::SplSample& s : trace.samples)
      require(s.time_ns >= 0 && s.line >= 1 && s.line <= num_lines && s.mark < trace.marks.size());
  } catch (const base::DataError& error) {
    require(error.code() == "bad-spl" || error.code() == "too-large");
    require(error.where().line >= 1 && error.where().column >= 1);
  }
  for (const mlperf::PtdLine& line : mlperf::parse_ptd_log(text))
    require(line.line >= 1 && line.line <= num_lines);
  return 0;
}
