#include "footprint/operational.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/calendar.hpp"

namespace greenline::footprint {
namespace {

using base::Instant;
namespace units = base::units;

constexpr std::int64_t kHourNs = 3'600'000'000'000;

Instant floor_hour(Instant t) {
  const std::int64_t into = ((t.ns % kHourNs) + kHourNs) % kHourNs;
  return base::instant_at((t.ns - into) / 1'000'000'000);
}

// Integral of the intensity from a fixed start to any later end, by prefix sums: a draw costs one
// look-up however long its run. The hours of the grid are unrolled once, up to the longest draw.
class IntensityIntegral {
 public:
  // Sum over hours, (g/J)·h; the carbon of a constant power is power times this.
  using Exposure = decltype(CarbonIntensity{} * base::Time{});

  IntensityIntegral(const GridHours& grid, Instant start, base::Time longest)
      : first_(floor_hour(start)), offset_(start - first_) {
    const Instant end = start + longest;
    prefix_.push_back(Exposure{});
    for (Instant hour = first_; hour < end;
         hour = base::advance(first_, 1.0 * units::h, hours_.size())) {
      hours_.push_back(grid.intensity_at(hour));
      prefix_.push_back(prefix_.back() + hours_.back() * (1.0 * units::h));
    }
  }

  // Over [start, start + duration).
  Exposure over(base::Time duration) const { return up_to(offset_ + duration) - up_to(offset_); }

 private:
  Exposure up_to(base::Time since_first) const {
    const auto whole = std::min(static_cast<std::size_t>(since_first.in(units::h)), hours_.size());
    const base::Time rest = since_first - static_cast<double>(whole) * units::h;
    // At the very end of the unrolled hours the rest is 0 up to rounding.
    return whole < hours_.size() ? prefix_[whole] + hours_[whole] * rest : prefix_[whole];
  }

  Instant first_;
  base::Time offset_;
  std::vector<CarbonIntensity> hours_;  // (num_hours)
  std::vector<Exposure> prefix_;        // (num_hours + 1)
};

void require_positive(base::Time duration, base::Power power) {
  GL_USER_CHECK(
      duration.base_value() >= 0, "out-of-bounds",
      fmt::format("the duration of a run is {} s; expected at least 0", duration.base_value()));
  GL_USER_CHECK(
      power.base_value() >= 0, "out-of-bounds",
      fmt::format("the power of a facility is {} W; expected at least 0", power.base_value()));
}

}  // namespace

void for_each_hour(const GridHours& grid, Instant start, base::Time duration,
                   const std::function<void(const HourPart&)>& body) {
  const std::int64_t end = (start + duration).ns;
  for (std::int64_t t = start.ns; t < end;) {
    const std::int64_t next = std::min(floor_hour(Instant{t}).ns + kHourNs, end);
    body({Instant{t}, static_cast<double>(next - t) * units::ns, grid.hour_index(Instant{t})});
    t = next;
  }
}

OperationalHours operational_hours(const GridHours& grid, Instant start, base::Time duration,
                                   base::Power facility_power) {
  require_positive(duration, facility_power);
  OperationalHours out;
  out.energy = {floor_hour(start), 1.0 * units::h, {}};
  for_each_hour(grid, start, duration, [&](const HourPart& hour) {
    const base::Energy energy = facility_power * hour.length;
    const CarbonIntensity intensity = grid.intensity.values[hour.index];
    out.energy.values.push_back(energy);
    out.intensity.push_back(intensity);
    out.carbon.push_back(energy * intensity);
    out.total_energy += energy;
    out.total_carbon += energy * intensity;
  });
  return out;
}

base::Estimate<base::Carbon> operational(const GridHours& grid, Instant start,
                                         const base::Estimate<base::Time>& duration,
                                         const base::Estimate<base::Power>& facility_power) {
  const base::Carbon nominal =
      operational_hours(grid, start, duration.nominal(), facility_power.nominal()).total_carbon;
  base::Time longest = duration.nominal();
  for (int k = 0; k < base::kNumDraws; ++k) {
    require_positive(duration.draw(k), facility_power.draw(k));
    longest = std::max(longest, duration.draw(k));
  }
  const IntensityIntegral integral(grid, start, longest);
  return base::recompute<base::Carbon>(
      [&](int k) {
        if (k < 0) return nominal;
        return facility_power.draw(k) * integral.over(duration.draw(k)) * grid.level.draw(k);
      },
      {duration, facility_power, grid.level,
       base::Estimate<double>(1.0, base::Evidence::measured, grid.source)});
}

}  // namespace greenline::footprint
