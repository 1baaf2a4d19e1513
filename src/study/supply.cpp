#include "study/supply.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace greenline::study {

using base::Carbon;
using base::CarbonIntensity;
using base::Estimate;
using base::Instant;
using base::Power;
using base::Time;
using footprint::GridHours;
namespace units = base::units;

namespace {

constexpr std::int64_t kHourNs = 3'600'000'000'000;

Power largest(const base::Series<Power>& series) {
  return series.values.empty() ? Power{} : *std::max_element(series.values.begin(), series.values.end());
}

void add_shape(std::vector<Power>& supply, const base::Series<Power>& shape, Power capacity, const char* what,
               const GridHours& grid) {
  if (capacity == Power{}) return;
  const Power most = largest(shape);
  GL_USER_CHECK(most > Power{}, "no-hourly-shape",
                fmt::format("grid {} has no hourly {} generation to scale to a capacity", grid.name, what));
  for (std::size_t i = 0; i < supply.size(); ++i) supply[i] += (shape.values[i] / most) * capacity;
}

Carbon carbon_of(const GridHours& grid, const std::vector<Power>& supply, Instant start, Time duration, Power power) {
  Carbon total;
  for_each_hour(grid, start, duration, [&](const HourPart& hour) {
    const Power from_grid = std::max(Power{}, power - supply[hour.index]);
    total += from_grid * hour.length * grid.intensity.values[hour.index];
  });
  return total;
}

}  // namespace

void for_each_hour(const GridHours& grid, Instant start, Time duration, const std::function<void(const HourPart&)>& body) {
  const std::int64_t end = (start + duration).ns;
  for (std::int64_t t = start.ns; t < end;) {
    const std::int64_t hour = t - ((t % kHourNs) + kHourNs) % kHourNs;
    const std::int64_t next = std::min(hour + kHourNs, end);
    body({Instant{t}, static_cast<double>(next - t) * units::ns, grid.hour_index(Instant{t})});
    t = next;
  }
}

std::vector<Power> supply_of(const GridHours& grid, const SitePower& capacity) {
  std::vector<Power> supply(grid.intensity.size());
  add_shape(supply, grid.wind, capacity.wind, "wind", grid);
  add_shape(supply, grid.solar, capacity.solar, "solar", grid);
  return supply;
}

Estimate<Carbon> carbon_with_supply(const GridHours& grid, const SitePower& capacity, Instant start,
                                    const Estimate<Time>& duration, const Estimate<Power>& power) {
  const std::vector<Power> supply = supply_of(grid, capacity);
  return base::recompute<Carbon>(
             [&](int k) {
               return k < 0 ? carbon_of(grid, supply, start, duration.nominal(), power.nominal())
                            : carbon_of(grid, supply, start, duration.draw(k), power.draw(k));
             },
             {duration.any(), power.any()}, grid.source) *
         grid.level;
}

}  // namespace greenline::study
