// How the rows of two tables of one name correspond.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/outline.hpp"

namespace greenline::app {

struct RowPair {
  std::string key;                  // "2021-01", "0" by number, "ddp, 128" of two columns
  std::optional<std::size_t> a, b;  // row numbers; one is missing where a side lacks the row
};

// In the order of a, then what only b has.
std::vector<RowPair> joined_rows(const render::ShownTable& a, const render::ShownTable& b);

}  // namespace greenline::app
