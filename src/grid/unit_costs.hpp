// What one unit of each size of a site embodies or costs: all that sizing needs to know of how
// things are made. Plain numbers whose unit is in the name; facts come from the catalogue or the
// user.
#pragma once

#include "grid/site_hours.hpp"

namespace greenline::grid {

// A number for one MW of wind, one MW of solar, one MWh and one MW of battery, and for extra
// servers of a share of 1.
struct PerUnit {
  double wind_mw = 0, solar_mw = 0, battery_mwh = 0, battery_mw = 0, extra_servers = 0;
};

// Carbon of making things, CO2e (Carbon Explorer, carbonexplorer2023).
struct EmbodiedFactors {
  // Of each kWh that the plant can make, also of what is curtailed; and, instead or besides, of its
  // capacity, over its life.
  double wind_g_per_kwh = 0, solar_g_per_kwh = 0;
  double wind_kg_per_kw = 0, solar_kg_per_kw = 0;
  double wind_years = 1, solar_years = 1;  // for the part by capacity
  double battery_kg_per_kwh = 0, battery_kg_per_kw = 0;
  double battery_years = 1;
  double server_kg_per_w = 0;  // of the highest power of a server, with what stands around it
  double server_years = 1;
};

// Money, USD of one year's prices. Capital becomes an annuity: r / (1 - (1 + r)^-life) a year.
struct Prices {
  double discount_rate = 0;  // r a year; 0 spreads the capital evenly
  double wind_usd_per_kw = 0, solar_usd_per_kw = 0;
  double battery_usd_per_kwh = 0, battery_usd_per_kw = 0, server_usd_per_w = 0;
  double wind_years = 1, solar_years = 1, battery_years = 1, server_years = 1;
  double wind_usd_per_kw_year = 0, solar_usd_per_kw_year = 0;  // operation and maintenance
  double battery_usd_per_kwh_year = 0;
};

// Power of the servers that a share of extra servers is a share of: Carbon Explorer counts those of
// the mean load, although its cap is a share of the highest.
enum class ServerBasis { highest_load, mean_load };

// kgCO2e a year. UserError "bad-cost": a negative number, or a life that is not above 0.
PerUnit embodied_kg_per_year(const EmbodiedFactors& factors, const SiteHours& site,
                             ServerBasis basis = ServerBasis::highest_load);
// USD a year, and USD at the start. UserError "bad-cost".
PerUnit usd_per_year(const Prices& prices, const SiteHours& site,
                     ServerBasis basis = ServerBasis::highest_load);
PerUnit capital_usd(const Prices& prices, const SiteHours& site,
                    ServerBasis basis = ServerBasis::highest_load);

// Share of each year's cost of something that costs 1 at the start. 0 < years.
double annuity(double discount_rate, double years);

}  // namespace greenline::grid
