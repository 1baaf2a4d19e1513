// What the release of Carbon Explorer computes, rule by rule, where its rules differ from ours:
// written from the equations, so that its printed values can be held against our engines. The
// numbers D1 to D15 are those of docs/methods/carbon-explorer.md.
//
// Source: carbonexplorer2023.
#pragma once

#include <optional>
#include <span>

#include "grid/dispatch.hpp"

namespace greenline::grid {

// Each is a rule of the release; false is ours.
struct PublishedRules {
  bool servers_a_thousandth = true;        // D1: embodied carbon of servers, kt/MW read as t/MW
  bool charging_takes_all_surplus = true;  // D2: DispatchOptions
  bool mean_intensity = true;              // D3: operational carbon as mean times mean
  bool window_of_whole_days = true;        // D4: n hours of generation counted as n / 24 days
  bool starts_full = true;                 // D7
  bool last_partial_day_dropped = true;    // D8
  bool exact_fill_gives_again = true;      // D15
};

// The hours that its shifting of work sees: whole blocks of 24.
std::size_t whole_day_hours(std::size_t num_hours);

// Work within each block of 24 hours from the first hour on; later hours stay as they are. Two
// fingers: hours in the order of supply (then load), or of intensity; the worst gives min(its
// shortfall, φ · its load), or φ · its load, to the best with room. D15: when the taker is filled
// exactly, the giver stays and gives φ of what it has left once more, more than its share allows.
Shift published_shift_to_surplus(std::span<const double> load_mw, std::span<const double> supply_mw,
                                 double share, double cap, bool exact_fill_gives_again = true);
Shift published_shift_to_clean_hours(std::span<const double> load_mw,
                                     std::span<const double> intensity_g_per_kwh, double share,
                                     double cap, bool exact_fill_gives_again = true);

// Its bisection for the battery that covers every hour: minute steps, from full, between 0 and
// `most`, until the interval is at most 0.1 MWh; the last capacity tried, which may be one that
// does not suffice. None when `most` does not.
std::optional<base::Energy> published_around_the_clock(std::span<const double> load_mw,
                                                       std::span<const double> supply_mw,
                                                       Battery battery, base::Energy most);

// Over ten years, per mean load; constants of the release.
struct PublishedFootprint {
  double coverage = 0;
  base::Carbon operational, embodied;
  base::Power mean_load;
  double kt_per_mw() const;
};

enum class Strategy { renewables, battery, flexible, battery_and_flexible };

// `battery` has the C-rates of the paper (3) unless the caller wants another. Coverage is that of
// the whole days when work moves; everything else is of all hours.
PublishedFootprint published_footprint(const SiteHours& site, const Design& design,
                                       Strategy strategy, double flexible_share,
                                       const Battery& battery, const PublishedRules& rules = {});

// The paper's battery: 3 full charges or discharges per hour.
Battery published_battery();

}  // namespace greenline::grid
