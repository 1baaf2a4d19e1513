#include "trace/kernels.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "io/trace_number.hpp"

namespace greenline::trace {
namespace {

// Numbers before texts, numbers by size: streams 7, 20, 100.
bool precedes(const std::string& a, const std::string& b) {
  const auto x = io::integer(a), y = io::integer(b);
  if (x && y) return *x < *y;
  if (x || y) return x.has_value();
  return a < b;
}

std::string without_quotes(const std::string& token) {
  return token.size() >= 2 && token.front() == '"' ? token.substr(1, token.size() - 2) : token;
}

}  // namespace

std::vector<KernelRow> kernel_rows(const io::TraceColumns& t, const DeviceWork& work) {
  std::map<std::string_view, KernelRow> rows;
  for (const DeviceEvent& e : work.events) {
    const std::string& name = t.names[static_cast<std::size_t>(t.name[e.event])];
    const std::int64_t duration = e.end_ns - e.start_ns;
    const auto [at, is_new] = rows.try_emplace(name);
    KernelRow& row = at->second;
    if (is_new)
      row = {name,
             e.kind == EventKind::memory_copy  ? model::OperatorClass::memory_copy
             : e.kind == EventKind::memory_set ? model::OperatorClass::memory_set
                                               : model::kernel_class(name),
             0,
             0,
             duration,
             duration};
    ++row.number;
    row.total += duration;
    row.shortest = std::min(row.shortest, duration);
    row.longest = std::max(row.longest, duration);
  }
  std::vector<KernelRow> out;
  for (auto& [name, row] : rows) out.push_back(std::move(row));
  return out;
}

std::vector<ClassRow> kernel_classes(const std::vector<KernelRow>& kernels) {
  std::map<model::OperatorClass, ClassRow> sums;
  for (const KernelRow& kernel : kernels) {
    ClassRow& sum = sums[kernel.its_class];
    sum.its_class = kernel.its_class;
    sum.number += kernel.number;
    sum.total += kernel.total;
  }
  std::vector<ClassRow> out;
  for (const auto& [its_class, row] : sums) out.push_back(row);
  return out;
}

std::vector<ClassRow> operator_classes(const io::TraceColumns& t, const DeviceWork& work) {
  using Code = io::TraceIds::Code;
  const std::vector<EventKind> kinds = kinds_of(t);
  std::unordered_map<Code, int> operator_names;
  std::unordered_map<Code, Code> launch_ids;  // correlation of a call -> its External id
  for (std::size_t i = 0; i < t.size(); ++i) {
    const EventKind kind = kinds[static_cast<std::size_t>(t.category[i])];
    const Code id = t.external_id.code(i);
    if (id == 0) continue;
    if (kind == EventKind::framework_operator) operator_names[id] = t.name[i];
    if (kind == EventKind::runtime && t.correlation.code(i) != 0)
      launch_ids[t.correlation.code(i)] = id;
  }
  std::map<model::OperatorClass, ClassRow> sums;
  std::unordered_set<Code> counted;
  for (const DeviceEvent& e : work.events) {
    Code id = t.external_id.code(e.event);
    if (operator_names.find(id) == operator_names.end()) {
      const auto launch = launch_ids.find(t.correlation.code(e.event));
      if (launch != launch_ids.end()) id = launch->second;
    }
    const auto name = operator_names.find(id);
    if (name == operator_names.end()) continue;
    const auto its_class = model::operator_class(t.names[static_cast<std::size_t>(name->second)]);
    ClassRow& sum = sums[its_class];
    sum.its_class = its_class;
    sum.number += counted.insert(id).second ? 1 : 0;
    sum.total += e.end_ns - e.start_ns;
  }
  std::vector<ClassRow> out;
  for (const auto& [its_class, row] : sums) out.push_back(row);
  return out;
}

std::vector<StreamRow> stream_rows(const io::TraceColumns& t, const DeviceWork& work) {
  std::unordered_map<int, std::pair<StreamRow, Spans>> lanes;
  for (const DeviceEvent& e : work.events) {
    const int lane = t.lane[e.event];
    auto& [row, spans] = lanes[lane];
    if (row.number == 0) {
      row.device = without_quotes(t.lanes[static_cast<std::size_t>(lane)].pid);
      row.stream = without_quotes(t.lanes[static_cast<std::size_t>(lane)].tid);
    }
    ++row.number;
    spans.emplace_back(e.start_ns, e.end_ns);
  }
  std::vector<StreamRow> out;
  for (auto& [lane, its] : lanes) {
    its.first.busy = length(united(std::move(its.second)));
    out.push_back(std::move(its.first));
  }
  std::sort(out.begin(), out.end(), [](const StreamRow& a, const StreamRow& b) {
    return a.device != b.device ? precedes(a.device, b.device) : precedes(a.stream, b.stream);
  });
  return out;
}

std::int64_t utilisation_window(Span whole) {
  constexpr std::int64_t kMillisecond = 1'000'000, kMostWindows = 100'000;
  std::int64_t window = kMillisecond;
  while ((whole.second - whole.first) / window >= kMostWindows) window *= 10;
  return window;
}

std::vector<double> utilisation(const DeviceWork& work, Span whole, std::int64_t window) {
  Spans kernels;
  for (const DeviceEvent& e : work.events)
    if (e.kind == EventKind::kernel) kernels.emplace_back(e.start_ns, e.end_ns);
  kernels = united(std::move(kernels));
  std::vector<double> shares;
  std::size_t at = 0;
  for (std::int64_t from = whole.first; from < whole.second; from += window) {
    const std::int64_t to = std::min(from + window, whole.second);
    std::int64_t busy = 0;
    while (at < kernels.size() && kernels[at].second <= from) ++at;
    for (std::size_t k = at; k < kernels.size() && kernels[k].first < to; ++k)
      busy += std::min(kernels[k].second, to) - std::max(kernels[k].first, from);
    shares.push_back(static_cast<double>(busy) / static_cast<double>(to - from));
  }
  return shares;
}

}  // namespace greenline::trace
