#include "footprint/fuel_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "footprint/column_words.hpp"
#include "footprint/grid_repair.hpp"

namespace greenline::footprint {
namespace {

namespace units = base::units;

// The world generates about 3.5 TWh in an hour (30 PWh a year): more than this from one fuel is a
// wrong unit or a wrong cell.
constexpr base::Energy kMostOfOneFuel = 10'000.0 * units::GWh;

CarbonIntensity factor_of(const catalog::Catalog& facts, const std::string& factors,
                          const std::string& code, const GridTable& table) {
  const std::string id = factors + "." + code;
  GL_USER_CHECK(
      facts.peek(id) != nullptr, "no-factor",
      fmt::format("factor set {} has no factor for {}, a column of {}", factors, code, table.name));
  return facts.get<CarbonIntensity>(id);
}

void check_size(const GridTable& table) {
  const double most = kMostOfOneFuel.in(units::MWh);
  for (const HourColumn& fuel : table.columns) {
    for (std::size_t hour = 0; hour < fuel.values.size(); ++hour) {
      if (!(fuel.values[hour] > most)) continue;
      throw base::DataError("implausible-generation",
                            fmt::format("the hour {}: {:.4g} MWh in one hour from {}; expected at "
                                        "most {}, three times what the world generates",
                                        base::format_instant(table.time(hour)), fuel.values[hour],
                                        fuel.code, base::format_quantity(kMostOfOneFuel)),
                            "check the unit of the column", table.where(hour, fuel.column));
    }
  }
}

// A source that writes missing hours as 0 can't be told from a fuel at rest; solar rests every
// night.
void say_zeros(const GridTable& table, base::Journal& journal) {
  std::vector<std::string> parts, always;
  for (const HourColumn& fuel : table.columns) {
    if (fuel.code == "SUN") continue;
    const auto n =
        static_cast<std::size_t>(std::count(fuel.values.begin(), fuel.values.end(), 0.0));
    if (n == fuel.values.size())
      always.push_back(fuel.code);
    else if (n > 0)
      parts.push_back(fmt::format("{} in {} hours", fuel.code, n));
  }
  if (!always.empty()) parts.push_back(fmt::format("{} in all hours", fmt::join(always, ", ")));
  if (parts.empty()) return;
  journal.notice(
      fmt::format("{}: 0 for {}: at rest, or missing from the source; nothing was repaired",
                  table.name, fmt::join(parts, "; ")));
}

// Where the zeros of a fuel stand that generates otherwise; `grid regions` lists them all.
void say_suspicious(const GridTable& table, base::Journal& journal) {
  std::vector<std::string> parts;
  const std::vector<ZeroRun> runs = suspicious_runs(table);
  for (const HourColumn& fuel : table.columns) {
    std::size_t num_runs = 0;
    const ZeroRun* longest = nullptr;
    for (const ZeroRun& run : runs) {
      if (run.code != fuel.code || run.num_hours == fuel.values.size()) continue;
      ++num_runs;
      if (!longest || run.num_hours > longest->num_hours) longest = &run;
    }
    if (longest)
      parts.push_back(fmt::format("{} {} (the longest {} h from {})", fuel.code, num_runs,
                                  longest->num_hours,
                                  base::format_instant(table.time(longest->begin))));
  }
  if (!parts.empty())
    journal.notice(fmt::format("{}: suspicious runs of hours at 0: {}; see `grid regions`",
                               table.name, fmt::join(parts, ", ")));
}

void say_absent(const GridTable& table, const catalog::Catalog& facts, base::Journal& journal) {
  std::vector<std::string> absent;
  for (const std::string& code : fuel_codes(facts)) {
    if (std::none_of(table.columns.begin(), table.columns.end(),
                     [&](const HourColumn& c) { return c.code == code; }))
      absent.push_back(code);
  }
  if (!absent.empty())
    journal.notice(
        fmt::format("{}: no column for {}; they count as 0", table.name, fmt::join(absent, ", ")));
}

// Wind, sun, water, nuclear and heat of the earth count as carbon-free energy.
bool burns_nothing(std::string_view code) {
  constexpr std::string_view kCodes[] = {"WND", "SUN", "WAT", "NUC", "GEO"};
  return std::find(std::begin(kCodes), std::end(kCodes), code) != std::end(kCodes);
}

}  // namespace

std::vector<std::string> fuel_codes(const catalog::Catalog& facts) {
  std::vector<std::string> codes;
  for (const catalog::Fact& fact : facts.facts())
    if (fact.kind == "grid_factors") codes.push_back(fact.property());
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

std::vector<FuelColumn> find_fuels(const io::CsvTable& table, const catalog::Catalog& facts) {
  const std::vector<std::string> codes = fuel_codes(facts);
  std::vector<FuelColumn> found;
  for (std::size_t i = 0; i < table.header().size(); ++i) {
    const std::vector<std::string> words = column_words(table.header()[i]);
    const auto unit = hourly_energy_unit(words);
    const bool in_other_unit = !unit && words.size() == 2 && names_energy(words[1]);
    if (words.size() != (unit || in_other_unit ? 2u : 1u)) continue;
    const auto code = std::find_if(codes.begin(), codes.end(), [&](const std::string& c) {
      return column_words(c) == std::vector{words[0]};
    });
    if (code == codes.end()) continue;
    if (in_other_unit)
      throw base::DataError(
          "unknown-unit",
          fmt::format("column {}: {} is no unit that is read here; expected kWh, MWh, GWh or TWh "
                      "of the hour, or W, kW, MW or GW",
                      base::quoted(table.header()[i]), base::quoted(words[1])),
          "convert the column", table.where_header());
    if (std::any_of(found.begin(), found.end(),
                    [&](const FuelColumn& f) { return f.code == *code; }))
      throw base::DataError("duplicate-fuel", fmt::format("two columns name the fuel {}", *code),
                            "keep one of them", table.where_header());
    found.push_back(
        {*code, i, unit.value_or(1.0 * units::MWh), unit && power_unit({words[1]}).has_value()});
  }
  return found;
}

void read_generation(const GridTable& table, const std::string& factors,
                     const catalog::Catalog& facts, GridHours& grid, base::Journal& journal) {
  facts.require_entry("grid_factors", factors, "factors");
  const std::size_t n = table.axis.num_hours;
  const base::Instant start = table.axis.start;
  std::vector<base::Carbon> carbon(n);
  std::vector<base::Energy> carbon_free(n);
  grid.kind = GridKind::generation;
  grid.factors = factors;
  grid.source = fmt::format("{} with factors {}", table.name, factors);
  grid.generation = {start, 1.0 * units::h, std::vector<base::Energy>(n)};
  check_size(table);
  for (const HourColumn& fuel : table.columns) {
    const CarbonIntensity factor = factor_of(facts, factors, fuel.code, table);
    const bool is_carbon_free = burns_nothing(fuel.code);
    base::Series<base::Power> power{start, 1.0 * units::h, {}};
    for (std::size_t i = 0; i < n; ++i) {
      const base::Energy energy = fuel.values[i] * units::MWh;
      grid.generation.values[i] += energy;
      if (is_carbon_free) carbon_free[i] += energy;
      carbon[i] += factor * energy;
      power.values.push_back(energy / (1.0 * units::h));
    }
    if (fuel.code == "WND")
      grid.wind = std::move(power);
    else if (fuel.code == "SUN")
      grid.solar = std::move(power);
  }
  for (std::size_t i = 0; i < n; ++i) {
    // Repairs leave no such hour, unless what they put in underflows.
    if (!(grid.generation.values[i].base_value() > 0))
      throw base::DataError(
          "no-generation",
          fmt::format("the fuels sum to 0 in the hour {}", base::format_instant(table.time(i))),
          "correct the row", table.where(i, table.columns[0].column));
    grid.intensity.values.push_back(carbon[i] / grid.generation.values[i]);
    grid.carbon_free_share.push_back(carbon_free[i] / grid.generation.values[i]);
  }
  say_zeros(table, journal);
  say_suspicious(table, journal);
  say_absent(table, facts, journal);
}

std::optional<CarbonIntensity> mean_intensity(const GridTable& table, const std::string& factors,
                                              const catalog::Catalog& facts) {
  std::vector<double> factor;  // g/kWh
  for (const HourColumn& fuel : table.columns)
    factor.push_back(factor_of(facts, factors, fuel.code, table).in(units::g_per_kWh));
  double total = 0;
  std::size_t num_hours = 0;
  for (std::size_t i = 0; i < table.axis.num_hours; ++i) {
    double carbon = 0, energy = 0;
    for (std::size_t f = 0; f < factor.size(); ++f) {
      const double x = table.columns[f].values[i];
      energy += x < 0 ? 0 : x;  // NaN stays
      carbon += factor[f] * (x < 0 ? 0 : x);
    }
    if (!(energy > 0)) continue;
    total += carbon / energy;
    ++num_hours;
  }
  if (num_hours == 0) return std::nullopt;
  return total / static_cast<double>(num_hours) * units::g_per_kWh;
}

}  // namespace greenline::footprint
