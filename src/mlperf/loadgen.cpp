#include "mlperf/loadgen.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/blanks.hpp"
#include "mlperf/log_text.hpp"
#include "mlperf/mllog.hpp"

namespace greenline::mlperf {
namespace {

// Sets of indices and of hashes are long and nobody's single value.
constexpr std::size_t kLongestValue = 4096;

[[noreturn]] void refuse(const LoadgenLog& log, const LoadgenEntry& entry, const char* expected) {
  throw base::DataError(
      "bad-mllog",
      fmt::format("{}: expected {}, got {}", entry.key, expected, base::quoted(entry.value)), "",
      {log.name, entry.line, 0});
}

}  // namespace

const LoadgenEntry* LoadgenLog::find(std::string_view key) const {
  for (const LoadgenEntry& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

std::string LoadgenLog::text(std::string_view key) const {
  const LoadgenEntry* entry = find(key);
  return entry ? entry->value : "";
}

std::optional<double> LoadgenLog::number(std::string_view key) const {
  const LoadgenEntry* entry = find(key);
  if (!entry) return std::nullopt;
  const auto value = decimal(entry->value);
  if (!value || !std::isfinite(*value)) refuse(*this, *entry, "a finite number");
  return value;
}

std::int64_t LoadgenLog::time_ns(std::string_view key) const {
  const LoadgenEntry* entry = find(key);
  if (!entry)
    throw base::DataError("missing-key", fmt::format("the log has no {}", base::quoted(key)),
                          num_malformed == 0 ? "was the run ended before its time?"
                                             : "a line of the log is cut off: copy the file again",
                          {name, first_malformed, 0});
  const auto time = month_first_ns(entry->value);
  if (!time) refuse(*this, *entry, "a time MM-DD-YYYY hh:mm:ss.fff");
  return *time;
}

LoadgenLog parse_loadgen(std::string_view text, std::string name) {
  LoadgenLog log;
  log.name = std::move(name);
  MllogRecord record;
  MllogLines lines(text);
  while (lines.next()) {
    switch (read_mllog(lines.line(), record)) {
      case MllogLine::other:
        break;
      case MllogLine::malformed:
        if (log.num_malformed++ == 0) log.first_malformed = lines.number();
        break;
      case MllogLine::record:
        if (record.value.size() > kLongestValue || record.value.starts_with('[') ||
            record.value.starts_with('{'))
          break;
        log.entries.push_back({std::string(record.key), value_text(record.value), lines.number()});
    }
  }
  return log;
}

SummaryLines parse_summary(std::string_view text) {
  SummaryLines summary;
  LogLines lines(text);
  while (lines.next()) {
    const std::size_t colon = lines.line().find(':');
    if (colon == std::string_view::npos) continue;
    summary.emplace_back(io::without_blanks(lines.line().substr(0, colon)),
                         io::without_blanks(lines.line().substr(colon + 1)));
  }
  return summary;
}

}  // namespace greenline::mlperf
