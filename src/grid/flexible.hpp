// Work that may run at another hour of the same local day.
//
// Of the load of each hour a share φ may leave it; no hour draws more than `cap`. Two exact
// answers, both O(T log 24):
//
//   onto surplus    D = Σ min(max(0, L - R), φ L)      what could leave hours of shortfall
//                   A = Σ max(0, min(R - L, cap - L))  what hours of surplus have room for
//                   moved = min(D, A), the least grid energy that any schedule of the day reaches
//   onto clean hours the hours of least intensity are filled to the cap from those of the highest,
//                   as long as the intensity falls
//
// Source: carbonexplorer2023, whose own rules are in grid/carbon_explorer.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/quantity.hpp"

namespace greenline::grid {

struct Flexible {
  double share = 0;          // φ of the load of each hour, 0 to 1
  double extra_servers = 0;  // cap = (1 + extra_servers) · the highest load
};

// Mean power that leaves and enters each hour, MW; load + in - out runs.
struct Shift {
  std::vector<double> out_mw, in_mw;  // (num_hours)
  double moved_mwh = 0;
};

// Hours in blocks of `hours`, the last one shorter: bounds (num_blocks + 1).
std::vector<std::size_t> blocks_of(std::size_t num_hours, std::size_t hours = 24);

// The cap that follows from the load. UserError "bad-flexible": a share outside 0..1, fewer servers
// than the load needs.
double cap_mw(std::span<const double> load_mw, const Flexible& flexible);

// Spans are (num_hours), `day_begin` (num_days + 1) of days of any length. Work leaves the hours of
// the highest intensity first, which decides the carbon of a day with more shortfall than surplus;
// it enters hours of surplus by their room, which decides nothing that the grid sees. UserError
// "bad-flexible": a cap below the highest load.
Shift shift_to_surplus(std::span<const double> load_mw, std::span<const double> supply_mw,
                       std::span<const double> intensity_g_per_kwh,
                       std::span<const std::size_t> day_begin, double share, double cap);

// The load of a site without wind and solar.
Shift shift_to_clean_hours(std::span<const double> load_mw,
                           std::span<const double> intensity_g_per_kwh,
                           std::span<const std::size_t> day_begin, double share, double cap);

}  // namespace greenline::grid
