// The slow, obvious best schedule of a day: whole-day linear programs whose best corner is found by
// moving work from one hour to another, one pair at a time, as long as any pair gains.
#pragma once

#include <algorithm>
#include <vector>

#include "grid/flexible.hpp"

namespace greenline::reference {

inline double carbon(const std::vector<double>& load, const std::vector<double>& intensity,
                     const grid::Shift& shift) {
  double total = 0;
  for (std::size_t t = 0; t < load.size(); ++t)
    total += (load[t] - shift.out_mw[t] + shift.in_mw[t]) * intensity[t];
  return total;
}

inline double grid_energy(const std::vector<double>& load, const std::vector<double>& supply,
                          const grid::Shift& shift) {
  double total = 0;
  for (std::size_t t = 0; t < load.size(); ++t)
    total += std::max(0.0, load[t] - shift.out_mw[t] + shift.in_mw[t] - supply[t]);
  return total;
}

// The objective is a sum of convex functions of single hours under one equality, so a schedule that
// no pair of hours can better is the best. `value(t, load)` is convex in the load and linear
// between the points of `bends(t)`.
template <class Value, class Bend>
double least_of_a_day(const std::vector<double>& load, double share, double cap, Value value,
                      Bend bend) {
  std::vector<double> x = load;
  bool better = true;
  while (better) {
    better = false;
    for (std::size_t from = 0; from < x.size(); ++from)
      for (std::size_t to = 0; to < x.size(); ++to) {
        double most = std::min(x[from] - (1 - share) * load[from], cap - x[to]);
        // Not across a bend: a step that begins well may end badly.
        if (x[from] > bend(from)) most = std::min(most, x[from] - bend(from));
        if (x[to] < bend(to)) most = std::min(most, bend(to) - x[to]);
        if (from == to || most <= 1e-12) continue;
        const double gain = value(from, x[from]) + value(to, x[to]) - value(from, x[from] - most) -
                            value(to, x[to] + most);
        if (gain <= 1e-12) continue;
        x[from] -= most;
        x[to] += most;
        better = true;
      }
  }
  double total = 0;
  for (std::size_t t = 0; t < x.size(); ++t) total += value(t, x[t]);
  return total;
}

inline double least_carbon_of_a_day(const std::vector<double>& load,
                                    const std::vector<double>& intensity, double share,
                                    double cap) {
  return least_of_a_day(
      load, share, cap, [&](std::size_t t, double mw) { return mw * intensity[t]; },
      [](std::size_t) { return -1.0; });
}

inline double least_grid_energy_of_a_day(const std::vector<double>& load,
                                         const std::vector<double>& supply, double share,
                                         double cap) {
  return least_of_a_day(
      load, share, cap, [&](std::size_t t, double mw) { return std::max(0.0, mw - supply[t]); },
      [&](std::size_t t) { return supply[t]; });
}

}  // namespace greenline::reference
