#include "trace/collectives.hpp"

#include <algorithm>
#include <map>

namespace greenline::trace {
namespace {

struct KindWord {
  std::string_view word, kind;  // the first that is found
};
constexpr KindWord kKinds[] = {
    {"allreduce", "all_reduce"}, {"allgather", "all_gather"}, {"reducescatter", "reduce_scatter"},
    {"alltoall", "all_to_all"},  {"broadcast", "broadcast"},  {"sendrecv", "send_recv"},
    {"send", "send_recv"},       {"recv", "send_recv"},       {"reduce", "reduce"},
};

const io::TraceCollective* row_of(const io::TraceColumns& t, std::uint32_t event) {
  const auto row =
      std::lower_bound(t.collectives.begin(), t.collectives.end(), event,
                       [](const io::TraceCollective& c, std::uint32_t e) { return c.event < e; });
  return row != t.collectives.end() && row->event == event ? &*row : nullptr;
}

}  // namespace

std::string collective_kind(std::string_view name) {
  std::string letters;  // AllReduce, all_reduce, _allgather_base
  for (const char c : name.substr(0, 200))
    if (c >= 'A' && c <= 'Z')
      letters += static_cast<char>(c - 'A' + 'a');
    else if (c >= 'a' && c <= 'z')
      letters += c;
  for (const KindWord& k : kKinds)
    if (letters.find(k.word) != std::string::npos) return std::string(k.kind);
  return "other";
}

std::vector<CollectiveKernel> collective_kernels(const io::TraceColumns& t,
                                                 const DeviceWork& work) {
  const auto text = [&t](int name) {
    return name == io::kNoText ? std::string() : t.names[static_cast<std::size_t>(name)];
  };
  std::vector<CollectiveKernel> kernels;
  std::map<std::string, std::int64_t> num_of_group;
  for (const DeviceEvent& e : work.events) {
    if (!e.is_communication) continue;
    CollectiveKernel k;
    k.start_ns = e.start_ns;
    k.end_ns = e.end_ns;
    const io::TraceCollective* row = row_of(t, e.event);
    if (row != nullptr) {
      k.kind = collective_kind(text(row->name));
      k.group = text(row->group_name);
      if (row->group_ranks != io::kNoText) k.group += " " + text(row->group_ranks);
      k.group_size = std::max(0, row->group_size);
    }
    if (row == nullptr || row->name == io::kNoText)
      k.kind = collective_kind(t.names[static_cast<std::size_t>(t.name[e.event])]);
    const std::int64_t n = num_of_group[k.group]++;
    k.number = row != nullptr && row->sequence >= 0 ? row->sequence : n;
    kernels.push_back(std::move(k));
  }
  return kernels;
}

}  // namespace greenline::trace
