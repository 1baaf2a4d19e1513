// The inputs of `grid size`, and the names of its choices.
#include "grid/size.hpp"
#include "grid/verbs_site.hpp"
#include "verb/fields.hpp"

namespace greenline::grid {
namespace {

using base::EnumName;
namespace units = base::units;

constexpr double kMostYears = 200;

void describe_battery(verb::Fields& f, SizeRules& r) {
  f(r.charge, "charge", "what may charge the battery");
  f(r.battery_c_rate, "battery_c_rate",
    "full charges and discharges per hour; cells of the paper 3")
      .bounds(0.0, 100.0)
      .positive();
  f(r.battery_model, "battery_model", "limits of the battery near full and near empty");
  f(r.depth_of_discharge, "depth_of_discharge", "share of the capacity that is used")
      .bounds(0.0, 1.0)
      .positive();
  f(r.battery_years, "battery_years",
    "life of the battery in years; else the sooner of its age and its cycles")
      .bounds(0.0, kMostYears)
      .positive();
  f(r.battery_start, "battery_start", "energy in the battery at the start");
  f(r.separate_battery_power, "separate_battery_power",
    "power of the battery is a size of its own, instead of following from --battery-c-rate");
}

void describe_embodied(verb::Fields& f, SizeRules& r) {
  f(r.server_class, "server_class", "catalogue entry of extra servers: cpu-120w, or a node")
      .source("carbonexplorer2023");
  f(r.idle_share, "idle_share", "power of extra servers without work, of their power at work")
      .bounds(0.0, 1.0);
  f(r.embodied_basis, "embodied_basis", "what embodied carbon of wind and solar is charged to");
  f(r.capacity_carbon, "capacity_carbon", "embodied carbon by capacity");
}

void describe_work(verb::Fields& f, SizeRules& r) {
  f(r.flexible, "flexible", "share of the load that may run in another hour of its local day")
      .bounds(0.0, 1.0);
  f(r.deadline, "deadline", "share that may run later, at most so many hours: 4h=10%, none=5%")
      .placeholder("WAIT=SHARE");
  f(r.most_extra_servers, "most_extra_servers",
    "extra servers, as a share of those the highest load needs")
      .bounds(0.0, 100.0);
}

void describe_limits(verb::Fields& f, SizeRules& r) {
  const base::Power none = 0.0 * units::W;
  f(r.coverage, "coverage", "share of the load that must not come from the grid").bounds(0.0, 1.0);
  f(r.least_wind, "least_wind", "wind capacity at least").bounds(none, kMostPower);
  f(r.most_wind, "most_wind", "wind capacity at most; end of the range of a sweep")
      .bounds(none, kMostPower);
  f(r.least_solar, "least_solar", "solar capacity at least").bounds(none, kMostPower);
  f(r.most_solar, "most_solar", "solar capacity at most").bounds(none, kMostPower);
  const base::Energy empty = 0.0 * units::MWh, most = kMostPower * (1.0 * units::year);
  f(r.least_battery, "least_battery", "battery at least").bounds(empty, most);
  f(r.most_battery, "most_battery", "battery at most").bounds(empty, most);
  f(r.most_embodied, "most_embodied", "embodied carbon of a year at most").bounds(base::Carbon{});
  f(r.most_capital, "most_capital", "capital at most").bounds(base::Money{});
}

void describe_objective(verb::Fields& f, SizeRules& r) {
  f(r.objective, "objective", "what is to be least");
  f(r.prices, "prices", "what sizes cost");
  f(r.energy_price, "energy_price", "price of energy from the grid").bounds(base::MoneyPerEnergy{});
  f(r.usd_per_tonne, "usd_per_tonne", "USD for each tonne CO2e, beside the cost")
      .bounds(0.0)
      .chosen();
}

}  // namespace

void describe(verb::Fields& f, CapacityCarbon& c) {
  f(c.wind, "wind", "kgCO2e per kW of wind").bounds(0.0);
  f(c.solar, "solar", "kgCO2e per kW of solar").bounds(0.0);
  f(c.wind_years, "wind_years", "life of wind").bounds(0.0, kMostYears).positive();
  f(c.solar_years, "solar_years", "life of solar").bounds(0.0, kMostYears).positive();
}

// Of no consequence unless cost is the objective; what is then not given costs nothing.
void describe(verb::Fields& f, Prices& p) {
  const auto price = [&](double& member, const char* name, const char* help) {
    f(member, name, help).bounds(0.0).chosen();
  };
  const auto years = [&](double& member, const char* name, const char* help) {
    f(member, name, help).bounds(0.0, kMostYears).positive().chosen();
  };
  f(p.discount_rate, "discount_rate", "of a year; capital becomes an annuity")
      .bounds(0.0, 1.0)
      .chosen();
  price(p.wind_usd_per_kw, "wind_usd_per_kw", "capital of wind");
  price(p.solar_usd_per_kw, "solar_usd_per_kw", "capital of solar");
  price(p.battery_usd_per_kwh, "battery_usd_per_kwh", "capital of battery energy");
  price(p.battery_usd_per_kw, "battery_usd_per_kw", "capital of battery power");
  price(p.server_usd_per_w, "server_usd_per_w", "capital of servers");
  years(p.wind_years, "wind_years", "years over which wind is paid");
  years(p.solar_years, "solar_years", "years over which solar is paid");
  years(p.battery_years, "battery_years", "years over which the battery is paid");
  years(p.server_years, "server_years", "years over which servers are paid");
  price(p.wind_usd_per_kw_year, "wind_usd_per_kw_year", "operation of wind, each year");
  price(p.solar_usd_per_kw_year, "solar_usd_per_kw_year", "operation of solar, each year");
  price(p.battery_usd_per_kwh_year, "battery_usd_per_kwh_year",
        "operation of batteries, each year");
}

void describe(verb::Fields& f, SizeRules& r) {
  f(r.method, "method", "lp: one linear program; sweep: many designs").chosen();
  describe_battery(f, r);
  describe_embodied(f, r);
  describe_work(f, r);
  describe_limits(f, r);
  describe_objective(f, r);
  f(r.steps, "steps", "sizes of each kind in a sweep").bounds(2.0, 1000.0);
  f(r.pareto, "pareto", "points of a front of linear programs, operational against embodied")
      .bounds(0.0, 1000.0);
}

void describe(verb::Fields& f, SizeRequest& r) {
  describe_load(f, r.grid, r.load, r.load_shape);
  f(r.weather, "weather", "file of another year of the same grid; all are sized at once")
      .placeholder("FILE");
  describe_rules(f, r.capacity_basis, r.compat);
  describe(f, r.rules);
  f(r.write_mps, "write_mps", "write the linear program as an MPS file").placeholder("FILE");
}

std::span<const EnumName> enum_names(SizeMethod) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(SizeMethod::lp), "lp", "one linear program over all hours"},
      {static_cast<int>(SizeMethod::sweep), "sweep", "many designs, dispatched without foresight"}};
  return kNames;
}

