#include "grid/verbs.hpp"

#include <cmath>

#include <fmt/format.h>

#include "grid/intensity.hpp"
#include "grid/regions.hpp"
#include "grid/selftest.hpp"
#include "grid/simulate.hpp"
#include "grid/verbs_site.hpp"
#include "verb/fields.hpp"
#include "verb/registry.hpp"
#include "verb/report.hpp"

namespace greenline::grid {
namespace {

using base::AnyQuantity;
using base::CarbonIntensity;
using base::Power;
namespace units = base::units;

void present_groups(verb::Report& r, const std::string& key, const std::string& title,
                    const std::string& name, const std::vector<IntensityGroup>& groups) {
  std::vector<std::string> names;
  std::vector<std::int64_t> num_hours;
  std::vector<CarbonIntensity> mean, low, high;
  for (const IntensityGroup& g : groups) {
    names.push_back(g.name);
    num_hours.push_back(g.num_hours);
    mean.push_back(g.mean);
    low.push_back(g.low);
    high.push_back(g.high);
  }
  r.table(key, title)
      .column(name, names)
      .column("num_hours", num_hours, "hours")
      .column("mean", mean, "mean")
      .column("low", low, "5th percentile")
      .column("high", high, "95th percentile");
}

std::vector<base::Instant> times_of(base::Instant start, std::size_t begin, std::size_t end) {
  std::vector<base::Instant> times;
  for (std::size_t i = begin; i < end; ++i)
    times.push_back(base::advance(start, 1.0 * units::h, i));
  return times;
}

verb::DerivationInput input(const char* symbol, const char* key, AnyQuantity value,
                            std::string source) {
  return {symbol, key, value, std::move(source)};
}

void present_energies(verb::Report& r, const Balance& b) {
  const double coverage = b.coverage();
  r.value("coverage", coverage,
          {.label = "covered by wind and solar, hour by hour",
           .headline = true,
           .as_percent = true,
           .derivation = verb::Derivation{
               .formula = "(load_energy - grid_energy) / load_energy",
               .inputs = {input("load_energy", "load_energy_kwh", b.load_energy, "computed"),
                          input("grid_energy", "grid_energy_kwh", b.grid_energy, "computed")}}});
  r.value("load_energy", b.load_energy, {.label = "load"});
  r.value("renewable_energy", b.renewable_energy, {.label = "wind and solar generated"});
  r.value("used_energy", b.used_energy, {.label = "of it used"});
  r.value("curtailed_energy", b.curtailed_energy, {.label = "of it curtailed"});
  r.value("grid_energy", b.grid_energy, {.label = "from the grid"});
}

void present_carbon(verb::Report& r, const SimulateResult& x) {
  const bool compat = x.compat == Compat::carbon_explorer;
  const verb::Derivation by_hour{.formula = "sum(hours.operational_kgco2e)"};
  const verb::Derivation by_mean{
      .formula = "grid_energy × mean_intensity",
      .inputs = {
          input("grid_energy", "grid_energy_kwh", x.balance.grid_energy, "computed"),
          input("mean_intensity", "mean_intensity_g_per_kwh", x.mean_intensity, x.grid.source)}};
  r.value("operational", x.operational,
          {.label = "operational carbon",
           .why = compat ? "grid energy times mean intensity, as the release does"
                         : "each hour of grid power times its intensity",
           .headline = true,
           .derivation = compat ? by_mean : by_hour});
  r.value("mean_intensity", x.mean_intensity, {.label = "mean intensity of the hours"});
  r.value("operational_hour_matched", x.operational_hour_matched,
          {.label = "matched by hour", .derivation = by_hour});
  r.value("operational_mean_intensity", x.operational_mean_intensity,
          {.label = "with the mean intensity instead", .derivation = by_mean});
  const double matched = x.operational_hour_matched.nominal().base_value();
  if (matched > 0)
    r.value("mean_intensity_error",
            x.operational_mean_intensity.nominal().base_value() / matched - 1,
            {.label = "error of the mean", .as_percent = true});
  else
    r.absent("mean_intensity_error", {}, "nothing comes from the grid",
             {.label = "error of the mean"});
}

void present_months(verb::Report& r, const std::vector<SimulateMonth>& months) {
  std::vector<std::string> names;
  std::vector<double> coverage;
  std::vector<base::Energy> load, used, curtailed, from_grid;
  std::vector<base::Carbon> operational;
  for (const SimulateMonth& m : months) {
    names.push_back(m.name);
    coverage.push_back(m.coverage);
    load.push_back(m.load);
    used.push_back(m.used);
    curtailed.push_back(m.curtailed);
    from_grid.push_back(m.from_grid);
    operational.push_back(m.operational);
  }
  r.table("months", "Month by month")
      .column("month", names)
      .column("coverage", coverage, "covered", true)
      .column("load_energy", load, "load")
      .column("used_energy", used, "wind and solar used")
      .column("curtailed_energy", curtailed, "curtailed")
      .column("grid_energy", from_grid, "from the grid")
      .column("operational", operational, "operational carbon");
  r.chart({.key = "months",
           .title = "Energy by month",
           .kind = verb::ChartKind::bars,
           .x = "months.month",
           .y = {"months.used_energy", "months.grid_energy", "months.curtailed_energy"},
           .labels = {"wind and solar used", "from the grid", "curtailed"}});
}

void present_hours(verb::Report& r, const SimulateResult& x) {
  std::vector<base::Carbon> operational;
  for (std::size_t i = 0; i < x.intensity.size(); ++i)
    operational.push_back(x.carbon[i] * (1.0 * units::h));
  r.table("hours", "Hours")
      .hidden()
      .column("start", times_of(x.load.start, 0, x.load.size()))
      .column("load", x.load.values)
      .column("wind", x.wind.values)
      .column("solar", x.solar.values)
      .column("grid", x.balance.from_grid)
      .column("curtailed", x.balance.curtailed)
      .column("intensity", x.intensity)
      .column("operational", operational);
}

// The supply of the week split into what is used of wind and of solar (in proportion), the grid and
// what is left over.
void present_week(verb::Report& r, const SimulateResult& x) {
  std::vector<Power> wind, solar, grid, curtailed;
  for (std::size_t i = x.week_begin; i < x.week_end; ++i) {
    const Power supply = x.wind.values[i] + x.solar.values[i];
    const double share = supply > Power{} ? x.balance.used[i] / supply : 0;
    wind.push_back(x.wind.values[i] * share);
    solar.push_back(x.solar.values[i] * share);
    grid.push_back(x.balance.from_grid[i]);
    curtailed.push_back(x.balance.curtailed[i]);
  }
  r.table("week", "A week like the whole")
      .hidden()
      .column("start", times_of(x.load.start, x.week_begin, x.week_end))
      .column("wind", wind)
      .column("solar", solar)
      .column("grid", grid)
      .column("curtailed", curtailed);
  r.chart({.key = "week",
           .title = "A week whose coverage is nearest to that of all hours",
           .kind = verb::ChartKind::stacked_area,
           .x = "week.start",
           .y = {"week.wind", "week.solar", "week.grid", "week.curtailed"},
           .labels = {"wind used", "solar used", "grid", "curtailed"},
           .x_label = "UTC",
           .y_label = "power"});
}

}  // namespace

void present_source(verb::Report& r, const footprint::GridHours& grid) {
  r.text("grid", grid.name, {.label = "grid"});
  r.text("kind", base::enum_name(grid.kind), {.label = "kind of source"});
  const footprint::Reading& file = grid.reading;
  if (file.layout.empty())
    r.absent("layout", {}, "no file", {.label = "layout of the file"});
  else
    r.text("layout", file.layout, {.label = "layout of the file"});
  r.value("num_filled", file.num_filled, {.label = "hours interpolated"});
  r.value("num_clipped", file.num_clipped, {.label = "negative hours counted as 0"});
  r.text("signal", base::enum_name(grid.signal), {.label = "signal"});
  if (grid.factors.empty())
    r.absent("factors", {}, "the source states intensities", {.label = "emission factors"});
  else
    r.text("factors", grid.factors, {.label = "emission factors"});
  if (grid.kind == footprint::GridKind::generation || grid.kind == footprint::GridKind::profile)
    r.not_included(
        "imports and exports of power: the intensity is that of generation within the region");
}

void describe_load(verb::Fields& f, footprint::GridInput& grid, std::optional<Power>& load,
                   std::string& load_shape) {
  footprint::describe(f, grid);
  f(load, "load", "mean load at the facility meter; a load file is scaled to it")
      .bounds(0.0 * units::W, kMostPower)
      .positive();
  f(load_shape, "load_shape",
    "flat, diurnal, carbon-explorer, or an hourly CSV file; flat unless --compat says otherwise")
      .placeholder("SHAPE|FILE");
}

void describe_rules(verb::Fields& f, CapacityBasis& basis, Compat& compat) {
  f(basis, "capacity_basis", "which hour of the grid's generation counts as full capacity")
      .source("carbonexplorer2023");
  f(compat, "compat", "compute as a published tool does, with its simplifications");
}

void describe(verb::Fields& f, IntensityRequest& r) { footprint::describe(f, r.grid); }

void describe(verb::Fields& f, SimulateRequest& r) {
  describe_load(f, r.grid, r.load, r.load_shape);
  f(r.wind, "wind", "wind capacity").bounds(0.0 * units::W, kMostPower);
  f(r.solar, "solar", "solar capacity").bounds(0.0 * units::W, kMostPower);
  describe_rules(f, r.capacity_basis, r.compat);
}

void present(verb::Report& r, const IntensityResult& x) {
  const base::Series<CarbonIntensity>& hours = x.grid.intensity;
  r.title("Carbon intensity of " + x.grid.name);
  r.value("mean", x.mean,
          {.label = "mean over the hours",
           .headline = true,
           .derivation = verb::Derivation{.formula = "mean(hours.intensity_g_per_kwh)"}});
  if (x.generation_weighted)
    r.value("generation_weighted", *x.generation_weighted,
            {.label = "mean weighted by generation"});
  else
    r.absent("generation_weighted", AnyQuantity(CarbonIntensity{}).dimension,
             "the source has no generation", {.label = "mean weighted by generation"});
  r.value(
      "long_run", x.long_run,
      {.label = "mean of another year",
       .why = "how far years lie apart is an assumption: see its source",
       .derivation = verb::Derivation{
           .formula = "mean", .inputs = {input("mean", "mean_g_per_kwh", x.mean, x.grid.source)}}});
  r.value("min", x.min, {.label = "lowest hour"});
  r.value("min_time", x.min_time, {.label = "at"});
  r.value("max", x.max, {.label = "highest hour"});
  r.value("max_time", x.max_time, {.label = "at"});
  r.value("num_hours", static_cast<std::int64_t>(hours.size()), {.label = "hours"});
  r.value("start", hours.start, {.label = "from"});
  r.value("end", hours.end(), {.label = "to"});
  present_source(r, x.grid);
  present_groups(r, "months", "By month", "month", x.months);
  present_groups(r, "hours_of_day", "By hour of the day (UTC)", "hour", x.hours_of_day);
  r.table("hours", "Hours")
      .hidden()
      .column("start", times_of(hours.start, 0, hours.size()))
      .column("intensity", hours.values);
  r.chart({.key = "hours",
           .title = "Carbon intensity by hour",
           .kind = verb::ChartKind::lines,
           .x = "hours.start",
           .y = {"hours.intensity"},
           .labels = {x.grid.name},
           .x_label = "UTC",
           .y_label = "g/kWh"});
  r.chart({.key = "months",
           .title = "Mean by month",
           .kind = verb::ChartKind::bars,
           .x = "months.month",
           .y = {"months.mean"},
           .labels = {"mean"},
           .y_label = "g/kWh"});
  r.chart({.key = "hours_of_day",
           .title = "Mean by hour of the day",
           .kind = verb::ChartKind::bars,
           .x = "hours_of_day.hour",
           .y = {"hours_of_day.mean"},
           .labels = {"mean"},
           .x_label = "hour (UTC)",
           .y_label = "g/kWh"});
}

void present(verb::Report& r, const SimulateResult& x) {
  r.title("Wind and solar against the load, hour by hour");
  present_energies(r, x.balance);
  present_carbon(r, x);
  r.value("num_hours", static_cast<std::int64_t>(x.load.size()), {.label = "hours"});
  r.value("start", x.load.start, {.label = "from"});
  r.value("end", x.load.end(), {.label = "to"});
  r.text("load_shape", x.load_shape, {.label = "load shape"});
  r.text("compat", base::enum_name(x.compat), {.label = "computed as"});
  present_source(r, x.grid);
  present_months(r, x.months);
  present_hours(r, x);
  present_week(r, x);
  r.not_included("making of turbines, panels and servers: wind and solar count as 0 in operation");
  r.not_included("storage, flexible load, and sale of what is curtailed");
  if (x.grid.signal == footprint::Signal::marginal)
    r.notice(
        "the signal is marginal: the carbon is what the grid power causes, not a share of the "
        "grid's emissions");
}

void register_verbs(verb::Registry& registry) {
  registry.add<RegionsRequest, RegionsResult>(
      {.noun = "grid",
       .name = "regions",
       .heading = verb::Heading::plan,
       .summary = "what is known about a grid: a file, a region, or all of them",
       .description =
           "Without an argument the regions and countries of the catalogue. With one, its layout, "
           "hours, time zone, step, gaps, fuels, suspicious zeros, negative hours and mean "
           "intensity under each factor set; nothing is repaired, and what a run would refuse is "
           "shown.",
       .examples = {{"greenline grid regions", "the catalogue"},
                    {"greenline grid regions ERCO --json", "one region"}}},
      regions);
  registry.add<IntensityRequest, IntensityResult>(
      {.noun = "grid",
       .name = "intensity",
       .heading = verb::Heading::plan,
       .summary = "carbon intensity of a grid, hour by hour",
       .description =
           "Mean, spread, months and hours of the day of a grid's carbon intensity, from hourly "
           "generation by fuel and emission "
           "factors, from hourly intensities, or from a region or country of the catalogue.",
       .examples = {{"greenline grid intensity --grid ERCO", "a region of the catalogue"},
                    {"greenline grid intensity --grid USA --json", "a country's yearly mean"}}},
      intensity);
  registry.add<SimulateRequest, SimulateResult>(
      {.noun = "grid",
       .name = "simulate",
       .heading = verb::Heading::plan,
       .summary = "what wind and solar cover of a load, and what the rest emits",
       .description = "Matches a load with wind and solar of given capacity hour by hour: "
                      "coverage, curtailment, energy from the grid "
                      "and its operational carbon.",
       .examples = {{"greenline grid simulate --grid ERCO --load 50MW --wind 150MW --solar 100MW",
                     "a region of the catalogue"},
                    {"greenline grid simulate --grid CISO --load 20MW --load-shape diurnal --solar "
                     "80MW -o run.html",
                     "a load that follows the local day"}}},
      simulate);
  register_size(registry);
  registry.add_selftest("grid", selftest);
}

}  // namespace greenline::grid
