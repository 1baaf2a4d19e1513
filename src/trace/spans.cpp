#include "trace/spans.hpp"

#include <algorithm>
#include <iterator>

namespace greenline::trace {

Spans united(Spans spans) {
  if (!std::is_sorted(spans.begin(), spans.end())) std::sort(spans.begin(), spans.end());
  Spans out;
  for (const Span& s : spans) {
    if (s.first == s.second) continue;
    if (!out.empty() && s.first <= out.back().second)
      out.back().second = std::max(out.back().second, s.second);
    else
      out.push_back(s);
  }
  return out;
}

Spans united(const Spans& a, const Spans& b) {
  Spans all;
  all.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return united(std::move(all));
}

Spans without(const Spans& a, const Spans& b) {
  Spans out;
  std::size_t j = 0;
  for (auto [from, to] : a) {
    while (j < b.size() && b[j].second <= from) ++j;
    for (std::size_t k = j; k < b.size() && b[k].first < to; ++k) {
      if (b[k].first > from) out.emplace_back(from, b[k].first);
      from = std::max(from, b[k].second);
      if (b[k].second <= to) j = k;
    }
    if (from < to) out.emplace_back(from, to);
  }
  return out;
}

Spans within(const Spans& spans, Span window) {
  Spans out;
  auto at = std::lower_bound(spans.begin(), spans.end(), window.first,
                             [](const Span& s, std::int64_t t) { return s.second <= t; });
  for (; at != spans.end() && at->first < window.second; ++at)
    out.emplace_back(std::max(at->first, window.first), std::min(at->second, window.second));
  return out;
}

std::int64_t length(const Spans& spans) {
  std::int64_t sum = 0;
  for (const auto& [from, to] : spans) sum += to - from;
  return sum;
}

std::int64_t common_length(const Spans& a, const Spans& b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::int64_t from = std::max(a[i].first, b[j].first),
                       to = std::min(a[i].second, b[j].second);
    sum += std::max<std::int64_t>(0, to - from);
    a[i].second < b[j].second ? ++i : ++j;
  }
  return sum;
}

}  // namespace greenline::trace
