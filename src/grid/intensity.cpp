#include "grid/intensity.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/calendar.hpp"
#include "base/statistics.hpp"
#include "grid/month.hpp"

namespace greenline::grid {
namespace {

using base::CarbonIntensity;
using Groups = std::map<std::string, std::vector<double>>;  // base units

std::vector<IntensityGroup> summarised(Groups&& groups) {
  std::vector<IntensityGroup> out;
  for (auto& [name, values] : groups) {
    std::sort(values.begin(), values.end());
    CarbonIntensity total{};
    for (const double v : values) total += CarbonIntensity::from_base(v);
    out.push_back({name, static_cast<std::int64_t>(values.size()),
                   total / static_cast<double>(values.size()),
                   CarbonIntensity::from_base(base::percentile_of_sorted(values, 0.05)),
                   CarbonIntensity::from_base(base::percentile_of_sorted(values, 0.95))});
  }
  return out;
}

}  // namespace

IntensityResult intensity(const IntensityRequest& request, base::Progress&) {
  const catalog::Catalog facts(request.settings);
  IntensityResult result;
  result.grid = footprint::load_grid(request.grid, facts, request.settings);
  const base::Series<CarbonIntensity>& hours = result.grid.intensity;
  const auto [min, max] = std::minmax_element(hours.values.begin(), hours.values.end());
  result.mean = result.grid.mean();
  result.generation_weighted = result.grid.generation_weighted();
  result.long_run = base::Estimate<CarbonIntensity>(result.mean) * result.grid.level;
  result.min = *min;
  result.max = *max;
  result.min_time = hours.time(static_cast<std::size_t>(min - hours.values.begin()));
  result.max_time = hours.time(static_cast<std::size_t>(max - hours.values.begin()));
  Groups months, hours_of_day;
  for (std::size_t i = 0; i < hours.size(); ++i) {
    const double value = hours.values[i].base_value();
    months[month_name(hours.time(i))].push_back(value);
    hours_of_day[fmt::format("{:02}", base::civil_utc(hours.time(i)).hour)].push_back(value);
  }
  result.months = summarised(std::move(months));
  result.hours_of_day = summarised(std::move(hours_of_day));
  return result;
}

}  // namespace greenline::grid
