// Small and real sites for tests of dispatch, flexible work and sweeps.
#pragma once

#include <string>
#include <vector>

#include "grid/flexible.hpp"
#include "grid/site_of_grid.hpp"

namespace greenline::testing {

// Wind of 1 MW gives `supply_mw`; the intensity is the same in every hour unless given.
inline grid::SiteHours site_of(std::vector<double> load_mw, std::vector<double> supply_mw,
                               std::vector<double> intensity = {}) {
  grid::SiteHours site;
  const std::size_t n = load_mw.size();
  site.start = base::parse_instant("2021-05-01T00Z");
  site.load_mw = std::move(load_mw);
  site.wind_share = std::move(supply_mw);
  site.solar_share.assign(n, 0.0);
  site.intensity_g_per_kwh = intensity.empty() ? std::vector<double>(n, 100.0) : intensity;
  site.day_begin = grid::blocks_of(n);
  return site;
}

// Six hours that can be checked by hand: 10 MW against 14, 20, 6, 0, 12 and 5 MW.
inline grid::SiteHours six_hours() {
  return site_of(std::vector<double>(6, 10.0), {14, 20, 6, 0, 12, 5});
}

inline grid::Design design_of(double wind_mw, double battery_mwh = 0, double extra_servers = 0,
                              double solar_mw = 0) {
  return {wind_mw * base::units::MW, solar_mw * base::units::MW, battery_mwh * base::units::MWh,
          extra_servers};
}

// A file of the shared data with the load of the Carbon Explorer release and days of 24 hours.
inline grid::SiteHours released_site(const std::string& shared, const std::string& file,
                                     double load_mw) {
  const base::Settings settings;
  const footprint::GridHours hours = footprint::load_grid({.grid = shared + "/data/grid/" + file},
                                                          catalog::Catalog(settings), settings);
  grid::SiteHours site =
      grid::site_hours(hours,
                       grid::carbon_explorer_load(load_mw * base::units::MW, hours.intensity.start,
                                                  hours.intensity.size()),
                       grid::CapacityBasis::window_max);
  site.day_begin = grid::blocks_of(site.num_hours());
  return site;
}

}  // namespace greenline::testing
