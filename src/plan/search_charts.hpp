// The pictures of a search and the tables behind them.
#pragma once

#include "plan/search.hpp"

namespace greenline::plan {

// Of a search that has a best: the map of cells, throughput against device time, breakdown and
// memory of the best, the greenline.
void present_charts(verb::Report& report, const SearchResult& result);

}  // namespace greenline::plan
