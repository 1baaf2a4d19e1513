// Sets of instants as sorted spans of whole nanoseconds: what model/intervals.hpp is for real
// numbers, without rounding.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace greenline::trace {

using Span = std::pair<std::int64_t, std::int64_t>;  // from, to; from <= to
using Spans = std::vector<Span>;

// The union of any spans: sorted, none touches the next, none is empty. Linear when they come
// sorted.
Spans united(Spans spans);
// The rest are of united spans, and linear.
Spans united(const Spans& a, const Spans& b);
Spans without(const Spans& a, const Spans& b);
Spans within(const Spans& spans, Span window);
std::int64_t length(const Spans& spans);
std::int64_t common_length(const Spans& a, const Spans& b);

}  // namespace greenline::trace
