#include "grid/simulate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "grid/load.hpp"
#include "grid/month.hpp"
#include "grid/residual.hpp"
#include "io/file.hpp"

namespace greenline::grid {
namespace {

using base::Carbon;
using base::Instant;
using base::Power;
namespace units = base::units;

constexpr std::size_t kHoursOfWeek = 168;
constexpr base::Time kHour = 1.0 * units::h;

std::optional<Shape> shape_named(std::string_view name) {
  for (const base::EnumName& n : enum_names(Shape{}))
    if (name == n.name) return static_cast<Shape>(n.value);
  return std::nullopt;
}

std::string chosen_shape(const SimulateRequest& r) {
  if (r.load_shape.empty())
    return base::enum_name(r.compat == Compat::carbon_explorer ? Shape::carbon_explorer
                                                               : Shape::flat);
  const bool looks_like_path =
      r.load_shape.find('/') != std::string::npos || r.load_shape.ends_with(".csv");
  if (shape_named(r.load_shape) || looks_like_path || io::is_file(r.load_shape))
    return r.load_shape;
  std::vector<std::string> known;
  for (const base::EnumName& n : enum_names(Shape{})) known.emplace_back(n.name);
  throw base::unknown_name("load-shape", r.load_shape, known, "or give an hourly CSV file of load");
}

Diurnal diurnal_shape(const catalog::Catalog& facts, const footprint::GridHours& grid,
                      base::Journal& journal) {
  Diurnal shape{facts.get<double>("facility.load_swing"),
                facts.get<base::Time>("facility.load_peak_hour"), grid.timezone};
  const bool local = !grid.timezone.empty();
  journal.assumed({"load swing", base::format_quantity(shape.swing),
                   "facility.load_swing: highest to lowest over the day, of the mean"});
  journal.assumed(
      {"load peak",
       fmt::format("{} h {}", base::format_quantity(shape.peak.in(units::h)),
                   local ? grid.timezone : "UTC"),
       local ? "facility.load_peak_hour" : "facility.load_peak_hour; the grid names no time zone"});
  return shape;
}

// The load over the hours of the grid, or over those of its own file.
LoadSeries make_load(const SimulateRequest& r, const std::string& name,
                     const footprint::GridHours& grid, const catalog::Catalog& facts) {
  const std::optional<Shape> shape = shape_named(name);
  if (!shape) {
    LoadSeries load = read_load(name, *r.settings.journal);
    return r.load ? scaled_to_mean(std::move(load), *r.load) : load;
  }
  GL_USER_CHECK(r.load.has_value(), "missing-input",
                std::string("--load is missing; expected the mean load, such as --load 50MW, or a "
                            "file with --load-shape"));
  const Instant start = grid.intensity.start;
  const std::size_t n = grid.intensity.size();
  switch (*shape) {
    case Shape::flat:
      return flat_load(*r.load, start, n);
    case Shape::diurnal:
      return diurnal_load(*r.load, diurnal_shape(facts, grid, *r.settings.journal), start, n);
    case Shape::carbon_explorer:
      return carbon_explorer_load(*r.load, start, n);
  }
  throw base::InternalError("a load of unknown shape");
}

base::Series<Power> picked(const base::Series<Power>& hours, const std::vector<std::size_t>& index,
                           Instant start) {
  base::Series<Power> out{start, kHour, {}};
  out.values.reserve(index.size());
  for (const std::size_t i : index) out.values.push_back(hours.values[i]);
  return out;
}

void set_carbon(SimulateResult& x) {
  const std::size_t n = x.intensity.size();
  Carbon hour_matched{};
  base::CarbonIntensity total{};
  for (std::size_t i = 0; i < n; ++i) {
    hour_matched += x.carbon[i] * kHour;
    total += x.intensity[i];
  }
  x.mean_intensity = total / static_cast<double>(n);
  x.operational_hour_matched = base::Estimate<Carbon>(hour_matched) * x.grid.level;
  x.operational_mean_intensity =
      base::Estimate<Carbon>(x.balance.grid_energy * x.mean_intensity) * x.grid.level;
  x.operational = x.compat == Compat::carbon_explorer ? x.operational_mean_intensity
                                                      : x.operational_hour_matched;
}

void set_months(SimulateResult& x) {
  for (std::size_t i = 0; i < x.load.size(); ++i) {
    std::string name = month_name(x.load.time(i));
    if (x.months.empty() || x.months.back().name != name)
      x.months.emplace_back().name = std::move(name);
    SimulateMonth& month = x.months.back();
    month.load += x.load.values[i] * kHour;
    month.used += x.balance.used[i] * kHour;
    month.curtailed += x.balance.curtailed[i] * kHour;
    month.from_grid += x.balance.from_grid[i] * kHour;
    month.operational += x.carbon[i] * kHour;
  }
  for (SimulateMonth& month : x.months)
    month.coverage = month.load > base::Energy{} ? 1 - month.from_grid / month.load : 0;
}

// A week that is like the whole: the picture of a lucky or a calm week would mislead.
void choose_week(SimulateResult& x) {
  x.week_end = std::min(kHoursOfWeek, x.load.size());
  const double target = x.balance.coverage();
  double nearest = 2;
  for (std::size_t begin = 0; begin + kHoursOfWeek <= x.load.size(); begin += kHoursOfWeek) {
    Power load{}, grid{};
    for (std::size_t i = begin; i < begin + kHoursOfWeek; ++i) {
      load += x.load.values[i];
      grid += x.balance.from_grid[i];
    }
    if (!(load > Power{})) continue;
    const double distance = std::abs(1 - grid / load - target);
    if (distance < nearest)
      nearest = distance, x.week_begin = begin, x.week_end = begin + kHoursOfWeek;
  }
}

void say_what_shapes(const SimulateRequest& r, const SimulateResult& x) {
  base::Journal& journal = *r.settings.journal;
  const std::string repeated = footprint::repeated_year_notice(x.grid, x.load.start, x.load.end());
  if (!repeated.empty()) journal.notice(repeated);
  if (r.wind > Power{} || r.solar > Power{}) {
    const std::string caution = profile_supply_notice(x.grid);
    if (!caution.empty()) journal.notice(caution);
  }
  if (r.compat == Compat::carbon_explorer &&
      x.load_shape != base::enum_name(Shape::carbon_explorer)) {
    journal.notice(fmt::format(
        "--compat carbon-explorer with load shape {}: the figures of the release need its own load",
        x.load_shape));
  }
}

}  // namespace

std::span<const base::EnumName> enum_names(CapacityBasis) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(CapacityBasis::window_max), "window-max", "the largest hour of the source"},
      {static_cast<int>(CapacityBasis::p99_9), "p99.9",
       "the 99.9th percentile of the hours of the source"}};
  return kNames;
}

