#include "grid/renewables.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/statistics.hpp"

namespace greenline::grid {
namespace {

using base::Power;
using footprint::GridKind;

// The generation that counts as full capacity.
Power full_output(const base::Series<Power>& generation, GridKind kind, CapacityBasis basis,
                  std::string_view flag) {
  constexpr Power kYearlyMaximum = 1.0 * base::units::W;  // what the shares of a profile refer to
  if (kind == GridKind::profile) {
    GL_USER_CHECK(basis == CapacityBasis::window_max, "no-single-hours",
                  fmt::format("{}: a region's profile is relative to the largest hour of its year; "
                              "--capacity-basis {} needs a file "
                              "of single hours",
                              flag, base::enum_name(basis)));
    return kYearlyMaximum;
  }
  if (basis == CapacityBasis::window_max)
    return *std::max_element(generation.values.begin(), generation.values.end());
  std::vector<double> sorted;
  for (const Power p : generation.values) sorted.push_back(p.base_value());
  std::sort(sorted.begin(), sorted.end());
  return Power::from_base(base::percentile_of_sorted(sorted, 0.999));
}

}  // namespace

base::Series<Power> renewable_hours(const footprint::GridHours& grid,
                                    const base::Series<Power>& generation, Power capacity,
                                    CapacityBasis basis, std::string_view flag,
                                    std::string_view fuel) {
  base::Series<Power> out{grid.intensity.start, grid.intensity.step,
                          std::vector<Power>(grid.intensity.size())};
  if (capacity == Power{}) return out;
  if (generation.values.empty()) {
    throw base::UserError(
        "no-hourly-shape",
        fmt::format("{} needs the hourly shape of {}, and grid {} ({}) has none", flag, fuel,
                    grid.name, base::enum_name(grid.kind)),
        fmt::format("use a file with a column {}, or a region such as ERCO", fuel));
  }
  const Power full = full_output(generation, grid.kind, basis, flag);
  GL_USER_CHECK(
      full > Power{}, "no-hourly-shape",
      fmt::format("{} needs the hourly shape of {}, which is 0 at full capacity in grid {}", flag,
                  fuel, grid.name));
  for (std::size_t i = 0; i < out.size(); ++i)
    out.values[i] = capacity * (generation.values[i] / full);
  return out;
}

}  // namespace greenline::grid
