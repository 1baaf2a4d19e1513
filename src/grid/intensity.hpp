// How clean a grid is, and when.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/progress.hpp"
#include "footprint/grid_hours.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::grid {

struct IntensityRequest {
  base::Settings settings;
  footprint::GridInput grid;
};

// Hours of one calendar month, or of one hour of the day.
struct IntensityGroup {
  std::string name;  // "2021-05"; "00".."23", UTC
  std::int64_t num_hours = 0;
  base::CarbonIntensity mean, low, high;  // low, high: 5th and 95th percentile of the hours
};

struct IntensityResult {
  footprint::GridHours grid;
  base::CarbonIntensity mean, min, max;
  base::Instant min_time, max_time;
  std::optional<base::CarbonIntensity> generation_weighted;
  base::Estimate<base::CarbonIntensity> long_run;  // mean times level
  std::vector<IntensityGroup> months, hours_of_day;
};

IntensityResult intensity(const IntensityRequest& request,
                          base::Progress& progress = base::no_progress());

void describe(verb::Fields& fields, IntensityRequest& request);
void present(verb::Report& report, const IntensityResult& result);

}  // namespace greenline::grid
