#include "trace/steps.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "io/trace_number.hpp"
#include "trace/event_kind.hpp"

namespace greenline::trace {

std::vector<Step> steps_of(const io::TraceColumns& t) {
  constexpr std::string_view kMark = "ProfilerStep#";
  std::vector<std::optional<std::int64_t>> numbers(t.names.size());
  for (std::size_t i = 0; i < t.names.size(); ++i)
    if (t.names[i].starts_with(kMark))
      numbers[i] = io::integer(std::string_view(t.names[i]).substr(kMark.size()));
  const std::vector<EventKind> kinds = kinds_of(t);
  std::map<std::int64_t, Span> found;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const auto& number = numbers[static_cast<std::size_t>(t.name[i])];
    const EventKind kind = kinds[static_cast<std::size_t>(t.category[i])];
    if (!number || t.phase[i] != 'X' || kind == EventKind::device_annotation) continue;
    const Span its{t.start_ns[i], t.end_ns(i)};
    const auto [at, is_new] = found.try_emplace(*number, its);
    if (!is_new)
      at->second = {std::min(at->second.first, its.first), std::max(at->second.second, its.second)};
  }
  std::vector<Step> steps;
  for (const auto& [number, window] : found) steps.push_back({number, window});
  return steps;
}

}  // namespace greenline::trace