std::span<const base::EnumName> enum_names(Compat) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Compat::none), "none", "hour by hour"},
      {static_cast<int>(Compat::carbon_explorer), "carbon-explorer",
       "as the public release computes it"}};
  return kNames;
}

SimulateResult simulate(const SimulateRequest& request, base::Progress&) {
  GL_USER_CHECK(
      request.compat == Compat::none || request.capacity_basis == CapacityBasis::window_max,
      "compat-contradiction",
      std::string("--compat carbon-explorer scales by the largest hour of the window; "
                  "--capacity-basis says p99.9"));
  const catalog::Catalog facts(request.settings);
  SimulateResult x;
  x.compat = request.compat;
  x.load_shape = chosen_shape(request);
  x.grid = footprint::load_grid(request.grid, facts, request.settings);
  x.load = make_load(request, x.load_shape, x.grid, facts);

  std::vector<std::size_t> index;  // (num_hours of the load) into the hours of the grid
  for (std::size_t i = 0; i < x.load.size(); ++i)
    index.push_back(x.grid.hour_index(x.load.time(i)));
  for (const std::size_t i : index) x.intensity.push_back(x.grid.intensity.values[i]);
  const ResidualModel model(x.grid, request.wind, request.solar, request.capacity_basis, "--wind",
                            "--solar");
  x.wind = picked(model.wind(), index, x.load.start);
  x.solar = picked(model.solar(), index, x.load.start);
  for (std::size_t i = 0; i < x.load.size(); ++i) {
    const Residual r = model.at(index[i], x.load.values[i]);
    x.balance.add(x.load.values[i], r.from_grid, r.curtailed);
    x.carbon.push_back(r.carbon);
  }
  set_carbon(x);
  set_months(x);
  choose_week(x);
  say_what_shapes(request, x);
  return x;
}

}  // namespace greenline::grid
