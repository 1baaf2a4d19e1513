#include "footprint/fuel_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "footprint/column_words.hpp"

namespace greenline::footprint {
namespace {

namespace units = base::units;

// The world generates about 3.5 TWh in an hour (30 PWh a year): more than this from one fuel is a
// wrong unit or a wrong cell.
constexpr base::Energy kMostOfOneFuel = 10'000.0 * units::GWh;

CarbonIntensity factor_of(const catalog::Catalog& facts, const std::string& factors,
                          const std::string& code, const io::CsvTable& table) {
  const std::string id = factors + "." + code;
  GL_USER_CHECK(facts.peek(id) != nullptr, "no-factor",
                fmt::format("factor set {} has no factor for {}, a column of {}", factors, code,
                            table.name()));
  return facts.get<CarbonIntensity>(id);
}

void say_negatives(const std::string& code, const std::vector<double>& numbers,
                   const io::CsvTable& table, base::Journal& journal) {
  const auto num_negative =
      std::count_if(numbers.begin(), numbers.end(), [](double x) { return x < 0; });
  if (num_negative == 0) return;
  journal.notice(fmt::format("{}: {} negative hour{} of {} count as 0 (lowest {})", table.name(),
                             num_negative, num_negative > 1 ? "s" : "", code,
                             base::shortest(*std::min_element(numbers.begin(), numbers.end()))));
}

void check_size(const FuelColumn& fuel, const std::vector<double>& numbers,
                const io::CsvTable& table) {
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (numbers[row] * fuel.unit <= kMostOfOneFuel) continue;
    throw base::DataError("implausible-generation",
                          fmt::format("row {}: {:.4g} MWh in one hour from {}; expected at most "
                                      "{}, three times what the world generates",
                                      row + 1, numbers[row] * fuel.unit.in(units::MWh), fuel.code,
                                      base::format_quantity(kMostOfOneFuel)),
                          "check the unit of the column", table.where(row, fuel.column));
  }
}

// A source that writes missing hours as 0 can't be told from a fuel at rest; solar rests every
// night.
struct Zeros {
  std::vector<std::string> always, sometimes;

  void count(const std::string& code, const std::vector<double>& numbers) {
    if (code == "SUN") return;
    const auto n = static_cast<std::size_t>(
        std::count_if(numbers.begin(), numbers.end(), [](double x) { return x <= 0; }));
    if (n == numbers.size())
      always.push_back(code);
    else if (n > 0)
      sometimes.push_back(fmt::format("{} in {} hours", code, n));
  }
  void say(const io::CsvTable& table, base::Journal& journal) const {
    std::vector<std::string> parts = sometimes;
    if (!always.empty()) parts.push_back(fmt::format("{} in all hours", fmt::join(always, ", ")));
    if (parts.empty()) return;
    journal.notice(
        fmt::format("{}: 0 for {}: at rest, or missing from the source; nothing was repaired",
                    table.name(), fmt::join(parts, "; ")));
  }
};

void say_absent(const std::vector<FuelColumn>& fuels, const io::CsvTable& table,
                const catalog::Catalog& facts, base::Journal& journal) {
  std::vector<std::string> absent;
  for (const std::string& code : fuel_codes(facts)) {
    if (std::none_of(fuels.begin(), fuels.end(),
                     [&](const FuelColumn& f) { return f.code == code; }))
      absent.push_back(code);
  }
  if (!absent.empty())
    journal.notice(fmt::format("{}: no column for {}; they count as 0", table.name(),
                               fmt::join(absent, ", ")));
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
    found.push_back({*code, i, unit.value_or(1.0 * units::MWh)});
  }
  return found;
}

void read_generation(const io::CsvTable& table, const std::vector<FuelColumn>& fuels,
                     const std::string& factors, const catalog::Catalog& facts, GridHours& grid,
                     base::Journal& journal) {
  facts.require_entry("grid_factors", factors, "factors");
  const std::size_t n = table.num_rows();
  const base::Instant start = grid.intensity.start;
  std::vector<base::Carbon> carbon(n);
  grid.kind = GridKind::generation;
  grid.factors = factors;
  grid.source = fmt::format("{} with factors {}", table.name(), factors);
  grid.generation = {start, 1.0 * units::h, std::vector<base::Energy>(n)};
  Zeros zeros;
  for (const FuelColumn& fuel : fuels) {
    const CarbonIntensity factor = factor_of(facts, factors, fuel.code, table);
    const std::vector<double> numbers = table.numbers(table.header()[fuel.column]);
    check_size(fuel, numbers, table);
    say_negatives(fuel.code, numbers, table, journal);
    zeros.count(fuel.code, numbers);
    base::Series<base::Power> power{start, 1.0 * units::h, {}};
    for (std::size_t i = 0; i < n; ++i) {
      const base::Energy energy = std::max(numbers[i], 0.0) * fuel.unit;
      grid.generation.values[i] += energy;
      carbon[i] += factor * energy;
      power.values.push_back(energy / (1.0 * units::h));
    }
    if (fuel.code == "WND")
      grid.wind = std::move(power);
    else if (fuel.code == "SUN")
      grid.solar = std::move(power);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!(grid.generation.values[i].base_value() > 0)) {
      throw base::DataError(
          "no-generation",
          fmt::format("row {}: the fuels sum to 0 in the hour {}, so it has no intensity", i + 1,
                      base::format_instant(grid.intensity.time(i))),
          "correct or cut the row; nothing is filled in", table.where(i, fuels[0].column));
    }
    grid.intensity.values.push_back(carbon[i] / grid.generation.values[i]);
  }
  zeros.say(table, journal);
  say_absent(fuels, table, facts, journal);
}

}  // namespace greenline::footprint
