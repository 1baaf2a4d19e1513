// Numbers as people read them: a prefix that keeps them short, three significant digits, one unit
// for all that is compared. Files keep the exact numbers.
#pragma once

#include <string>
#include <vector>

#include "render/outline.hpp"

namespace greenline::render {

struct Figure {
  std::string text;              // "54.2"; a text, yes/no or "n/a" as it stands
  std::string unit;              // "days"; empty for what has none
  std::string low, high;         // in the same unit; empty when certain
  std::string evidence, source;  // of the range
  bool is_number = false;

  std::string with_unit() const;                        // "54.2 days"
  std::string range(std::string_view separator) const;  // "48.1–62.9"; empty when certain
};
Figure show(const ShownValue& value);

// Cells of one column, in one unit where their magnitudes allow it (within a factor of a thousand);
// otherwise each text carries its own and `unit` is empty.
struct FigureColumn {
  std::string label, unit;
  bool is_number = false;  // all present cells are numbers
  bool has_range = false;
  std::vector<Figure> cells;
};
FigureColumn show_column(const ShownTable& table, std::size_t column, std::size_t max_rows);

// "20.1 MW": one number on its own, `value` in the unit of its key.
std::string show_number(double value, const KeyUnit& unit);

// "1 300".
std::string show_count(std::size_t n);

// "2026-11-30 12:00 UTC" for an ISO 8601 instant of a file on a full minute; any other text as it
// is.
std::string show_instant(const std::string& text);

}  // namespace greenline::render
