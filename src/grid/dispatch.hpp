// A design on a site, hour by hour: when its battery charges and discharges, which work moves, what
// the grid gives and what is curtailed.
//
// The battery charges from surplus only, as much as it can, and discharges into shortfall only, as
// much as it can (Carbon Explorer's rule, carbonexplorer2023): the least grid energy that a battery
// which knows no future can reach, whatever the grid's intensity does.
//
//   R = wind + solar     ΣR + Σ discharge + Σ grid = Σ(load - out + in) + Σ charge + Σ curtailed
#pragma once

#include <cstddef>
#include <vector>

#include "base/enum_name.hpp"
#include "grid/battery.hpp"
#include "grid/flexible.hpp"
#include "grid/site_hours.hpp"

namespace greenline::grid {

// What the state is at the start. `cyclic`: what it is at the end; the largest such state.
enum class Start { cyclic, full, given };
std::span<const base::EnumName> enum_names(Start);

// Which of battery and flexible work sees the surplus first.
enum class First { flexible, battery };
std::span<const base::EnumName> enum_names(First);

struct DispatchOptions {
  Battery battery;  // its capacity is that of the design
  BatteryStep step = BatteryStep::hour;
  Start start = Start::cyclic;
  base::Energy initial;       // of Start::given, within what the battery holds
  double flexible_share = 0;  // φ; the cap is that of the design's extra servers
  double idle_share = 0;      // power of an extra server without work, of its highest
  First first = First::flexible;
  // A defect of the release: a charging hour gives up its whole surplus, also what the battery does
  // not take. With battery first, no work can then move onto it.
  bool charging_takes_all_surplus = false;
};

// What a design does in each hour: all (num_hours), mean MW.
struct Schedule {
  std::vector<double> charge_mw, discharge_mw, out_mw, in_mw;
  double initial_mwh = 0;
};

struct Dispatch {
  Schedule schedule;
  std::vector<double> supply_mw, grid_mw, curtailed_mw;  // (num_hours)
  std::vector<double> state_mwh;                         // (num_hours), at the end of the hour
  double load_mwh = 0, supply_mwh = 0, grid_mwh = 0, curtailed_mwh = 0;
  double charged_mwh = 0, discharged_mwh = 0, moved_mwh = 0;
  double operational_kg = 0;  // Σ grid · intensity, CO2e
  double cycles = 0;          // full discharges of the usable capacity
  double coverage() const { return load_mwh > 0 ? 1 - grid_mwh / load_mwh : 0; }
};

// Wind and solar of a design, MW (num_hours).
std::vector<double> supply_mw(const SiteHours& site, const Design& design);

// What extra servers draw without work, MW in every hour. It is load that does not move: work and
// battery see the supply less it.
double idle_mw(const SiteHours& site, const Design& design, double idle_share);

// UserError "bad-battery", "bad-flexible", "bad-design" (a negative size), "bad-start".
Dispatch dispatch(const SiteHours& site, const Design& design, const DispatchOptions& options);

// UserError "bad-design": a size that is negative or not finite.
void check(const Design& design);

// `options.battery` of the size that the design has.
Battery sized(Battery battery, const Design& design);

// A dispatch of so many hours in which nothing happens, and its sums once they are filled in.
Dispatch idle(std::size_t num_hours);
void add_totals(const SiteHours& site, const BatteryHour& battery, double idle_mw,
                Dispatch& dispatch);

}  // namespace greenline::grid
