#include "grid/simulate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "grid/month.hpp"
#include "grid/residual.hpp"
#include "grid/site.hpp"

namespace greenline::grid {
namespace {

using base::Carbon;
using base::Instant;
using base::Power;
namespace units = base::units;

constexpr std::size_t kHoursOfWeek = 168;
constexpr base::Time kHour = 1.0 * units::h;

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
  const catalog::Catalog facts(request.settings);
  SiteData site = load_site(
      {request.grid, request.load, request.load_shape, request.capacity_basis, request.compat},
      facts, request.settings);
  SimulateResult x;
  x.compat = request.compat;
  x.load_shape = std::move(site.load_shape);
  x.grid = std::move(site.grid);
  x.load = std::move(site.load);
  x.intensity = std::move(site.intensity);
  const std::vector<std::size_t>& index = site.grid_hour;
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
