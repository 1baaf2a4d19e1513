// A data centre on a grid with wind and solar of its own: what they cover, hour by hour, and what
// the rest emits.
//
// Carbon Explorer (Acun et al., ASPLOS 2023). Wind and solar follow the grid's own generation,
// scaled to the capacity given:
//
//   supply_t = wind · WND_t / max WND + solar · SUN_t / max SUN
//   coverage = 1 - Σ max(0, load_t - supply_t) / Σ load_t
//   carbon   = Σ max(0, load_t - supply_t) · intensity_t
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/enum_name.hpp"
#include "base/journal.hpp"
#include "base/progress.hpp"
#include "footprint/grid_hours.hpp"
#include "grid/balance.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::grid {

// Which hour of the grid's generation counts as full capacity. p99_9 is less at the mercy of one
// hour; the hours above it give more than the capacity.
enum class CapacityBasis { window_max, p99_9 };
std::span<const base::EnumName> enum_names(CapacityBasis);

// carbon_explorer: the load of the release unless another is given, and operational carbon as mean
// grid power times mean intensity.
enum class Compat { none, carbon_explorer };
std::span<const base::EnumName> enum_names(Compat);

struct SimulateRequest {
  base::Settings settings;
  footprint::GridInput grid;
  std::optional<base::Power> load;  // mean; needed unless load_shape is a file, which it scales
  // flat, diurnal, carbon-explorer, a CSV file; "": flat, or the load of `compat`.
  std::string load_shape;
  base::Power wind, solar;  // capacity
  CapacityBasis capacity_basis = CapacityBasis::window_max;
  Compat compat = Compat::none;
};

struct SimulateMonth {
  std::string name;  // "2021-05"
  base::Energy load, used, curtailed, from_grid;
  base::Carbon operational;
  double coverage = 0;
};

struct SimulateResult {
  footprint::GridHours grid;
  Compat compat = Compat::none;
  std::string load_shape;                       // what was used
  base::Series<base::Power> load, wind, solar;  // (num_hours)
  Balance balance;
  std::vector<base::CarbonIntensity>
      intensity;                             // (num_hours), of the grid in each hour of the load
  std::vector<base::CarbonRate> carbon;      // (num_hours), of what comes from the grid
  base::CarbonIntensity mean_intensity;      // over those hours
  base::Estimate<base::Carbon> operational;  // by hour, or mean by mean under compat
  base::Estimate<base::Carbon> operational_hour_matched, operational_mean_intensity;
  std::vector<SimulateMonth> months;
  std::size_t week_begin = 0,
              week_end = 0;  // the hours of the week whose coverage is nearest to that of all
};

// UserError "missing-input" (no load), "no-hourly-shape" (wind or solar on a grid without),
// "compat-contradiction".
SimulateResult simulate(const SimulateRequest& request,
                        base::Progress& progress = base::no_progress());

void describe(verb::Fields& fields, SimulateRequest& request);
void present(verb::Report& report, const SimulateResult& result);

}  // namespace greenline::grid
