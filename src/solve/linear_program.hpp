// A linear program as plain numbers:
//
//   minimise  offset + cost · x    so that  lower ≤ x ≤ upper,  row_lower ≤ A x ≤ row_upper
//
// An infinite bound is no bound; a row of two equal bounds is an equation.
//
//   LinearProgram lp;
//   const int x = lp.add_column(3, 0, kInfinity), y = lp.add_column(2, 0, 10);
//   const int work = lp.add_row(12, kInfinity);
//   lp.add(work, x, 2), lp.add(work, y, 1);
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace greenline::solve {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct LinearProgram {
  struct Entry {
    int row = 0, column = 0;
    double value = 0;
  };

  double offset = 0;
  std::vector<double> cost, lower, upper;    // (num_columns)
  std::vector<double> row_lower, row_upper;  // (num_rows)
  std::vector<Entry> entries;                // of A, in any order; those of one place add up
  std::vector<std::string> column_names;     // (num_columns), or empty
  std::vector<std::string> row_names;        // (num_rows), or empty

  int num_columns() const { return static_cast<int>(cost.size()); }
  int num_rows() const { return static_cast<int>(row_lower.size()); }

  // The index of the new one. Names are kept when the first one has a name.
  int add_column(double cost_of_one, double at_least, double at_most, std::string_view name = "");
  int add_row(double at_least, double at_most, std::string_view name = "");
  // Nothing is stored for a value of 0.
  void add(int row, int column, double value) {
    if (value != 0) entries.push_back({row, column, value});
  }
};

// A by columns: the entries of column j are begin[j] ≤ k < begin[j + 1], by rising row.
struct ColumnMatrix {
  std::vector<int> begin;     // (num_columns + 1)
  std::vector<int> row;       // (num_entries)
  std::vector<double> value;  // (num_entries), none is 0
};
ColumnMatrix by_columns(const LinearProgram& lp);

// UserError "bad-linear-program" naming the column or row: NaN anywhere, an infinite cost or
// coefficient, a lower bound of +∞ or an upper one of -∞. InternalError: arrays of different
// lengths, an entry outside the matrix. Crossed bounds are legal: such a program is infeasible.
void check(const LinearProgram& lp);

// For messages and files: the name, or "column 7" and "row 7" counted from 1.
std::string column_label(const LinearProgram& lp, int column);
std::string row_label(const LinearProgram& lp, int row);

}  // namespace greenline::solve
