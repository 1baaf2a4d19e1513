#include "footprint/grid_file.hpp"

#include <fmt/format.h>

#include "base/calendar.hpp"
#include "base/quantity_text.hpp"
#include "footprint/fuel_columns.hpp"
#include "footprint/grid_repair.hpp"
#include "footprint/grid_table.hpp"

namespace greenline::footprint {
namespace {

using base::Instant;
namespace units = base::units;

// Means of a grid outside of these are refused. The lowest national means of the catalogue are
// about 20 g/kWh and the lowest published life-cycle value of a whole fuel is 3.7 (nuclear, IPCC
// 2014 minimum); the highest national mean is 1306.
constexpr CarbonIntensity kLowestMean = 2.0 * units::g_per_kWh,
                          kHighestMean = 1500.0 * units::g_per_kWh;

// One hour may be dirtier than any year, but not dirtier than the worst fuel (oil shale and old
// lignite: about 1500): what is above twice that is the 9999 of a missing value.
constexpr CarbonIntensity kHighestHour = 3000.0 * units::g_per_kWh;

void read_intensities(const GridTable& table, GridHours& grid) {
  const HourColumn& column = table.columns[0];
  grid.kind = GridKind::intensity;
  grid.source = table.name;
  grid.signal = table.signal;
  for (std::size_t hour = 0; hour < column.values.size(); ++hour) {
    if (column.values[hour] < 0) {
      throw base::DataError(
          "negative-intensity",
          fmt::format("the hour {}: an intensity of {} is below 0",
                      base::format_instant(table.time(hour)), base::shortest(column.values[hour])),
          "correct the row; nothing is repaired", table.where(hour, column.column));
    }
    grid.intensity.values.push_back(column.values[hour] * units::g_per_kWh);
  }
}

void check_hours(const GridTable& table, const GridHours& grid) {
  for (std::size_t hour = 0; hour < grid.intensity.size(); ++hour) {
    if (grid.intensity.values[hour] <= kHighestHour) continue;
    throw base::DataError(
        "implausible-intensity",
        fmt::format("the hour {}: {}; no hour of a grid exceeds {}",
                    base::format_instant(table.time(hour)),
                    base::format_quantity(grid.intensity.values[hour], 6),
                    base::format_quantity(kHighestHour, 6)),
        "a number that stands for a missing value? correct the row; nothing is repaired",
        table.where(hour, table.columns[0].column));
  }
}

}  // namespace

GridHours read_grid(std::string text, const std::string& name, const GridInput& input,
                    const catalog::Catalog& facts, base::Journal& journal) {
  const Tolerance tolerance{input.fill == Fill::none ? 0 : kLongestFill};
  GridTable table = read_grid_table(std::move(text), name, input, tolerance, facts, journal);
  GridHours grid;
  grid.timezone = input.timezone;
  grid.reading = {table.layout, table.region, table.axis.stamp, table.axis.step, 0, 0};
  grid.reading.num_clipped = clip_negatives(table, input.clip_negative, journal);
  grid.reading.num_filled = fill_gaps(table, input.fill, journal);
  grid.intensity = {table.axis.start, 1.0 * units::h, {}};
  if (table.is_generation()) {
    GL_USER_CHECK(input.signal.value_or(Signal::average) == Signal::average, "no-marginal-signal",
                  fmt::format("{}: generation by fuel and emission factors give an average signal; "
                              "--signal is marginal",
                              name));
    read_generation(table, input.factors, facts, grid, journal);
  } else {
    read_intensities(table, grid);
  }
  const HourColumn& column = table.columns[0];
  check_plausible(grid.mean(), facts, column.header, table.where(0, column.column));
  check_hours(table, grid);
  grid.whole_year = holds_whole_year(grid.intensity.start, grid.intensity.end());
  return grid;
}

bool holds_whole_year(Instant start, Instant end) {
  base::CivilTime next = base::civil_utc(start);
  ++next.year;
  next.day = std::min(next.day, base::days_in_month(next.year, next.month));
  return end >= base::from_civil_utc(next);
}

void check_plausible(CarbonIntensity mean, const catalog::Catalog& facts, const std::string& what,
                     base::Location place) {
  if (mean >= kLowestMean && mean <= kHighestMean) return;
  const catalog::Fact* highest = nullptr;
  for (const catalog::Fact& fact : facts.facts()) {
    if (fact.kind != "grid_countries" || fact.property() != "intensity") continue;
    if (!highest || fact.value.value > highest->value.value) highest = &fact;
  }
  const double g = mean.in(units::g_per_kWh);
  std::string cause, hint = "check the unit of the column";
  if (g * 1000 >= kLowestMean.in(units::g_per_kWh) && g < 2) {
    cause = "this looks like kg/kWh";
    hint = "name the column intensity_kg_per_kwh or multiply by 1000";
  } else if (g > 1500 && g / 1000 <= kHighestMean.in(units::g_per_kWh)) {
    cause = "this looks like g/MWh or mg/kWh";
    hint = "divide by 1000 and name the column intensity_g_per_kwh";
  }
  const bool is_given = place.file.empty();  // a number of the user, not the mean of a column
  const std::string message = fmt::format(
      "{} {} {:.6g} g/kWh; a grid lies between {} and {} g/kWh (highest national mean: {} g/kWh, "
      "{}){}",
      what, is_given ? "is" : "has mean", g, kLowestMean.in(units::g_per_kWh),
      kHighestMean.in(units::g_per_kWh), highest ? highest->text : "n/a",
      highest ? highest->source : "no country is known", cause.empty() ? "" : ": " + cause);
  if (is_given)
    throw base::UserError("implausible-intensity", message, "check the unit of the number");
  throw base::DataError("implausible-intensity", message, std::move(hint), std::move(place));
}

}  // namespace greenline::footprint
