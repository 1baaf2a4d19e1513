// Which wind, solar, battery and extra servers a site should have, and what they do in every hour:
// least operational and embodied carbon (Carbon Explorer, carbonexplorer2023), or least cost.
//
// The answer of the linear program knows every hour before it comes. Beside it stand its replay, a
// greedy dispatch of the same design, which knows no hour, and a dispatch that knows 48 of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/enum_name.hpp"
#include "base/journal.hpp"
#include "base/progress.hpp"
#include "grid/site.hpp"
#include "grid/size_lp.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::grid {

enum class SizeMethod { lp, sweep };
std::span<const base::EnumName> enum_names(SizeMethod);
enum class Charge { any_renewable, surplus_only };
std::span<const base::EnumName> enum_names(Charge);
enum class BatteryModel { clc, linear };
std::span<const base::EnumName> enum_names(BatteryModel);
enum class BatteryStart { cyclic, full };
std::span<const base::EnumName> enum_names(BatteryStart);
enum class EmbodiedBasis { generation, capacity };
std::span<const base::EnumName> enum_names(EmbodiedBasis);
enum class Objective { carbon, cost };
std::span<const base::EnumName> enum_names(Objective);

// Embodied carbon of plants by their capacity, of --embodied-basis capacity: kg per kW, and the
// years over which they are counted.
struct CapacityCarbon {
  std::optional<double> wind, solar;
  std::optional<double> wind_years, solar_years;
};

// How sizes are chosen; what a study that sizes its own supply has in common with this verb.
struct SizeRules {
  std::optional<SizeMethod> method;  // lp; sweep with charge surplus-only or compat
  Charge charge = Charge::any_renewable;

  double battery_c_rate = 0.5;  // full charges and discharges per hour
  BatteryModel battery_model = BatteryModel::clc;
  double depth_of_discharge = 1;
  std::optional<double> battery_years;  // else by age and cycles: grid/battery_life.hpp
  BatteryStart battery_start = BatteryStart::cyclic;
  bool separate_battery_power = false;

  std::string server_class = "cpu-120w";  // catalogue entry with embodied and power, or a node
  std::optional<double> idle_share;       // of extra servers without work; else the catalogue's
  EmbodiedBasis embodied_basis = EmbodiedBasis::generation;
  CapacityCarbon capacity_carbon;

  double flexible = 0;  // share of the load that may run in another hour of its day
  std::vector<std::string>
      deadline;  // "4h=10%": share that may run at most so much later, or "none"

  double coverage = 0;  // at least
  std::optional<base::Power> least_wind, most_wind, least_solar, most_solar;
  std::optional<base::Energy> least_battery, most_battery;
  double most_extra_servers = 1;
  std::optional<base::Carbon> most_embodied;  // a year
  std::optional<base::Money> most_capital;

  Objective objective = Objective::carbon;
  Prices prices;
  std::optional<base::MoneyPerEnergy> energy_price;  // of what the grid gives
  double usd_per_tonne = 0;                          // of CO2e, with objective cost

  std::int64_t steps = 21;  // of each range of a sweep
  std::int64_t pareto = 0;  // points of the front that are linear programs of their own
};

struct SizeRequest {
  base::Settings settings;
  footprint::GridInput grid;
  std::vector<std::string> weather;  // files of more years, sized at once with the first
  std::optional<base::Power> load;
  std::string load_shape;
  CapacityBasis capacity_basis = CapacityBasis::window_max;
  Compat compat = Compat::none;
  SizeRules rules;
  std::string write_mps;  // a file
};

enum class SizeStatus { optimal, infeasible, unbounded, interrupted, not_converged };
std::span<const base::EnumName> enum_names(SizeStatus);

// The same sizes under one constant at its low and high.
struct TornadoBar {
  std::string what;
  base::Estimate<base::CarbonRate> total;  // low and high: those of the constant alone
};

struct FrontPoint {
  std::string kind;  // "plan", "linear program", "sweep"
  Design design;
  base::CarbonRate embodied, operational;
  std::optional<double> coverage, embodied_price;  // t of operation per embodied t
  bool knee = false;
};

struct SurfacePoint {
  base::Power wind, solar;
  double coverage = 0;
};

// Best of one strategy by the rules of the release, over ten years and per mean load.
struct PublishedChoice {
  std::string strategy;
  Design design;
  double coverage = 0, kt_per_mw = 0;
  base::CarbonRate operational, embodied;  // of the mean load
  std::string edges;
};

struct SizeResult {
  footprint::GridHours grid;
  std::string load_shape;
  Compat compat = Compat::none;
  SizeRules rules;  // as they were used
  SizeMethod method = SizeMethod::lp;
  SizeStatus status = SizeStatus::not_converged;
  std::string why;                           // of a status that is not optimal
  std::optional<double> reachable_coverage;  // of an infeasible one
  std::size_t num_years_of_files = 1;

  SiteHours site;
  SizeAnswer plan;  // sizes and hours; empty hours when there is none
  bool has_plan() const { return !plan.grid_mw.empty(); }

  base::Estimate<base::CarbonRate> total, operational, embodied;
  base::Estimate<base::CarbonRate> embodied_wind, embodied_solar, embodied_battery,
      embodied_servers;
  base::CarbonRate grid_only;  // no wind, solar or battery
  base::Time battery_life;
  std::string battery_life_why;
  double server_kg_per_w = 0, idle_share = 0;

  base::CarbonRate replayed;
  std::optional<base::CarbonRate> greedy;
  std::string greedy_why;  // when there is none
  std::size_t num_violations = 0;
  double largest_violation = 0;  // MW or MWh
  double greedy_coverage = 0;    // where there is a greedy dispatch
  std::optional<base::CarbonRate> rolling;
  std::string rolling_why;
  std::optional<double> cfe_score;
  std::string cfe_why;

  std::vector<TornadoBar> tornado;
  std::vector<FrontPoint> front;
  std::vector<SurfacePoint> surface;
  std::vector<double> duration, duration_grid;  // (num_points) g/kWh of the load, highest first
  std::size_t week_begin = 0, week_end = 0;
  std::vector<std::string> edges;  // of a sweep
  std::vector<PublishedChoice> strategies;
};

// UserErrors of load_site() and grid::size(SiteHours), "no-single-hours", "unknown-server-class",
// "size-contradiction" (flags that exclude each other), "missing-input", "bad-deadline".
SizeResult size(const SizeRequest& request, base::Progress& progress = base::no_progress());

void describe(verb::Fields& fields, SizeRequest& request);
void describe(verb::Fields& fields, SizeRules& rules);
void describe(verb::Fields& fields, CapacityCarbon& carbon);
void describe(verb::Fields& fields, Prices& prices);
void present(verb::Report& report, const SizeResult& result);
// Without the source of the grid: what a study shows of the sizes of its own supply.
void present_plan(verb::Report& report, const SizeResult& result);

}  // namespace greenline::grid
