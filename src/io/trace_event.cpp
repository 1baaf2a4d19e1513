#include "io/trace_event.hpp"

#include <array>

namespace greenline::io {
namespace {

using D = TraceDetails;

#define GL_WIDE(kind, member) \
  D::kind, [](D& d) -> std::int64_t* { return &d.member; }, nullptr, nullptr, nullptr, nullptr
#define GL_NARROW(kind, member) \
  D::kind, nullptr, [](D& d) -> std::int32_t* { return &d.member; }, nullptr, nullptr, nullptr
#define GL_TEXT(kind, member) \
  D::kind, nullptr, nullptr, [](D& d) -> int* { return &d.member; }, nullptr, nullptr
#define GL_ARRAY(kind, member) \
  D::kind, nullptr, nullptr, nullptr, [](D& d) -> int* { return &d.member; }, nullptr
#define GL_TRIPLE(kind, member) \
  D::kind, nullptr, nullptr, nullptr, nullptr, [](D& d) -> std::int64_t* { return d.member; }

constexpr TraceArgument kArguments[] = {
    {"device", GL_NARROW(kWork, work.device)},
    {"context", GL_NARROW(kWork, work.context)},
    {"stream", GL_WIDE(kWork, work.stream)},
    {"bytes", GL_WIDE(kWork, work.bytes)},
    {"grid", GL_TRIPLE(kLaunch, launch.grid)},
    {"block", GL_TRIPLE(kLaunch, launch.block)},
    {"registers per thread", GL_WIDE(kLaunch, launch.registers_per_thread)},
    {"shared memory", GL_WIDE(kLaunch, launch.shared_memory)},
    {"Input Dims", GL_ARRAY(kOperator, op.input_dims)},
    {"Input type", GL_ARRAY(kOperator, op.input_types)},
    {"Sequence number", GL_WIDE(kOperator, op.sequence)},
    {"Fwd thread id", GL_NARROW(kOperator, op.forward_thread)},
    {"Python id", GL_WIDE(kPython, python.id)},
    {"Python parent id", GL_WIDE(kPython, python.parent)},
    {"Python module id", GL_NARROW(kPython, python.module)},
    {"Collective name", GL_TEXT(kCollective, collective.name)},
    {"dtype", GL_TEXT(kCollective, collective.dtype)},
    {"Process Group Name", GL_TEXT(kCollective, collective.group_name)},
    {"Process Group Description", GL_TEXT(kCollective, collective.group_description)},
    {"Process Group Ranks", GL_TEXT(kCollective, collective.group_ranks)},
    {"In split size", GL_TEXT(kCollective, collective.in_split)},
    {"Out split size", GL_TEXT(kCollective, collective.out_split)},
    {"In msg nelems", GL_WIDE(kCollective, collective.in_elements)},
    {"Out msg nelems", GL_WIDE(kCollective, collective.out_elements)},
    {"Group size", GL_NARROW(kCollective, collective.group_size)},
    {"Seq", GL_WIDE(kCollective, collective.sequence)},
    {"Src Rank", GL_NARROW(kCollective, collective.source_rank)},
    {"Dst Rank", GL_NARROW(kCollective, collective.destination_rank)},
    {"cuda_sync_kind", GL_TEXT(kSync, sync.kind)},
    {"wait_on_stream", GL_WIDE(kSync, sync.wait_on_stream)},
    {"wait_on_cuda_event_record_corr_id", GL_WIDE(kSync, sync.record_correlation)},
    {"wait_on_cuda_event_id", GL_WIDE(kSync, sync.cuda_event)},
};

#undef GL_WIDE
#undef GL_NARROW
#undef GL_TEXT
#undef GL_ARRAY
#undef GL_TRIPLE

// Arguments by length and last letter: a perfect hash of the keys above, checked while compiling.
constexpr std::size_t kSlots = 4096;
constexpr std::size_t slot(std::string_view key) {
  const auto letter = [&](std::size_t i) { return static_cast<std::size_t>(key[i] & 31); };
  return (key.size() * 7 + letter(0) * 128 + letter(key.size() / 2) * 5 + letter(key.size() - 1)) %
         kSlots;
}
constexpr auto kTable = [] {
  std::array<signed char, kSlots> table{};
  for (auto& entry : table) entry = -1;
  for (std::size_t i = 0; i < std::size(kArguments); ++i) {
    auto& entry = table[slot(kArguments[i].key)];
    if (entry != -1) throw "two keys in one slot";
    entry = static_cast<signed char>(i);
  }
  return table;
}();

}  // namespace

const TraceArgument* find_trace_argument(std::string_view key) {
  if (key.empty()) return nullptr;
  const signed char at = kTable[slot(key)];
  if (at < 0 || kArguments[at].key != key) return nullptr;
  return &kArguments[at];
}

}  // namespace greenline::io
