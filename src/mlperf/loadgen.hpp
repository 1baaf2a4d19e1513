// `mlperf_log_detail.txt` of LoadGen: what a run was asked to do and what it did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace greenline::mlperf {

struct LoadgenEntry {
  std::string key, value;  // value: the text, or the number as written
  std::uint32_t line = 0;
};

struct LoadgenLog {
  std::string name;                   // of the file
  std::vector<LoadgenEntry> entries;  // all that have a single value, in file order
  std::size_t num_malformed = 0;      // lines that begin a record and do not end it
  std::uint32_t first_malformed = 0;  // its line

  // The first entry of that key; null when there is none. What comes later does not count.
  const LoadgenEntry* find(std::string_view key) const;
  std::string text(std::string_view key) const;  // "" when there is none
  // DataError "bad-mllog" with the line when it is not a finite number.
  std::optional<double> number(std::string_view key) const;
  // As ns since 1970. DataError "missing-key" when there is none, "bad-mllog" when it is no time
  // MM-DD-YYYY.
  std::int64_t time_ns(std::string_view key) const;
};

LoadgenLog parse_loadgen(std::string_view text, std::string name);

// `mlperf_log_summary.txt`: "name : value" lines, blanks taken off.
using SummaryLines = std::vector<std::pair<std::string, std::string>>;
SummaryLines parse_summary(std::string_view text);

}  // namespace greenline::mlperf
