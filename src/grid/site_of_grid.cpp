#include "grid/site_of_grid.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/calendar.hpp"
#include "base/error.hpp"
#include "grid/renewables.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;

// (num_hours of the grid), output per capacity.
std::vector<double> shares(const footprint::GridHours& grid,
                           const base::Series<base::Power>& generation, CapacityBasis basis,
                           const char* flag, const char* fuel) {
  const auto& values = generation.values;
  const bool none =
      std::none_of(values.begin(), values.end(), [](base::Power p) { return p > base::Power{}; });
  if (none) return std::vector<double>(grid.intensity.size());
  std::vector<double> out;
  for (const base::Power p :
       renewable_hours(grid, generation, 1.0 * units::MW, basis, flag, fuel).values)
    out.push_back(p.in(units::MW));
  return out;
}

template <class Values>
Values first(const Values& values, std::size_t n) {
  return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n)};
}

}  // namespace

std::vector<std::size_t> day_bounds(base::Instant start, std::size_t num_hours,
                                    const std::string& timezone) {
  std::vector<std::size_t> bounds{0};
  int today = 0;
  for (std::size_t t = 0; t < num_hours; ++t) {
    const base::Instant hour = base::advance(start, 1.0 * units::h, t);
    const base::CivilTime time =
        timezone.empty() ? base::civil_utc(hour) : base::civil_local(hour, timezone);
    const int day = static_cast<int>(time.day);
    if (t > 0 && day != today) bounds.push_back(t);
    today = day;
  }
  if (num_hours > 0) bounds.push_back(num_hours);
  return bounds;
}

SiteHours site_hours(const footprint::GridHours& grid, const LoadSeries& load,
                     CapacityBasis basis) {
  GL_USER_CHECK(grid.kind != footprint::GridKind::profile, "no-single-hours",
                fmt::format("grid {} is a profile of mean days, and a battery or work that moves "
                            "needs single hours; give a file of hourly generation",
                            grid.name));
  const std::vector<double> wind = shares(grid, grid.wind, basis, "--wind", "WND");
  const std::vector<double> solar = shares(grid, grid.solar, basis, "--solar", "SUN");
  SiteHours site;
  site.start = load.start;
  for (std::size_t t = 0; t < load.size(); ++t) {
    const std::size_t i = grid.hour_index(load.time(t));
    site.load_mw.push_back(load.values[t].in(units::MW));
    site.wind_share.push_back(wind[i]);
    site.solar_share.push_back(solar[i]);
    site.intensity_g_per_kwh.push_back(grid.intensity.values[i].in(units::g_per_kWh));
  }
  site.day_begin = day_bounds(load.start, load.size(), grid.timezone);
  return site;
}

SiteHours first_hours(const SiteHours& site, std::size_t num_hours) {
  GL_CHECK_LE(num_hours, site.num_hours());
  SiteHours out{site.start,
                first(site.load_mw, num_hours),
                first(site.wind_share, num_hours),
                first(site.solar_share, num_hours),
                first(site.intensity_g_per_kwh, num_hours),
                {}};
  for (const std::size_t begin : site.day_begin)
    if (begin < num_hours) out.day_begin.push_back(begin);
  out.day_begin.push_back(num_hours);
  return out;
}

}  // namespace greenline::grid
