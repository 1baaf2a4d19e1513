// A trace as columns: what ran where and when, in nanoseconds, with the arguments that say why. One
// type for both ways: the reader (io/trace_reader.hpp) fills it, the writer (io/chrome_trace.hpp)
// writes it, and what was written reads back as the same table.
//
//   TraceColumns t;
//   t.lanes = {{"stage 0", "compute"}, {"stage 0", "tensor links"}};
//   t.names = {"forward", "all-reduce"};
//   t.categories = {"compute", "communication"};
//   t.add(0, 0, 0, 0, 2'000'000);  // lane, name, category, start and duration in ns
//
// An event costs 37 bytes. Arguments that only some events have stand in side tables, whose rows
// name their event and are sorted by it: a loop over the work of devices is a loop over `work`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace greenline::io {

inline constexpr int kNoText = -1;  // an index into TraceColumns::names that names nothing
// Stamps and the ends of events lie within ± this, so that differences never overflow: 146 years.
inline constexpr std::int64_t kMaxTraceTime = (std::int64_t{1} << 62) - 1;  // ns

// One row of the picture: a thread of a process, a stream of a device. Lanes of one process stand
// together under its name.
struct TraceLane {
  std::string process, thread;  // names for people, "" when the file gives none
  // JSON tokens that identify the lane: `12`, `"stream 7"`. Empty in tables made by hand: the
  // writer numbers them.
  std::string pid = {}, tid = {};
  std::string labels = {};                                            // of the process: "GPU 0"
  std::optional<std::int64_t> process_order = {}, thread_order = {};  // sort_index
  bool operator==(const TraceLane&) const = default;
};

// 64-bit ids in four bytes each, as long as they are small: two codes of one column are equal when
// the ids are. Code 0: no id.
class TraceIds {
 public:
  using Code = std::uint32_t;
  void push_back(std::optional<std::int64_t> id) { codes_.push_back(encode(id)); }
  Code code(std::size_t i) const { return codes_[i]; }
  std::optional<std::int64_t> at(std::size_t i) const { return decode(codes_[i]); }
  // 0 when the column has no such id.
  Code find(std::int64_t id) const;
  std::size_t size() const { return codes_.size(); }
  void append(const TraceIds& other);
  void clear() { codes_.clear(), wide_.clear(), wide_codes_.clear(); }
  void shrink_to_fit() { codes_.shrink_to_fit(), wide_.shrink_to_fit(); }
  std::size_t num_bytes() const;
  bool operator==(const TraceIds& other) const {
    return codes_ == other.codes_ && wide_ == other.wide_;
  }

 private:
  static constexpr Code kWide = Code{1} << 31;
  Code encode(std::optional<std::int64_t> id) {
    if (!id) return 0;
    if (*id >= 0 && *id < std::int64_t{kWide} - 1) return static_cast<Code>(*id + 1);
    return encode_wide(*id);
  }
  Code encode_wide(std::int64_t id);
  std::optional<std::int64_t> decode(Code code) const;

  std::vector<Code> codes_;
  std::vector<std::int64_t> wide_;  // negative ids and those of 31 bits and more
  std::unordered_map<std::int64_t, Code> wide_codes_;
};

inline constexpr std::int64_t kNoStream = std::numeric_limits<std::int64_t>::min();

// Work of a device: kernels, copies, fills, synchronisations. -1 where the file does not say, but
// for the stream, which may be -1 itself.
struct TraceWork {
  std::uint32_t event = 0;
  std::int32_t device = -1, context = -1;
  std::int32_t launch = -1;  // index into TraceColumns::launches
  std::int64_t stream = kNoStream;
  std::int64_t bytes = -1;  // copied or filled
  bool operator==(const TraceWork&) const = default;
};

// The shape of a kernel launch; each once. -1 where the file does not say.
struct TraceLaunch {
  std::int64_t grid[3] = {-1, -1, -1}, block[3] = {-1, -1, -1};
  std::int64_t registers_per_thread = -1, shared_memory = -1;
  bool operator==(const TraceLaunch&) const = default;
};

