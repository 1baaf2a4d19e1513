// The columns that a chart names, found in the tables of an outline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/outline.hpp"

namespace greenline::render {

// Refers to the outline, which must outlive it.
struct ChartColumn {
  const ShownTable* table = nullptr;
  std::size_t column = 0;

  std::size_t size() const { return table->rows.size(); }
  const ShownColumn& shown() const { return table->columns[column]; }
  const Datum& at(std::size_t row) const { return table->rows[row][column]; }
  std::optional<double> number(std::size_t row) const;  // none where the cell is no number
  std::string text(std::size_t row) const;              // as a reader sees it alone
  bool truth(std::size_t row) const;                    // true only where the cell says so
};

// None when the path names no column of a table.
std::optional<ChartColumn> chart_column(const Outline& outline, const std::string& path);

// "a" to "z", "A" to "Z", then "*": how a text picture names things in order.
std::string mark_of(std::size_t index);

// Distinct texts in order of first appearance, and the index of each row's.
struct Categories {
  std::vector<std::string> names;
  std::vector<std::size_t> of_row;  // (num_rows)
};
Categories categories_of(const ChartColumn& column);

}  // namespace greenline::render
