#include "grid/load.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/calendar.hpp"

namespace greenline::grid {
namespace {

using base::Instant;
using base::Power;
namespace units = base::units;

LoadSeries empty_hours(Instant start, std::size_t num_hours) {
  LoadSeries load{start, 1.0 * units::h, {}};
  load.values.reserve(num_hours);
  return load;
}

}  // namespace

std::span<const base::EnumName> enum_names(Shape) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Shape::flat), "flat", "the same power in every hour"},
      {static_cast<int>(Shape::diurnal), "diurnal", "a sine over the local day"},
      {static_cast<int>(Shape::carbon_explorer), "carbon-explorer",
       "the simulated load of the release, period 25.13 h"}};
  return kNames;
}

LoadSeries flat_load(Power mean, Instant start, std::size_t num_hours) {
  return {start, 1.0 * units::h, std::vector<Power>(num_hours, mean)};
}

LoadSeries diurnal_load(Power mean, const Diurnal& shape, Instant start, std::size_t num_hours) {
  LoadSeries load = empty_hours(start, num_hours);
  for (std::size_t i = 0; i < num_hours; ++i) {
    const Instant hour = load.time(i);
    const base::CivilTime local =
        shape.timezone.empty() ? base::civil_utc(hour) : base::civil_local(hour, shape.timezone);
    const double middle = local.hour + local.minute / 60.0 + 0.5;
    const double phase = 2 * std::numbers::pi * (middle - shape.peak.in(units::h)) / 24;
    load.values.push_back(mean * (1 + shape.swing / 2 * std::cos(phase)));
  }
  return load;
}

LoadSeries carbon_explorer_load(Power nominal, Instant start, std::size_t num_hours) {
  constexpr double kSwing = 0.05;
  constexpr std::size_t kRoll = 6;
  LoadSeries load = empty_hours(start, num_hours);
  for (std::size_t t = 0; t < num_hours; ++t)
    load.values.push_back(nominal + nominal * (kSwing / 2 * std::sin(static_cast<double>(t) / 4)));
  if (num_hours > 0) {
    const auto roll = static_cast<std::ptrdiff_t>(kRoll % num_hours);
    std::rotate(load.values.begin(), load.values.end() - roll, load.values.end());
  }
  return load;
}

Power mean_of(const LoadSeries& load) {
  Power total{};
  for (const Power p : load.values) total += p;
  return total / static_cast<double>(load.size());
}

LoadSeries scaled_to_mean(LoadSeries load, Power mean) {
  const double factor = mean / mean_of(load);
  for (Power& p : load.values) p *= factor;
  return load;
}

}  // namespace greenline::grid
