#include "grid/unit_costs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::grid {
namespace {

constexpr double kHoursOfYear = 8760;  // the year of the carbon references
constexpr double kKwPerMw = 1000, kWPerMw = 1e6;

void check_at_least_0(std::initializer_list<std::pair<const char*, double>> values) {
  for (const auto& [name, value] : values)
    GL_USER_CHECK(value >= 0 && std::isfinite(value), "bad-cost",
                  fmt::format("{} is {}; expected a number that is at least 0", name, value));
}
void check_lives(std::initializer_list<std::pair<const char*, double>> lives) {
  for (const auto& [name, value] : lives)
    GL_USER_CHECK(value > 0 && std::isfinite(value), "bad-cost",
                  fmt::format("the {} life is {} years; expected more than 0", name, value));
}

// kWh a year of one MW.
double yearly_kwh(const std::vector<double>& share) {
  if (share.empty()) return 0;
  return std::accumulate(share.begin(), share.end(), 0.0) / static_cast<double>(share.size()) *
         kHoursOfYear * kKwPerMw;
}

double server_mw(const SiteHours& site, ServerBasis basis) {
  const std::vector<double>& load = site.load_mw;
  if (load.empty()) return 0;
  if (basis == ServerBasis::highest_load) return *std::max_element(load.begin(), load.end());
  return std::accumulate(load.begin(), load.end(), 0.0) / static_cast<double>(load.size());
}

void check(const Prices& p) {
  check_at_least_0({{"the discount rate", p.discount_rate},
                    {"the price of wind", p.wind_usd_per_kw},
                    {"the price of solar", p.solar_usd_per_kw},
                    {"the price of battery energy", p.battery_usd_per_kwh},
                    {"the price of battery power", p.battery_usd_per_kw},
                    {"the price of servers", p.server_usd_per_w},
                    {"the yearly cost of wind", p.wind_usd_per_kw_year},
                    {"the yearly cost of solar", p.solar_usd_per_kw_year},
                    {"the yearly cost of batteries", p.battery_usd_per_kwh_year}});
  check_lives({{"wind", p.wind_years},
               {"solar", p.solar_years},
               {"battery", p.battery_years},
               {"server", p.server_years}});
}

}  // namespace

PerUnit embodied_kg_per_year(const EmbodiedFactors& f, const SiteHours& site, ServerBasis basis) {
  check_at_least_0({{"embodied carbon of wind", f.wind_g_per_kwh},
                    {"embodied carbon of solar", f.solar_g_per_kwh},
                    {"embodied carbon of wind capacity", f.wind_kg_per_kw},
                    {"embodied carbon of solar capacity", f.solar_kg_per_kw},
                    {"embodied carbon of battery energy", f.battery_kg_per_kwh},
                    {"embodied carbon of battery power", f.battery_kg_per_kw},
                    {"embodied carbon of servers", f.server_kg_per_w}});
  check_lives({{"wind", f.wind_years},
               {"solar", f.solar_years},
               {"battery", f.battery_years},
               {"server", f.server_years}});
  PerUnit out;
  out.wind_mw = f.wind_g_per_kwh / 1000 * yearly_kwh(site.wind_share) +
                f.wind_kg_per_kw * kKwPerMw / f.wind_years;
  out.solar_mw = f.solar_g_per_kwh / 1000 * yearly_kwh(site.solar_share) +
                 f.solar_kg_per_kw * kKwPerMw / f.solar_years;
  out.battery_mwh = f.battery_kg_per_kwh * kKwPerMw / f.battery_years;
  out.battery_mw = f.battery_kg_per_kw * kKwPerMw / f.battery_years;
  out.extra_servers = f.server_kg_per_w * kWPerMw * server_mw(site, basis) / f.server_years;
  return out;
}

double annuity(double discount_rate, double years) {
  if (discount_rate == 0) return 1 / years;
  return discount_rate / -std::expm1(-years * std::log1p(discount_rate));
}

PerUnit capital_usd(const Prices& p, const SiteHours& site, ServerBasis basis) {
  check(p);
  return {p.wind_usd_per_kw * kKwPerMw, p.solar_usd_per_kw * kKwPerMw,
          p.battery_usd_per_kwh * kKwPerMw, p.battery_usd_per_kw * kKwPerMw,
          p.server_usd_per_w * kWPerMw * server_mw(site, basis)};
}

PerUnit usd_per_year(const Prices& p, const SiteHours& site, ServerBasis basis) {
  const PerUnit capital = capital_usd(p, site, basis);
  const double battery = annuity(p.discount_rate, p.battery_years);
  return {
      capital.wind_mw * annuity(p.discount_rate, p.wind_years) + p.wind_usd_per_kw_year * kKwPerMw,
      capital.solar_mw * annuity(p.discount_rate, p.solar_years) +
          p.solar_usd_per_kw_year * kKwPerMw,
      capital.battery_mwh * battery + p.battery_usd_per_kwh_year * kKwPerMw,
      capital.battery_mw * battery,
      capital.extra_servers * annuity(p.discount_rate, p.server_years)};
}

}  // namespace greenline::grid
