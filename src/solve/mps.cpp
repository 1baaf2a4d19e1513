#include "solve/mps.hpp"

#include <cmath>
#include <iterator>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "base/error.hpp"

namespace greenline::solve {
namespace {

std::vector<std::string> file_names(const std::vector<std::string>& names, int count, char letter,
                                    std::string_view taken) {
  std::vector<std::string> out = names;
  if (out.empty())
    for (int i = 1; i <= count; ++i) out.push_back(fmt::format("{}{}", letter, i));
  out.resize(static_cast<std::size_t>(count));
  std::unordered_set<std::string_view> seen{taken};
  for (const std::string& name : out) {
    const bool plain = !name.empty() && name.find_first_of(" \t\n\r") == std::string::npos &&
                       name[0] != '$' && name[0] != '*';
    if (!plain || !seen.insert(name).second)
      throw base::UserError(
          "bad-linear-program",
          fmt::format("the name {} cannot stand in an MPS file; expected distinct "
                      "names without blanks",
                      base::quoted(name)),
          "name all rows and columns, or none");
  }
  return out;
}

char kind(double lower, double upper) {
  if (lower == upper) return 'E';
  if (std::isfinite(lower)) return 'G';
  return std::isfinite(upper) ? 'L' : 'N';
}

void write_bounds(std::ostream& out, const std::string& name, double lower, double upper) {
  if (lower == upper) {
    fmt::print(out, " FX BOUND {} {}\n", name, lower);
  } else if (lower == -kInfinity && upper == kInfinity) {
    fmt::print(out, " FR BOUND {}\n", name);
  } else {
    if (lower == -kInfinity) fmt::print(out, " MI BOUND {}\n", name);
    if (std::isfinite(lower) && (lower != 0 || upper < 0))
      fmt::print(out, " LO BOUND {} {}\n", name, lower);
    if (upper < kInfinity) fmt::print(out, " UP BOUND {} {}\n", name, upper);
  }
}

// A range has no sign, so the file would say something else.
void refuse_crossed(const LinearProgram& lp) {
  const auto refuse = [](const std::string& label, double lower, double upper) {
    if (lower <= upper) return;
    throw base::UserError(
        "bad-linear-program",
        fmt::format("{}: its lower bound {} is above its upper bound {}, which no "
                    "MPS file can say",
                    label, lower, upper),
        "the program is infeasible as it stands");
  };
  for (int j = 0; j < lp.num_columns(); ++j)
    refuse(column_label(lp, j), lp.lower[static_cast<std::size_t>(j)],
           lp.upper[static_cast<std::size_t>(j)]);
  for (int i = 0; i < lp.num_rows(); ++i)
    refuse(row_label(lp, i), lp.row_lower[static_cast<std::size_t>(i)],
           lp.row_upper[static_cast<std::size_t>(i)]);
}

}  // namespace

void write_mps(const LinearProgram& lp, std::ostream& out) {
  check(lp);
  refuse_crossed(lp);
  constexpr std::string_view kObjective = "cost", kConstant = "constant";
  const auto rows = file_names(lp.row_names, lp.num_rows(), 'R', kObjective);
  const auto columns = file_names(lp.column_names, lp.num_columns(), 'C', kConstant);
  const ColumnMatrix a = by_columns(lp);
  fmt::print(out, "NAME greenline FREE\nROWS\n N {}\n", kObjective);
  for (std::size_t i = 0; i < rows.size(); ++i)
    fmt::print(out, " {} {}\n", kind(lp.row_lower[i], lp.row_upper[i]), rows[i]);
  fmt::print(out, "COLUMNS\n");
  for (std::size_t j = 0; j < columns.size(); ++j) {
    // A column of nothing has to be named too.
    if (lp.cost[j] != 0 || a.begin[j] == a.begin[j + 1])
      fmt::print(out, " {} {} {}\n", columns[j], kObjective, lp.cost[j]);
    for (auto k = static_cast<std::size_t>(a.begin[j]);
         k < static_cast<std::size_t>(a.begin[j + 1]); ++k)
      fmt::print(out, " {} {} {}\n", columns[j], rows[static_cast<std::size_t>(a.row[k])],
                 a.value[k]);
  }
  if (lp.offset != 0) fmt::print(out, " {} {} {}\n", kConstant, kObjective, lp.offset);
  fmt::print(out, "RHS\n");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double bound = std::isfinite(lp.row_lower[i]) ? lp.row_lower[i] : lp.row_upper[i];
    if (std::isfinite(bound) && bound != 0) fmt::print(out, " RHS {} {}\n", rows[i], bound);
  }
  fmt::print(out, "RANGES\n");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double range = lp.row_upper[i] - lp.row_lower[i];
    if (std::isfinite(range) && range != 0) fmt::print(out, " RANGE {} {}\n", rows[i], range);
  }
  fmt::print(out, "BOUNDS\n");
  for (std::size_t j = 0; j < columns.size(); ++j)
    write_bounds(out, columns[j], lp.lower[j], lp.upper[j]);
  if (lp.offset != 0) fmt::print(out, " FX BOUND {} 1\n", kConstant);
  fmt::print(out, "ENDATA\n");
}

}  // namespace greenline::solve
