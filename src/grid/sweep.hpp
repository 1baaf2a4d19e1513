// Many designs of one site at once, and which of them are worth building.
//
// The rules are those of grid/dispatch.hpp: battery from surplus only, work moved before it.
// Inside, numbers are floats (lanes of a vector are designs) and each local day is added up in
// doubles: a year of grid energy agrees with `dispatch` to a few parts in 1e6. The answers have the
// same bits on every instruction set and for any number of threads.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/instruction_set.hpp"
#include "base/progress.hpp"
#include "grid/dispatch.hpp"

namespace greenline::grid {

struct SweepOptions {
  Battery battery;              // its capacity is that of each design
  Start start = Start::cyclic;  // two passes: the second starts where the first, from full, ended
  double flexible_share = 0;
  double idle_share = 0;  // of extra servers without work
  base::InstructionSet instruction_set = base::widest_instruction_set();  // at most
};

struct SweepOutcome {
  double grid_mwh = 0, curtailed_mwh = 0, discharged_mwh = 0, moved_mwh = 0;
  double operational_kg = 0;    // by the intensity of each hour, CO2e
  double state_change_mwh = 0;  // end of the battery less its start: what a short window still owes
  double cycles = 0;            // full discharges of the usable capacity
  double load_mwh = 0;          // with the extra servers that idle
  bool done = false;            // false: stopped before this design
  double coverage() const { return load_mwh > 0 ? 1 - grid_mwh / load_mwh : 0; }
};

// (num_designs), over the hours of the site. UserError as `dispatch`, and "bad-start" for
// Start::given. After `progress.cancelled()` the designs not yet done are left as they are.
std::vector<SweepOutcome> sweep(const SiteHours& site, std::span<const Design> designs,
                                const SweepOptions& options,
                                base::Progress& progress = base::no_progress());

// Evenly spaced sizes of one kind, `steps` of them from `low` to `high`.
struct Axis {
  double low = 0, high = 0;
  std::size_t steps = 1;
  double value(std::size_t i) const {
    return steps > 1 ? low + (high - low) * static_cast<double>(i) / static_cast<double>(steps - 1)
                     : low;
  }
};

// All combinations, the last axis fastest.
struct DesignGrid {
  Axis wind_mw, solar_mw, battery_mwh, extra_servers;
  std::size_t size() const;
  std::vector<Design> designs() const;
  // "wind", "solar", … whose largest size design `i` has, where the axis has several: the best of
  // a sweep lies at such an edge only when the sweep is too small.
  std::vector<std::string> at_the_edge(std::size_t i) const;
};

// Yearly embodied carbon of one unit of each size, CO2e: linear in all four, but for a battery that
// cycles more than `most_cycles_per_year`, which is used up sooner in proportion.
struct YearlyEmbodied {
  double wind_kg_per_mw = 0, solar_kg_per_mw = 0, battery_kg_per_mwh = 0;
  double extra_servers_kg = 0;  // for a share of 1
  double most_cycles_per_year = std::numeric_limits<double>::infinity();
  double of(const Design& design, double cycles_per_year) const;
};

// Points of which no other is at least as low on both axes and lower on one, by rising x; of equal
// points the first.
std::vector<std::size_t> pareto_front(std::span<const double> x, std::span<const double> y);

// Operational and embodied carbon of a sweep, kg a year.
struct SweepVerdict {
  std::vector<double> operational_kg, embodied_kg;  // (num_designs)
  std::size_t best = 0;                             // least sum of both; of equal ones the first
  std::vector<std::size_t> front;  // Pareto front of embodied and operational carbon
  std::vector<std::string> edges;  // ranges too small for the best: DesignGrid::at_the_edge
};

// `outcomes` are those of grid.designs() over `years` of hours; designs that were not done are not
// considered. UserError "bad-design" when there is none.
SweepVerdict weigh(const DesignGrid& grid, std::span<const SweepOutcome> outcomes,
                   const YearlyEmbodied& embodied, double years);

}  // namespace greenline::grid
