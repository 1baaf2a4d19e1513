#include "solve/linear_program.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::solve {
namespace {

void keep_name(std::vector<std::string>& names, std::size_t before, std::string_view name) {
  if (name.empty() && names.empty()) return;
  names.resize(before);
  names.emplace_back(name);
}

[[noreturn]] void refuse(const std::string& where, const char* what, double got) {
  throw base::UserError("bad-linear-program", fmt::format("{}: {}; got {}", where, what, got),
                        "a linear program takes numbers; only bounds may be infinite");
}

void check_bounds(double lower, double upper, const std::string& where) {
  if (std::isnan(lower) || lower == kInfinity)
    refuse(where, "its lower bound has to be a number or -infinity", lower);
  if (std::isnan(upper) || upper == -kInfinity)
    refuse(where, "its upper bound has to be a number or infinity", upper);
}

}  // namespace

int LinearProgram::add_column(double cost_of_one, double at_least, double at_most,
                              std::string_view name) {
  keep_name(column_names, cost.size(), name);
  cost.push_back(cost_of_one);
  lower.push_back(at_least);
  upper.push_back(at_most);
  return num_columns() - 1;
}

int LinearProgram::add_row(double at_least, double at_most, std::string_view name) {
  keep_name(row_names, row_lower.size(), name);
  row_lower.push_back(at_least);
  row_upper.push_back(at_most);
  return num_rows() - 1;
}

ColumnMatrix by_columns(const LinearProgram& lp) {
  // Counting sort by row, then by column: stable, so rows rise inside a column.
  std::vector<std::size_t> place(static_cast<std::size_t>(lp.num_rows()) + 1, 0);
  for (const auto& e : lp.entries) ++place[static_cast<std::size_t>(e.row) + 1];
  for (std::size_t i = 1; i < place.size(); ++i) place[i] += place[i - 1];
  std::vector<const LinearProgram::Entry*> by_row(lp.entries.size());
  for (const auto& e : lp.entries) by_row[place[static_cast<std::size_t>(e.row)]++] = &e;

  std::vector<std::vector<int>::size_type> count(static_cast<std::size_t>(lp.num_columns()) + 1, 0);
  for (const auto& e : lp.entries) ++count[static_cast<std::size_t>(e.column) + 1];
  for (std::size_t j = 1; j < count.size(); ++j) count[j] += count[j - 1];
  std::vector<const LinearProgram::Entry*> by_column(lp.entries.size());
  std::vector<std::size_t> next = count;
  for (const auto* e : by_row) by_column[next[static_cast<std::size_t>(e->column)]++] = e;

  ColumnMatrix a;
  a.begin.push_back(0);
  for (std::size_t j = 0; j + 1 < count.size(); ++j) {
    for (std::size_t k = count[j]; k < count[j + 1];) {
      const int row = by_column[k]->row;
      double sum = 0;
      for (; k < count[j + 1] && by_column[k]->row == row; ++k) sum += by_column[k]->value;
      if (sum == 0) continue;
      a.row.push_back(row);
      a.value.push_back(sum);
    }
    a.begin.push_back(static_cast<int>(a.row.size()));
  }
  return a;
}

void check(const LinearProgram& lp) {
  GL_CHECK_EQ(lp.lower.size(), lp.cost.size());
  GL_CHECK_EQ(lp.upper.size(), lp.cost.size());
  GL_CHECK_EQ(lp.row_upper.size(), lp.row_lower.size());
  GL_CHECK_LE(lp.column_names.size(), lp.cost.size());
  GL_CHECK_LE(lp.row_names.size(), lp.row_lower.size());
  for (int j = 0; j < lp.num_columns(); ++j) {
    const auto i = static_cast<std::size_t>(j);
    if (!std::isfinite(lp.cost[i]))
      refuse(column_label(lp, j), "its cost has to be a number", lp.cost[i]);
    check_bounds(lp.lower[i], lp.upper[i], column_label(lp, j));
  }
  for (int j = 0; j < lp.num_rows(); ++j) {
    const auto i = static_cast<std::size_t>(j);
    check_bounds(lp.row_lower[i], lp.row_upper[i], row_label(lp, j));
  }
  for (const auto& e : lp.entries) {
    GL_CHECK_GE(e.row, 0);
    GL_CHECK_LT(e.row, lp.num_rows());
    GL_CHECK_GE(e.column, 0);
    GL_CHECK_LT(e.column, lp.num_columns());
    if (!std::isfinite(e.value))
      refuse(fmt::format("{}, {}", row_label(lp, e.row), column_label(lp, e.column)),
             "a coefficient has to be a number", e.value);
  }
  if (!std::isfinite(lp.offset))
    refuse("the objective", "its offset has to be a number", lp.offset);
}

std::string column_label(const LinearProgram& lp, int column) {
  const auto i = static_cast<std::size_t>(column);
  if (i < lp.column_names.size() && !lp.column_names[i].empty()) return lp.column_names[i];
  return fmt::format("column {}", column + 1);
}

std::string row_label(const LinearProgram& lp, int row) {
  const auto i = static_cast<std::size_t>(row);
  if (i < lp.row_names.size() && !lp.row_names[i].empty()) return lp.row_names[i];
  return fmt::format("row {}", row + 1);
}

}  // namespace greenline::solve
