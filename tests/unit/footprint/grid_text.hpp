// Small grid files as text.
#pragma once

#include <string>
#include <vector>

#include "base/time.hpp"
#include "footprint/grid_file.hpp"

namespace greenline::testing {

// "name,...\n" and one row an hour from `start`; `cell(i)` is what follows the time.
template <class Cell>
std::string hourly_csv(const std::string& header, const std::string& start, std::size_t num_hours,
                       Cell cell) {
  std::string text = header + "\n";
  const base::Instant first = base::parse_instant(start);
  for (std::size_t i = 0; i < num_hours; ++i)
    text +=
        base::format_instant(base::advance(first, 1.0 * base::units::h, i)) + "," + cell(i) + "\n";
  return text;
}

// A grid from the text of a file; `journal` takes what was assumed and said.
inline footprint::GridHours grid_of(const std::string& text, const footprint::GridInput& input = {},
                                    base::Settings settings = {}) {
  footprint::GridHours grid =
      footprint::read_grid(text, "grid.csv", input, catalog::Catalog(settings), *settings.journal);
  grid.name = "grid";
  return grid;
}

inline bool any_contains(const std::vector<std::string>& texts, const std::string& part) {
  for (const std::string& t : texts)
    if (t.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace greenline::testing
