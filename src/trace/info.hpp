// What is in a trace, and what is wrong with it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/journal.hpp"
#include "base/progress.hpp"
#include "trace/device_work.hpp"
#include "trace/job.hpp"
#include "trace/spans.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::trace {

struct InfoRequest {
  base::Settings settings;
  std::vector<std::string> files;  // files, archives, folders of one job
};

struct CategoryRow {
  std::string name;
  EventKind kind = EventKind::other;
  std::int64_t number = 0;
  std::int64_t total = 0;  // ns, of the durations
};

struct RankInfo {
  RankIdentity identity;
  std::vector<std::string> devices;  // names, each once
  std::string backend;
  std::int64_t num_bytes = 0, num_events = 0, num_flows = 0, num_metadata = 0, num_names = 0;
  std::int64_t table_bytes = 0, text_bytes = 0;  // in memory
  std::int64_t num_streams = 0, num_steps = 0;
  Span span;         // of all complete events, ns
  Span device_span;  // of the work of devices that counts; (0, 0) without any
  io::TraceDirt dirt;
  DeviceWorkCounts work;
  bool whole_microseconds = false;
  std::vector<CategoryRow> categories;
};

struct InfoResult {
  std::vector<RankInfo> ranks;          // by rank
  std::int64_t world_size = 0;          // 0: no file says it
  std::vector<CategoryRow> categories;  // of all ranks, by name
};

InfoResult info(const InfoRequest& request, base::Progress& progress = base::no_progress());

// What was found wrong, in words, with how often and what became of it: rows of a table.
struct DirtRow {
  std::string what, treatment;
  std::int64_t number = 0;
};
std::vector<DirtRow> dirt_rows(const RankInfo& rank);

void describe(verb::Fields& fields, InfoRequest& request);
void present(verb::Report& report, const InfoResult& result);

}  // namespace greenline::trace
