#include "grid/size_inputs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "grid/site_of_grid.hpp"

namespace greenline::grid {
namespace {

using base::Carbon;
using base::CarbonIntensity;
using base::Estimate;
using base::Power;
namespace units = base::units;

// Output of 1 MW of capacity is generation / capacity: what the capacity was, MW; 0 without any.
double capacity_mw(const base::Series<Power>& generation, const SiteData& site,
                   const std::vector<double>& share) {
  if (generation.values.empty()) return 0;
  for (std::size_t t = 0; t < share.size(); ++t)
    if (share[t] > 0) return generation.values[site.grid_hour[t]].in(units::MW) / share[t];
  return 0;
}

struct Year {
  SiteData site;
  SiteHours hours;
  double wind_mw = 0, solar_mw = 0;  // capacities of the grid
};

Year load_year(const SizeRequest& request, const footprint::GridInput& grid,
               const catalog::Catalog& facts) {
  Year year;
  year.site =
      load_site({grid, request.load, request.load_shape, request.capacity_basis, request.compat},
                facts, request.settings);
  year.hours = site_hours(year.site, request.capacity_basis);
  year.wind_mw = capacity_mw(year.site.grid.wind, year.site, year.hours.wind_share);
  year.solar_mw = capacity_mw(year.site.grid.solar, year.site, year.hours.solar_share);
  return year;
}

void append(std::vector<double>& to, const std::vector<double>& from, double factor = 1) {
  for (const double x : from) to.push_back(x * factor);
}

void append_year(SizeSite& out, const Year& year, double wind_mw, double solar_mw) {
  const std::size_t begin = out.hours.num_hours();
  append(out.hours.load_mw, year.hours.load_mw);
  append(out.hours.wind_share, year.hours.wind_share, wind_mw > 0 ? year.wind_mw / wind_mw : 1);
  append(out.hours.solar_share, year.hours.solar_share,
         solar_mw > 0 ? year.solar_mw / solar_mw : 1);
  append(out.hours.intensity_g_per_kwh, year.hours.intensity_g_per_kwh);
  if (!out.hours.day_begin.empty()) out.hours.day_begin.pop_back();
  for (const std::size_t day : year.hours.day_begin) out.hours.day_begin.push_back(begin + day);
  const std::vector<double>& clean = year.site.grid.carbon_free_share;
  if (clean.empty()) return;
  for (const std::size_t hour : year.site.grid_hour) out.carbon_free_share.push_back(clean[hour]);
}

// Catalogue entries that have what a class of servers needs.
std::vector<std::string> server_classes(const catalog::Catalog& facts) {
  std::vector<std::string> names;
  for (const std::string& entry : facts.entries("embodied"))
    if (facts.peek(entry + ".embodied") && facts.peek(entry + ".power")) names.push_back(entry);
  for (const std::string& node : facts.entries("nodes")) {
    const catalog::Fact* device = facts.peek(node + ".device");
    if (device && facts.peek(device->text + ".embodied") && facts.peek(node + ".max_power"))
      names.push_back(node);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// kg per W of the servers, and of what stands around them.
Estimate<double> server_kg_per_w(const std::string& name, const catalog::Catalog& facts) {
  const std::vector<std::string> known = server_classes(facts);
  if (!std::binary_search(known.begin(), known.end(), name))
    throw base::unknown_name(
        "server-class", name, known,
        "or give one of your own with --catalog: facts <name>.embodied and <name>.power");
  const auto kg_per_w = [](const Estimate<Carbon>& carbon, Power power) {
    const Carbon per_w = 1.0 * units::kgCO2e * power.in(units::W);
    return carbon / Estimate<Carbon>(per_w);
  };
  const Estimate<double> around = facts.estimate<double>("server.embodied_around");
  if (facts.peek(name + ".power"))
    return kg_per_w(facts.estimate<Carbon>(name + ".embodied"), facts.get<Power>(name + ".power")) *
           around;
  constexpr double kDevicesOfHost = 8;  // of host-8gpu
  const double devices = static_cast<double>(facts.integer(name + ".devices_per_node"));
  const Estimate<Carbon> node =
      facts.estimate<Carbon>(facts.text(name + ".device") + ".embodied") * devices +
      facts.estimate<Carbon>("host-8gpu.embodied") * (devices / kDevicesOfHost);
  return kg_per_w(node, facts.get<Power>(name + ".max_power")) * around;
}

void contradiction(bool holds, const std::string& message) {
  GL_USER_CHECK(!holds, "size-contradiction", message);
}

Bounds bounds(const auto& least, const auto& most, auto unit, const char* unit_name,
              const char* name) {
  Bounds out;
  if (least) out.low = least->in(unit);
  if (most) out.high = most->in(unit);
  contradiction(out.high < out.low,
                fmt::format("--least-{0} is {1:.12g} {3} and --most-{0} {2:.12g} {3}: no size lies "
                            "between them",
                            name, out.low, out.high, unit_name));
  return out;
}

void check_rules(const SizeRules& r) {
  const bool sweeps = r.method == SizeMethod::sweep || r.charge == Charge::surplus_only;
  contradiction(r.method == SizeMethod::lp && r.charge == Charge::surplus_only,
                "--method lp with --charge surplus-only: a battery that takes surplus only is no "
                "linear program; use --method sweep");
  contradiction(sweeps && !r.deadline.empty(),
                "--deadline with a sweep: its work moves within the day; use --method lp");
  contradiction(sweeps && r.separate_battery_power,
                "--separate-battery-power with a sweep: its battery power follows from the "
                "capacity; use --method lp");
  contradiction(sweeps && r.pareto > 0,
                "--pareto with a sweep, which has a front of its own; use --method lp");
  contradiction(sweeps && r.battery_model == BatteryModel::linear,
                "--battery-model linear with a sweep; use --method lp");
  contradiction(sweeps && r.objective == Objective::cost,
                "--objective cost with a sweep, which weighs carbon; use --method lp");
  contradiction(r.objective == Objective::carbon && r.usd_per_tonne > 0,
                "--usd-per-tonne with --objective carbon, which counts no money; use --objective "
                "cost");
  const Prices& p = r.prices;
  contradiction(
      r.separate_battery_power && !(r.objective == Objective::cost && p.battery_usd_per_kw > 0),
      "--separate-battery-power without a cost of power: the best would be any power; "
      "give --objective cost and --prices.battery-usd-per-kw");
  GL_USER_CHECK(!r.most_capital || p.wind_usd_per_kw > 0 || p.solar_usd_per_kw > 0 ||
                    p.battery_usd_per_kwh > 0,
                "missing-input",
                std::string("--most-capital needs --prices.wind-usd-per-kw, .solar-usd-per-kw or "
                            ".battery-usd-per-kwh: the catalogue has none"));
}

// The release sweeps all sizes for the least carbon, and knows none of these.
void check_compat(const SizeRequest& request) {
  if (request.compat == Compat::none) return;
  const SizeRules& r = request.rules;
  const std::pair<bool, const char*> unknown[] = {
      {r.method == SizeMethod::lp, "--method lp"},
      {r.objective == Objective::cost, "--objective cost"},
      {r.coverage > 0, "--coverage"},
      {r.most_embodied.has_value(), "--most-embodied"},
      {r.most_capital.has_value(), "--most-capital"},
      {!r.deadline.empty(), "--deadline"},
      {r.separate_battery_power, "--separate-battery-power"},
      {r.pareto > 0, "--pareto"},
      {r.battery_model == BatteryModel::linear, "--battery-model linear"}};
  for (const auto& [given, flag] : unknown)
    contradiction(given, fmt::format("{} with --compat carbon-explorer: the release sweeps for the "
                                     "least carbon and has nothing of the kind",
                                     flag));
}

}  // namespace

// What a reader of "a year" has to know about the hours behind it.
void say_how_long(const std::vector<Year>& years, base::Journal& journal) {
  constexpr std::size_t kYear = 8760, kDay = 24;
  std::size_t least = years.front().hours.num_hours(), most = least;
  for (const Year& year : years) {
    least = std::min(least, year.hours.num_hours());
    most = std::max(most, year.hours.num_hours());
  }
  if (least + kDay < kYear)
    journal.notice(fmt::format(
        "{} hours stand for a year: what is given per year is scaled from them, and seasons that "
        "they do not show are not in it",
        least));
  if (most > least + kDay)
    journal.notice(fmt::format(
        "the files have {} to {} hours: each hour counts alike, so a longer file counts for more",
        least, most));
}

SizeSite load_size_site(const SizeRequest& request, const catalog::Catalog& facts) {
  check_compat(request);
  std::vector<Year> years;
  years.push_back(load_year(request, request.grid, facts));
  for (const std::string& file : request.weather) {
    footprint::GridInput grid = request.grid;
    grid.grid = file;
    years.push_back(load_year(request, grid, facts));
  }
  double wind_mw = 0, solar_mw = 0;
  for (const Year& year : years)
    wind_mw = std::max(wind_mw, year.wind_mw), solar_mw = std::max(solar_mw, year.solar_mw);
  say_how_long(years, *request.settings.journal);
  SizeSite out;
  out.hours.start = years.front().hours.start;
  for (const Year& year : years) append_year(out, year, wind_mw, solar_mw);
  if (out.carbon_free_share.size() != out.hours.num_hours()) out.carbon_free_share.clear();
  out.first = std::move(years.front().site);
  return out;
}

EmbodiedCarbon embodied_carbon(const SizeRules& rules, const catalog::Catalog& facts) {
  EmbodiedCarbon out;
  const CapacityCarbon& own = rules.capacity_carbon;
  const bool by_capacity = rules.embodied_basis == EmbodiedBasis::capacity;
  GL_USER_CHECK(
      !by_capacity || (own.wind && own.solar && own.wind_years && own.solar_years), "missing-input",
      std::string("--embodied-basis capacity needs --capacity-carbon.wind and .solar (kgCO2e per "
                  "kW), .wind-years and .solar-years; the catalogue knows energy only"));
  contradiction(!by_capacity && (own.wind || own.solar || own.wind_years || own.solar_years),
                "--capacity-carbon is given and --embodied-basis is generation; use "
                "--embodied-basis capacity");
  if (by_capacity) {
    out.factors.wind_kg_per_kw = *own.wind, out.factors.solar_kg_per_kw = *own.solar;
    out.factors.wind_years = *own.wind_years, out.factors.solar_years = *own.solar_years;
  } else {
    out.wind = facts.estimate<CarbonIntensity>("wind.embodied_per_kwh");
    out.solar = facts.estimate<CarbonIntensity>("solar.embodied_per_kwh");
    out.factors.wind_g_per_kwh = out.wind.nominal().in(units::g_per_kWh);
    out.factors.solar_g_per_kwh = out.solar.nominal().in(units::g_per_kWh);
  }
  out.battery = facts.estimate<CarbonIntensity>("battery.embodied_per_kwh");
  out.factors.battery_kg_per_kwh = out.battery.nominal().in(units::g_per_kWh) / 1000;
  out.server_kg_per_w = server_kg_per_w(rules.server_class, facts);
  out.factors.server_kg_per_w = out.server_kg_per_w.nominal();
  out.server_life = facts.estimate<base::Time>("server.lifetime");
  out.factors.server_years = out.server_life.nominal().in(units::year);
  out.idle_share = rules.idle_share ? *rules.idle_share : facts.get<double>("server.idle_share");
  return out;
}

FlexibleWork parse_deadline(const std::string& text) {
  const auto wrong = [&]() {
    return base::UserError("bad-deadline",
                           fmt::format("--deadline {}: expected the longest wait and a share of "
                                       "the load, such as 4h=10% or none=5%",
                                       base::quoted(text)));
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw wrong();
  const std::string wait = text.substr(0, equals);
  FlexibleWork work;
  work.share = base::parse_quantity(text.substr(equals + 1), {}, "--deadline").value;
  if (wait == "none") {
    work.hours_later = FlexibleWork::kNoDeadline;
    return work;
  }
  const double hours =
      base::parse_quantity(wait, base::AnyQuantity(base::Time{}).dimension, "--deadline").value /
      3600;
  if (!(hours >= 1) || hours != std::floor(hours) || hours > 8760) throw wrong();
  work.hours_later = static_cast<int>(hours);
  return work;
}

SizeOptions size_options(const SizeRules& r, const EmbodiedCarbon& embodied) {
  check_rules(r);
  SizeOptions o;
  o.battery.charge_rate = o.battery.discharge_rate = r.battery_c_rate;
  o.battery.depth_of_discharge = r.depth_of_discharge;
  if (r.battery_model == BatteryModel::linear) o.battery.upper_slope = o.battery.lower_slope = 0;
  o.boundary = r.battery_start == BatteryStart::cyclic ? Boundary::cyclic : Boundary::full;
  o.own_battery_power = r.separate_battery_power;
  if (r.flexible > 0) o.flexible.push_back({r.flexible, {}});
  for (const std::string& text : r.deadline) o.flexible.push_back(parse_deadline(text));
  o.idle_share = embodied.idle_share;
  o.wind_mw = bounds(r.least_wind, r.most_wind, units::MW, "MW", "wind");
  o.solar_mw = bounds(r.least_solar, r.most_solar, units::MW, "MW", "solar");
  o.battery_mwh = bounds(r.least_battery, r.most_battery, units::MWh, "MWh", "battery");
  o.extra_servers = {0, r.most_extra_servers};
  o.least_coverage = r.coverage;
  if (r.most_embodied) o.most_embodied_t_per_year = r.most_embodied->in(units::tCO2e);
  if (r.most_capital) o.most_capital_usd = r.most_capital->in(units::USD);
  if (r.energy_price) o.energy_usd_per_mwh = {r.energy_price->in(units::USD_per_kWh)*1000};
  if (r.objective == Objective::cost) {
    const Prices& p = r.prices;
    GL_USER_CHECK(r.energy_price && (p.wind_usd_per_kw > 0 || p.solar_usd_per_kw > 0 ||
                                     p.battery_usd_per_kwh > 0),
                  "missing-input",
                  std::string("--objective cost needs --energy-price and --prices.wind-usd-per-kw, "
                              ".solar-usd-per-kw or .battery-usd-per-kwh: the catalogue has none"));
    const std::pair<const char*, bool> lives[] = {
        {"wind", p.wind_usd_per_kw > 0 && p.wind_years == Prices{}.wind_years},
        {"solar", p.solar_usd_per_kw > 0 && p.solar_years == Prices{}.solar_years},
        {"battery", p.battery_usd_per_kwh + p.battery_usd_per_kw > 0 &&
                        p.battery_years == Prices{}.battery_years},
        {"server", p.server_usd_per_w > 0 && p.server_years == Prices{}.server_years}};
    for (const auto& [name, missing] : lives)
      GL_USER_CHECK(!missing, "missing-input",
                    fmt::format("--prices.{0}-years is missing: the capital of {0} is paid over so "
                                "many years",
                                name));
    o.per_tonne = r.usd_per_tonne, o.per_usd = 1;
  }
  return o;
}

void set_costs(SizeOptions& o, const SizeRules& rules, EmbodiedFactors factors,
               const SiteHours& site, Compat compat, base::Time battery_life) {
  const ServerBasis basis =
      compat == Compat::carbon_explorer ? ServerBasis::mean_load : ServerBasis::highest_load;
  factors.battery_years = battery_life.in(units::year);
  o.embodied_kg_per_year = embodied_kg_per_year(factors, site, basis);
  o.usd_per_year = usd_per_year(rules.prices, site, basis);
  o.capital_usd = capital_usd(rules.prices, site, basis);
}

}  // namespace greenline::grid
