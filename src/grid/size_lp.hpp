// The best sizes of wind, solar, battery and extra servers for a site, and what they do in every
// hour, as one linear program over all hours (Carbon Explorer's question, carbonexplorer2023).
//
//   minimise   per_tonne · (Σ intensity · grid + embodied) + per_usd · (Σ price · grid + yearly
//   cost) so that, in each hour, with R = W · wind + S · solar,
//     load - out + in + idle + charge ≤ R + discharge + grid       what is over is curtailed
//     charge ≤ R                                                   from wind and solar only, net
//     state = state before + η_c · charge - η_d · discharge        within what the battery allows
//     load - out + in ≤ (1 + extra servers) · highest load
//     work moves within its local day, or to at most so many hours later
//
// It knows all hours before they come, and counts average emissions: while a clean grid carries the
// load, wind may charge the battery for a dirty hour. A battery that takes surplus only, and knows
// nothing of the next hour, is grid/dispatch.
//
// Several years at once are more hours; what is "a year" below is then their mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/enum_name.hpp"
#include "base/progress.hpp"
#include "grid/battery.hpp"
#include "grid/site_hours.hpp"
#include "grid/unit_costs.hpp"
#include "solve/solver.hpp"

namespace greenline::grid {

struct Bounds {
  double low = 0, high = solve::kInfinity;
};

// A share of the load of every hour that may run at another time.
struct FlexibleWork {
  double share = 0;
  // nothing: any other hour of its local day; a number: at most so many hours later.
  std::optional<int> hours_later;
  static constexpr int kNoDeadline = -1;  // any hour later, or earlier in the next round of a cycle
};

// At the start: what it is at the end; full; or `initial_mwh`, with any end.
enum class Boundary { cyclic, full, given };

struct SizeOptions {
  Battery battery;  // its capacity is an outcome
  Boundary boundary = Boundary::cyclic;
  double initial_mwh = 0;  // of Boundary::given
  // Battery power as a size of its own: at most so much is taken in and given, in MW outside the
  // battery. Otherwise it follows from the capacity by the rates of `battery`.
  bool own_battery_power = false;
  std::vector<FlexibleWork> flexible;
  double idle_share = 0;  // power of an extra server without work, of its highest power

  // Full cycles a year that use the battery up within the life that the numbers below count on.
  // What cycles more is used up sooner, and embodies and costs in proportion: the program weighs
  // each cycle against that, and its answer lasts as long as its own use lets it.
  double most_cycles_per_year = solve::kInfinity;
  PerUnit embodied_kg_per_year, usd_per_year, capital_usd;
  std::vector<double>
      energy_usd_per_mwh;             // of what the grid gives; (num_hours), 1 for all, or none
  double per_tonne = 1, per_usd = 0;  // weights of the objective

  Bounds wind_mw, solar_mw, battery_mwh, battery_mw, extra_servers{0, 1};
  double least_coverage = 0;  // of the load, by energy
  std::optional<double> most_embodied_t_per_year, most_capital_usd;

  const solve::Basis* start = nullptr;  // of an answer to the same question with other numbers
  const solve::Solver* solver = nullptr;
};

struct SizeAnswer {
  solve::Status status = solve::Status::not_converged;
  // Everything below only when it is optimal.
  Design design;
  base::Power battery_power;  // the most that the battery can give by its rate, or its own size
  // (num_hours), mean MW; state at the end of the hour.
  std::vector<double> charge_mw, discharge_mw, out_mw, in_mw, grid_mw, curtailed_mw, state_mwh;
  double initial_mwh = 0;

  // Per year. t: tonnes CO2e.
  double objective = 0, operational_t = 0, embodied_t = 0, usd = 0, capital_usd = 0;
  double load_mwh = 0, grid_mwh = 0, curtailed_mwh = 0, moved_mwh = 0;
  double coverage = 0;
  double battery_cycles = 0;  // full discharges of the usable capacity
  double battery_wear = 1;    // 1: lasts as long as was counted on; 2: half as long
  // What a limit costs, in the unit of the objective (t or USD) per unit of the limit; 0 where it
  // does not bind. Of coverage: per MWh that the grid may no longer give.
  double coverage_price = 0, embodied_price_per_t = 0, capital_price_per_usd = 0;

  solve::Basis basis;
  solve::Residuals residuals;
  std::int64_t iterations = 0;
  double seconds = 0;
  std::string solver;
};

// Full cycles a year of a battery that gives `discharged_mwh`, measured outside it, in the hours of
// the site; 0 without a battery.
double cycles_per_year(const SiteHours& site, const Battery& battery, base::Energy capacity,
                       double discharged_mwh);
// How much sooner than was counted on so many cycles use the battery up: 1 or more.
double wear_of_use(const SizeOptions& options, double cycles_per_year);

// UserError "bad-size-limit", "bad-flexible", "bad-battery", "bad-load" (no hour, or not a number
// above 0), "bad-energy-price".
SizeAnswer size(const SiteHours& site, const SizeOptions& options,
                base::Progress& progress = base::no_progress());

// The program that `size` solves, with names when `named`: columns wind, solar, battery,
// charge_<hour> and so on, hours from 0.
solve::LinearProgram size_program(const SiteHours& site, const SizeOptions& options, bool named);

// Least operational carbon for each of `num_points` budgets of embodied carbon, evenly spaced from
// 0 to `span` times that of the least total; they take the place of `most_embodied_t_per_year`, and
// `objective` is then the operational carbon. Each point starts from the one before, the first from
// `options.start`. The price of its budget says how many tonnes a year one more embodied tonne a
// year saves: the least total is where it passes 1. An answer that is not optimal ends the list.
std::vector<SizeAnswer> pareto(const SiteHours& site, const SizeOptions& options,
                               std::size_t num_points, double span = 1.5,
                               base::Progress& progress = base::no_progress());

}  // namespace greenline::grid