// A framework operator. Dims and types are the arrays of the file without blanks: `[[8,4],[]]`.
struct TraceOperator {
  std::uint32_t event = 0;
  int input_dims = kNoText, input_types = kNoText;
  std::int32_t forward_thread = -1;  // of a backward operator; -1: none, 0: it is a forward one
  std::int64_t sequence = -1;        // autograd: forward and backward share it; -1: none
  bool operator==(const TraceOperator&) const = default;
};

// A frame of a Python call stack.
struct TracePython {
  std::uint32_t event = 0;
  std::int32_t module = -1;  // "Python module id"
  std::int64_t id = -1, parent = -1;
  bool operator==(const TracePython&) const = default;
};

// A collective or a message between ranks, of a kernel or of the operator that calls it.
struct TraceCollective {
  std::uint32_t event = 0;
  int name = kNoText, dtype = kNoText;  // "allreduce", "Float"
  int group_name = kNoText, group_description = kNoText;
  int group_ranks = kNoText;  // as in the file: "[0, 1]"; long lists are cut by the profiler
  int in_split = kNoText, out_split = kNoText;
  std::int32_t group_size = -1;
  std::int32_t source_rank = -1, destination_rank = -1;
  std::int64_t sequence = -1;                        // n-th of its group
  std::int64_t in_elements = -1, out_elements = -1;  // of the message
  bool operator==(const TraceCollective&) const = default;
};

// Who waited for what. Ids are those of the file, -1 (or any negative): none.
struct TraceSync {
  std::uint32_t event = 0;
  int kind = kNoText;  // "Stream Wait Event", "Event Sync", "Stream Sync", "Context Sync"
  std::int64_t wait_on_stream = -1;
  std::int64_t record_correlation = -1;  // of the call that recorded the event
  std::int64_t cuda_event = -1;
  bool operator==(const TraceSync&) const = default;
};

// One end of an arrow: "s" starts it, "t" continues, "f" ends it; both ends share id, name and
// category.
struct TraceFlow {
  std::int64_t id = 0, time_ns = 0;
  int lane = 0, name = 0, category = 0;
  char phase = 's';
  bool binds_enclosing = false;  // "bp":"e"
  bool operator==(const TraceFlow&) const = default;
};

struct TraceColumns {
  // Members of the document beside the events, as JSON text, in the order of the file:
  // {"distributedInfo", "{\"rank\":0}"}.
  std::vector<std::pair<std::string, std::string>> members;
  std::vector<TraceLane> lanes;
  std::vector<std::string> names, categories;       // each text once
  std::vector<int> lane, name, category;            // (num_events) index of the above
  std::vector<char> phase;                          // (num_events) 'X'; 'i', 'C', 'B', 'E', …
  std::vector<std::int64_t> start_ns, duration_ns;  // (num_events)
  TraceIds correlation;  // (num_events) links a call of the runtime with the work that it started
  TraceIds external_id;  // (num_events) links operators, calls and work

  std::vector<TraceWork> work;
  std::vector<TraceLaunch> launches;
  std::vector<TraceOperator> operators;
  std::vector<TracePython> python;
  std::vector<TraceCollective> collectives;
  std::vector<TraceSync> syncs;
  std::vector<TraceFlow> flows;

  std::size_t size() const { return start_ns.size(); }
  std::int64_t end_ns(std::size_t i) const { return start_ns[i] + duration_ns[i]; }
  // A complete event without ids. Returns its index.
  std::size_t add(int its_lane, int its_name, int its_category, std::int64_t start,
                  std::int64_t duration, char its_phase = 'X');
  // An arrow from the end of one event to the start of another, as two flows.
  void connect(std::size_t from, std::size_t to);
  // No events, rows, texts and lanes; the memory is kept.
  void clear();
  // Index of a text, -1 when the table does not have it. Linear.
  int find_name(const std::string& text) const;
  int find_category(const std::string& text) const;
  // Of events, side tables and flows, and of the texts.
  std::size_t event_bytes() const;
  std::size_t text_bytes() const;

  bool operator==(const TraceColumns&) const = default;
};

}  // namespace greenline::io
