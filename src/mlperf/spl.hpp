// Samples of a power analyzer, `spl.txt` of a PTDaemon:
//
//   Time,08-04-2021 11:39:20.088,Watts,8.15,Volts,120.5,Amps,0.17,PF,0.396,Mark,…_testing
//   Time,…,Watts,272.93,Volts,-1,Amps,-1,PF,-1,Mark,notset,Ch1,Watts,91.06,Volts,…,Ch2,…
//
// Dates are month first, in UTC (since v1.1). -1 stands for a value that was not measured; of
// several channels or analyzers the first numbers are their sum. Lines of the daemon's own
// (`Time,…,NOTICE,…`, `Time,…,ERROR,…`) and the lines that continue them are no samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace greenline::mlperf {

struct SplSample {
  std::int64_t time_ns = 0;                                 // UTC, since 1970
  double watts = 0, volts = 0, amps = 0, power_factor = 0;  // NaN where the log says nan
  std::uint32_t line = 0;
  std::uint16_t mark = 0;                      // of SplTrace::marks
  std::uint16_t num_channels = 0;              // rows of channels or analyzers beside the sum
  bool is_valid() const { return watts > 0; }  // false for NaN, -1 and 0
};

struct SplTrace {
  std::string name;                // of the file
  std::vector<SplSample> samples;  // in file order
  std::vector<std::string> marks;
  std::size_t num_messages = 0;     // lines of the daemon's own
  std::size_t num_other_lines = 0;  // blank, or continuing a message
  bool is_truncated = false;        // the file ends inside a sample, which is left out
};

// DataError "bad-spl" with file:line:column, what was expected and what came: a field in another
// place or of another name, a number that is none, a time that is none. "too-large" beyond 65,535
// marks.
SplTrace parse_spl(std::string_view text, std::string name);

}  // namespace greenline::mlperf
