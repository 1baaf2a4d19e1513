#include "footprint/grid_file.hpp"

#include <fmt/format.h>

#include "base/calendar.hpp"
#include "base/quantity_text.hpp"
#include "footprint/column_words.hpp"
#include "footprint/fuel_columns.hpp"
#include "footprint/hour_axis.hpp"

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

struct IntensityColumn {
  std::size_t column;
  std::vector<std::string> words;
};

bool names_intensity(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (word.find("intensity") != std::string::npos) return true;
  return intensity_unit(words).has_value();
}

// Electricity Maps ships direct and life-cycle columns side by side; life cycle is what the factor
// sets here mean.
bool is_life_cycle(const std::vector<std::string>& words) {
  return has_word(words, "lca") || has_word(words, "lifecycle") ||
         (has_word(words, "life") && has_word(words, "cycle"));
}

std::optional<IntensityColumn> find_intensity(const io::CsvTable& table, base::Journal& journal) {
  std::vector<IntensityColumn> found, life_cycle;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.header().size(); ++i) {
    IntensityColumn candidate{i, column_words(table.header()[i])};
    if (!names_intensity(candidate.words)) continue;
    if (is_life_cycle(candidate.words)) life_cycle.push_back(candidate);
    names.push_back(table.header()[i]);
    found.push_back(std::move(candidate));
  }
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return found[0];
  if (life_cycle.size() != 1) {
    throw base::DataError(
        "ambiguous-intensity",
        fmt::format("{} columns name an intensity: {}", names.size(), fmt::join(names, ", ")),
        "keep one of them", table.where_header());
  }
  journal.notice(fmt::format("{}: of the intensity columns, the life-cycle one is used: {}",
                             table.name(), base::quoted(table.header()[life_cycle[0].column])));
  return life_cycle[0];
}

CarbonIntensity unit_of(const io::CsvTable& table, const IntensityColumn& intensity,
                        base::Journal& journal) {
  if (const auto unit = intensity_unit(intensity.words)) return *unit;
  if (const std::string foreign = foreign_unit(intensity.words); !foreign.empty())
    throw base::DataError(
        "unknown-unit",
        fmt::format("column {}: {} is no unit of carbon intensity that is known here; known: {}",
                    base::quoted(table.header()[intensity.column]), base::quoted(foreign),
                    known_intensity_units()),
        "convert the column and name it intensity_g_per_kwh", table.where_header());
  journal.assumed({"intensity unit", "g/kWh",
                   fmt::format("{}: column {} names no unit", table.name(),
                               base::quoted(table.header()[intensity.column]))});
  return 1.0 * units::g_per_kWh;
}

void say_ignored(const io::CsvTable& table, const std::vector<bool>& used, base::Journal& journal) {
  std::vector<std::string> ignored;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) ignored.push_back(base::quoted(table.header()[i]));
  if (!ignored.empty())
    journal.notice(fmt::format("{}: column{} not used: {}", table.name(),
                               ignored.size() > 1 ? "s" : "", fmt::join(ignored, ", ")));
}

void read_intensities(const io::CsvTable& table, const IntensityColumn& column, GridHours& grid,
                      base::Journal& journal) {
  const CarbonIntensity unit = unit_of(table, column, journal);
  grid.kind = GridKind::intensity;
  grid.source = table.name();
  if (has_word(column.words, "marginal") && grid.signal != Signal::marginal) {
    grid.signal = Signal::marginal;
    journal.notice(fmt::format("{}: column {} names a marginal signal and is taken as one",
                               table.name(), base::quoted(table.header()[column.column])));
  }
  const std::vector<double> numbers = table.numbers(table.header()[column.column]);
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (numbers[row] < 0) {
      throw base::DataError("negative-intensity",
                            fmt::format("row {}: an intensity of {} is below 0", row + 1,
                                        base::shortest(numbers[row])),
                            "correct the row; nothing is repaired",
                            table.where(row, column.column));
    }
    grid.intensity.values.push_back(numbers[row] * unit);
  }
}

void check_hours(const io::CsvTable& table, std::size_t column, const GridHours& grid) {
  for (std::size_t row = 0; row < grid.intensity.size(); ++row) {
    if (grid.intensity.values[row] <= kHighestHour) continue;
    throw base::DataError(
        "implausible-intensity",
        fmt::format("row {}: {}; no hour of a grid exceeds {}", row + 1,
                    base::format_quantity(grid.intensity.values[row], 6),
                    base::format_quantity(kHighestHour, 6)),
        "a number that stands for a missing value? correct the row; nothing is repaired",
        table.where(row, column));
  }
}

[[noreturn]] void refuse_layout(const io::CsvTable& table, const std::vector<std::string>& codes) {
  throw base::DataError(
      "unknown-layout",
      fmt::format("neither fuels nor an intensity; expected columns of {} or one named "
                  "intensity_g_per_kwh, got: {}",
                  fmt::join(codes, " "), fmt::join(table.header(), ", ")),
      "rename the columns", table.where_header());
}

}  // namespace

GridHours read_grid(const io::CsvTable& table, const GridInput& input,
                    const catalog::Catalog& facts, base::Journal& journal) {
  std::vector<bool> used(table.header().size());
  const std::vector<FuelColumn> fuels = find_fuels(table, facts);
  std::optional<IntensityColumn> intensity;
  if (fuels.empty() && !(intensity = find_intensity(table, journal)))
    refuse_layout(table, fuel_codes(facts));
  const HourAxis axis = read_hour_axis(table, input.stamp, journal);
  used[axis.time_column] = true;

  GridHours grid;
  grid.signal = input.signal;
  grid.intensity = {axis.start, 1.0 * units::h, {}};
  if (intensity) {
    used[intensity->column] = true;
    read_intensities(table, *intensity, grid, journal);
  } else {
    for (const FuelColumn& fuel : fuels) used[fuel.column] = true;
    read_generation(table, fuels, input.factors, facts, grid, journal);
  }
  say_ignored(table, used, journal);
  const std::size_t value_column = intensity ? intensity->column : fuels[0].column;
  check_plausible(grid.mean(), facts, table.header()[value_column], table.where(0, value_column));
  check_hours(table, value_column, grid);
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
