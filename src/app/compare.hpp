// What differs between two results, number by number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/outline.hpp"

namespace greenline::app {

// How a change stands to the ranges beside its two values.
enum class Certainty {
  certain,  // neither value has a range
  beyond,   // the ranges are disjoint, or a value without one lies outside the other's
  within,
};

// One value that is not the same. Numbers are in the unit of the key's suffix.
struct Difference {
  std::string key;  // "plan.energy_kwh", "months[2021-01].energy_kwh", "load_w[17]"
  bool headline = false, in_table = false;
  render::KeyUnit unit;
  std::optional<double> a, b;  // none for n/a and for what is no number
  std::string text_a, text_b;  // for people, with unit
  Certainty certainty = Certainty::certain;
  // Of long data, which only files show: the series or the column of a hidden table. Else "".
  std::string long_data;

  std::optional<double> change() const;           // b - a; none beyond what a double holds
  std::optional<double> relative_change() const;  // of |a|; none when a is zero, or beyond
  // |relative_change|, the largest double beyond it; 1 when a is zero or one of the two is n/a; 0
  // for what is no number.
  double weight() const;
};

// What one side has and the other lacks: a value, a row, a column, the end of a series.
struct Unpaired {
  std::string key;
  bool in_a = false;
};

// What went into the two: a flag, a file, a fact, an assumption, an override, seed, version.
struct Cause {
  std::string kind, key, a, b;  // "" where one side lacks it
};

struct Comparison {
  std::int64_t num_compared = 0, num_within_tolerance = 0;
  std::vector<Difference> differences;  // headline first, then by weight, values before cells
  std::vector<Unpaired> unpaired;
  std::vector<Cause> causes;

  bool same() const { return differences.empty() && unpaired.empty(); }
  double max_weight(bool headline_only) const;
};

// Numbers that differ by at most `tolerance` of the larger one count as equal. Rows of a table are
// joined by its leading columns of names, as many as make them unique in both, else by number.
Comparison compare(const render::Outline& a, const render::Outline& b, double tolerance);

}  // namespace greenline::app
