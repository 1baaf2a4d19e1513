#include "mlperf/ptd_log.hpp"

#include "io/blanks.hpp"
#include "mlperf/log_text.hpp"

namespace greenline::mlperf {

std::vector<PtdLine> parse_ptd_log(std::string_view text) {
  constexpr std::size_t kLongestTime = 29;  // with nanoseconds
  std::vector<PtdLine> log;
  LogLines lines(text);
  while (lines.next()) {
    std::string_view rest = io::without_blanks(lines.line());
    if (rest.empty()) continue;
    PtdLine entry;
    entry.line = lines.number();
    const std::size_t colon = rest.find(": ");
    if (colon != std::string_view::npos && colon <= kLongestTime) {
      entry.time_ns = month_first_ns(rest.substr(0, colon));
      if (entry.time_ns) rest = io::without_blanks(rest.substr(colon + 2));
    }
    entry.text = rest;
    log.push_back(std::move(entry));
  }
  return log;
}

}  // namespace greenline::mlperf
