#include "footprint/grid_hours.hpp"

#include <fmt/format.h>

#include "base/calendar.hpp"

namespace greenline::footprint {
namespace {

using base::EnumName;
using base::Instant;
namespace units = base::units;

constexpr std::int64_t kHourNs = 3'600'000'000'000;

std::optional<std::size_t> index_inside(const base::Series<CarbonIntensity>& s, Instant t) {
  if (s.values.empty() || t < s.start || t >= s.end()) return std::nullopt;
  return static_cast<std::size_t>((t.ns - s.start.ns) / kHourNs);
}

}  // namespace

std::span<const EnumName> enum_names(Signal) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(Signal::average), "average",
       "emissions of the grid shared over its consumers"},
      {static_cast<int>(Signal::marginal), "marginal", "emissions that one more kWh causes"}};
  return kNames;
}

std::span<const EnumName> enum_names(Stamp) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(Stamp::automatic), "auto", "as the header says, else the start"},
      {static_cast<int>(Stamp::start), "start", "a stamp starts its hour"},
      {static_cast<int>(Stamp::end), "end", "a stamp ends its hour"}};
  return kNames;
}

std::span<const EnumName> enum_names(Fill) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(Fill::none), "none", "a missing hour is an error"},
      {static_cast<int>(Fill::interpolate), "interpolate",
       "at most 3 missing hours in a row lie on the line between their neighbours"}};
  return kNames;
}

std::span<const EnumName> enum_names(Scope) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(Scope::life_cycle), "life-cycle", "with the making of plants and fuels"},
      {static_cast<int>(Scope::direct), "direct", "what the plants emit"}};
  return kNames;
}

std::span<const EnumName> enum_names(GridKind) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(GridKind::generation), "generation",
       "hourly generation by fuel times emission factors"},
      {static_cast<int>(GridKind::intensity), "intensity", "hourly intensities as given"},
      {static_cast<int>(GridKind::profile), "profile", "mean of each month and hour of a region"},
      {static_cast<int>(GridKind::constant), "constant", "one number for all hours"}};
  return kNames;
}

CarbonIntensity GridHours::mean() const {
  // Around the first hour, so that the mean of equal hours is that hour.
  const CarbonIntensity first = intensity.values.front();
  CarbonIntensity above{};
  for (const CarbonIntensity i : intensity.values) above += i - first;
  return first + above / static_cast<double>(intensity.size());
}

std::optional<CarbonIntensity> GridHours::generation_weighted() const {
  if (generation.values.empty()) return std::nullopt;
  base::Carbon carbon{};
  base::Energy energy{};
  for (std::size_t i = 0; i < intensity.size(); ++i) {
    carbon += intensity.values[i] * generation.values[i];
    energy += generation.values[i];
  }
  return carbon / energy;
}

bool GridHours::covers(Instant start, Instant end) const {
  return start >= intensity.start && end <= intensity.end();
}

std::size_t GridHours::hour_index(Instant t) const {
  if (const auto inside = index_inside(intensity, t)) return *inside;
  if (whole_year) {
    base::CivilTime c = base::civil_utc(t);
    const int day = c.day;
    const int first = base::civil_utc(intensity.start).year;
    for (int year = base::civil_utc(intensity.end()).year; year >= first; --year) {
      c.year = year;
      c.day = std::min(day, base::days_in_month(year, c.month));
      if (const auto same_hour = index_inside(intensity, base::from_civil_utc(c)))
        return *same_hour;
    }
  }
  throw base::UserError("grid-too-short",
                        fmt::format("grid {} holds {} to {} and is asked for {}", name,
                                    base::format_instant(intensity.start),
                                    base::format_instant(intensity.end()), base::format_instant(t)),
                        "a source of at least one whole year serves every other year; use one, a "
                        "region or a country");
}

std::string repeated_year_notice(const GridHours& grid, Instant start, Instant end) {
  if (grid.kind == GridKind::constant || grid.covers(start, end)) return "";
  return fmt::format(
      "grid {} holds {} to {}; hours outside are served by the same calendar hour (month, day, "
      "hour)",
      grid.name, base::format_instant(grid.intensity.start),
      base::format_instant(grid.intensity.end()));
}

}  // namespace greenline::footprint
