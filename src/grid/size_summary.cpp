#include "grid/size_summary.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace greenline::grid {

using base::CarbonRate;
using base::Estimate;
namespace units = base::units;

void add_tornado(SizeResult& x) {
  const CarbonRate total = x.total.nominal();
  const auto bar = [&](const char* what, const Estimate<CarbonRate>& part) {
    if (!part.any().draws || part.nominal() == CarbonRate{}) return;
    x.tornado.push_back({what, part + Estimate<CarbonRate>(total - part.nominal())});
  };
  bar("grid, another year", x.operational);
  bar("wind, per kWh", x.embodied_wind);
  bar("solar, per kWh", x.embodied_solar);
  bar("battery, per kWh", x.embodied_battery);
  bar("servers, per W and life", x.embodied_servers);
  std::stable_sort(x.tornado.begin(), x.tornado.end(),
                   [](const TornadoBar& a, const TornadoBar& b) {
                     return a.total.high() - a.total.low() > b.total.high() - b.total.low();
                   });
}

void add_grid_only(SizeResult& x) {
  double kg = 0;
  for (std::size_t t = 0; t < x.site.num_hours(); ++t)
    kg += x.site.load_mw[t] * x.site.intensity_g_per_kwh[t];
  x.grid_only = kg / x.site.years() * units::kgCO2e / (1.0 * units::year);
}

void add_duration(SizeResult& x) {
  std::vector<double> with, without;
  for (std::size_t t = 0; t < x.site.num_hours(); ++t) {
    const double intensity = x.site.intensity_g_per_kwh[t];
    const double runs = x.site.load_mw[t] - x.plan.out_mw[t] + x.plan.in_mw[t];
    with.push_back(runs > 0 ? intensity * std::min(1.0, x.plan.grid_mw[t] / runs) : 0);
    without.push_back(intensity);
  }
  constexpr std::size_t kPoints = 201;
  const auto thinned = [](std::vector<double> values) {
    std::sort(values.begin(), values.end(), std::greater<>());
    std::vector<double> out;
    for (std::size_t k = 0; k < kPoints; ++k)
      out.push_back(values[k * (values.size() - 1) / (kPoints - 1)]);
    return out;
  };
  x.duration = thinned(std::move(with)), x.duration_grid = thinned(std::move(without));
}

void choose_week(SizeResult& x) {
  constexpr std::size_t kWeek = 168;
  x.week_end = std::min(kWeek, x.site.num_hours());
  double nearest = 2;
  for (std::size_t begin = 0; begin + kWeek <= x.site.num_hours(); begin += kWeek) {
    double load = 0, grid = 0;
    for (std::size_t t = begin; t < begin + kWeek; ++t)
      load += x.site.load_mw[t], grid += x.plan.grid_mw[t];
    const double distance = std::abs(1 - grid / std::max(load, 1e-300) - x.plan.coverage);
    if (distance < nearest) nearest = distance, x.week_begin = begin, x.week_end = begin + kWeek;
  }
}

}  // namespace greenline::grid