std::span<const EnumName> enum_names(Charge) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(Charge::any_renewable), "any-renewable",
       "wind and solar, also while the grid carries load"},
      {static_cast<int>(Charge::surplus_only), "surplus-only", "what the load leaves of them"}};
  return kNames;
}

std::span<const EnumName> enum_names(BatteryModel) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(BatteryModel::clc), "c-l-c", "power falls near full and near empty"},
      {static_cast<int>(BatteryModel::linear), "linear", "full power at any state"}};
  return kNames;
}

std::span<const EnumName> enum_names(BatteryStart) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(BatteryStart::cyclic), "cyclic", "what it holds at the end"},
      {static_cast<int>(BatteryStart::full), "full", "full, whatever it holds at the end"}};
  return kNames;
}

std::span<const EnumName> enum_names(EmbodiedBasis) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(EmbodiedBasis::generation), "generation",
       "each kWh that the plant can make"},
      {static_cast<int>(EmbodiedBasis::capacity), "capacity", "each kW that is built"}};
  return kNames;
}

std::span<const EnumName> enum_names(Objective) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(Objective::carbon), "carbon", "operational and embodied carbon"},
      {static_cast<int>(Objective::cost), "cost", "energy and yearly cost, carbon at a price"}};
  return kNames;
}

std::span<const EnumName> enum_names(SizeStatus) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(SizeStatus::optimal), "optimal", ""},
      {static_cast<int>(SizeStatus::infeasible), "infeasible", ""},
      {static_cast<int>(SizeStatus::unbounded), "unbounded", ""},
      {static_cast<int>(SizeStatus::interrupted), "interrupted", ""},
      {static_cast<int>(SizeStatus::not_converged), "not-converged", ""}};
  return kNames;
}

}  // namespace greenline::grid
