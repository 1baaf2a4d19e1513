// From what a person types after --grid to hours: a region, a country, a number or a file.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "base/calendar.hpp"
#include "base/quantity_text.hpp"
#include "footprint/grid_file.hpp"
#include "footprint/grid_hours.hpp"
#include "io/digest.hpp"
#include "io/file.hpp"

namespace greenline::footprint {
namespace {

using base::Instant;
namespace units = base::units;

constexpr int kConstantYear = 2023;  // a common year; a number is the same in all

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The fact that bounds how far another year of this grid may lie from the one at hand.
const catalog::Fact& level_fact(const std::string& name, const catalog::Catalog& facts) {
  if (facts.peek(name + ".intensity_level")) return facts.at(name + ".intensity_level");
  if (facts.peek("country." + name + ".intensity")) return facts.at("country.intensity_level");
  return facts.at("grid-file.intensity_level");
}

// The value of the fact scales the hours, its band becomes the driver "grid.<driver>.level".
void set_level(GridHours& grid, const catalog::Catalog& facts, const std::string& driver_name,
               std::uint64_t seed) {
  const catalog::Fact& fact = level_fact(grid.name, facts);
  const double value = fact.value.value;
  GL_USER_CHECK(value > 0, "bad-band",
                fmt::format("fact {}: expected a level above 0, got {}", fact.id, fact.text));
  for (CarbonIntensity& i : grid.intensity.values) i *= value;
  if (fact.is_user() && !fact.low && !fact.high) {  // set by the user: certain
    grid.level = base::Estimate<double>(1.0, fact.evidence, fact.source);
    return;
  }
  const base::Band band = base::default_band(fact.evidence);
  base::Driver driver;
  driver.id = "grid." + driver_name + ".level";
  driver.nominal = 1;
  driver.low = fact.low ? *fact.low / value : band.low;
  driver.high = fact.high ? *fact.high / value : band.high;
  driver.source = fact.source;
  grid.level = base::from_driver<double>(driver, fact.evidence, fact.source, seed);
}

Instant first_of(int year) { return base::from_civil_utc({.year = year}); }

std::size_t hours_of(int year) { return base::days_in_month(year, 2) == 29 ? 8784 : 8760; }

GridHours constant_grid(std::string name, CarbonIntensity value, int year, const GridInput& input) {
  GridHours grid;
  grid.name = std::move(name);
  grid.kind = GridKind::constant;
  grid.signal = input.signal.value_or(Signal::average);
  grid.timezone = input.timezone;
  grid.intensity = {first_of(year), 1.0 * units::h,
                    std::vector<CarbonIntensity>(hours_of(year), value)};
  grid.whole_year = true;
  return grid;
}

GridHours load_country(const GridInput& input, const catalog::Catalog& facts,
                       const base::Settings& settings) {
  const catalog::Fact& fact = facts.at("country." + input.grid + ".intensity");
  GridHours grid = constant_grid(input.grid, facts.get<CarbonIntensity>(fact.id),
                                 fact.year > 0 ? fact.year : kConstantYear, input);
  grid.source = fact.source;
  GL_USER_CHECK(input.signal.value_or(Signal::average) == Signal::average, "no-marginal-signal",
                fmt::format("country {} is a yearly average; --signal is marginal", input.grid));
  set_level(grid, facts, grid.name, settings.seed);
  settings.journal->notice(fmt::format(
      "grid {}: one mean of {} for all hours, so the time of day and year makes no difference",
      input.grid, fact.year));
  return grid;
}

GridHours load_number(const GridInput& input, const catalog::Catalog& facts) {
  const base::AnyQuantity q =
      base::parse_quantity(input.grid, base::AnyQuantity(CarbonIntensity{}).dimension, "--grid");
  const auto value = CarbonIntensity::from_base(q.value);
  // An exact 0 is a claim that someone may want to make; a number close to 0 is a wrong unit.
  if (value != CarbonIntensity{}) check_plausible(value, facts, "--grid", {});
  GridHours grid = constant_grid(base::format_quantity(q, 6), value, kConstantYear, input);
  grid.source = "given";
  grid.level = base::Estimate<double>(1.0, base::Evidence::datasheet,
                                      grid.source);  // stated by the user: certain
  return grid;
}

// The mean days of a year's months as the hours of that year.
template <class Q>
std::vector<Q> over_the_year(const std::vector<Q>& cells, int year) {  // cells: (12, 24)
  std::vector<Q> hours;
  for (int month = 1; month <= 12; ++month)
    for (int day = 0; day < base::days_in_month(year, month); ++day)
      hours.insert(hours.end(), cells.begin() + (month - 1) * 24, cells.begin() + month * 24);
  return hours;
}

// One of the three series of a profile, with its spread. A cell without one has no spread.
template <class Q>
base::Series<Q> profile_series(const catalog::Catalog& facts, const std::string& region,
                               const char* series, int year, Spread<Q>& spread) {
  std::vector<Q> mean, low, high;  // (12, 24)
  for (int month = 1; month <= 12; ++month) {
    for (int hour = 0; hour < 24; ++hour) {
      const std::string id = fmt::format("{}.{}.m{:02}.h{:02}", region, series, month, hour);
      const catalog::Fact* fact = facts.peek(id);
      // The journal names the region once; of its 864 cells only those that somebody changed.
      if (!fact || fact->origin != "built-in") fact = &facts.at(id);
      const double value = fact->value.value;
      mean.push_back(Q::from_base(value));
      low.push_back(Q::from_base(fact->low.value_or(value)));
      high.push_back(Q::from_base(fact->high.value_or(value)));
    }
  }
  spread = {over_the_year(low, year), over_the_year(high, year)};
  return {first_of(year), 1.0 * units::h, over_the_year(mean, year)};
}

GridHours load_region(const GridInput& input, const catalog::Catalog& facts,
                      const base::Settings& settings) {
  const std::string& region = input.grid;
  GridHours grid;
  grid.name = region;
  grid.kind = GridKind::profile;
  grid.factors = facts.text(region + ".factors");
  GL_USER_CHECK(input.factors == grid.factors || input.factors == GridInput{}.factors,
                "factors-contradiction",
                fmt::format("the profile of {} was made with factors {}; --factors is {}", region,
                            grid.factors, input.factors));
  GL_USER_CHECK(
      input.signal.value_or(Signal::average) == Signal::average, "no-marginal-signal",
      fmt::format("the profile of {} is an average signal; --signal is marginal", region));
  const std::string stamp = facts.text(region + ".stamp");
  if (input.stamp != Stamp::automatic && stamp != base::enum_name(input.stamp))
    settings.journal->notice(
        fmt::format("--stamp {} does not apply to region {}: its records are read as {}",
                    base::enum_name(input.stamp), region, stamp));
  const catalog::Fact& name = facts.at(region + ".name");
  const int year = static_cast<int>(facts.integer(region + ".year"));
  grid.source = name.source;
  grid.timezone = input.timezone.empty() ? facts.text_or(region + ".timezone", "") : input.timezone;
  grid.intensity =
      profile_series<CarbonIntensity>(facts, region, "intensity", year, grid.intensity_spread);
  grid.wind = profile_series<base::Power>(facts, region, "wind", year, grid.wind_spread);
  grid.solar = profile_series<base::Power>(facts, region, "solar", year, grid.solar_spread);
  grid.whole_year = true;
  set_level(grid, facts, grid.name, settings.seed);
  settings.journal->notice(
      fmt::format("grid {} ({}) is the mean day of each month of {}: it has seasons and hours, and "
                  "no single days",
                  region, name.text, year));
  return grid;
}

// "dir/eia_erco_2021_mwh.csv.gz" -> "eia_erco_2021_mwh"
std::string stem_of(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.has_extension() ? name.stem().string() : name.string();
}

GridHours load_file(const GridInput& input, const catalog::Catalog& facts,
                    const base::Settings& settings) {
  std::string text = io::read_file(input.grid, settings.journal.get());
  // Named by what the file holds: two files of one name are two grids, a copy is the same one.
  const std::string driver_name = "file-" + io::sha256(text).substr(0, 8);
  GridHours grid = read_grid(std::move(text), input.grid, input, facts, *settings.journal);
  grid.name = stem_of(input.grid);
  if (!grid.reading.region.empty()) grid.name += " " + grid.reading.region;
  set_level(grid, facts, driver_name, settings.seed);
  return grid;
}

// "380 g/kWh", whose slash makes it no path.
bool looks_like_number(const std::string& text) {
  if (text.ends_with(".csv") || text.ends_with(".gz")) return false;
  const std::size_t first = text.find_first_not_of("+-.");
  return first != std::string::npos && first < 3 &&
         std::isdigit(static_cast<unsigned char>(text[first]));
}

bool looks_like_path(const std::string& text) {
  return text.find('/') != std::string::npos || text.ends_with(".csv") || text.ends_with(".gz");
}

// Flags that say how to read a file, beside what is no file.
void refuse_file_flags(const GridInput& input) {
  const std::pair<bool, const char*> given[] = {{!input.region.empty(), "--region"},
                                                {input.fill != Fill::none, "--fill"},
                                                {input.clip_negative, "--clip-negative"},
                                                {!input.unit.empty(), "--unit"},
                                                {input.scope.has_value(), "--intensity"}};
  for (const auto& [is_given, flag] : given)
    GL_USER_CHECK(!is_given, "needs-file",
                  fmt::format("{} says how to read a file; --grid is {}", flag, input.grid));
}

}  // namespace

std::vector<std::string> region_names(const catalog::Catalog& facts) {
  std::vector<std::string> names;
  for (const catalog::Fact& fact : facts.facts())
    if (fact.kind == "grid" && fact.property() == "name") names.push_back(fact.entry());
  return names;
}

std::vector<std::string> country_codes(const catalog::Catalog& facts) {
  constexpr std::string_view kPrefix = "country.";
  std::vector<std::string> codes;
  for (const catalog::Fact& fact : facts.facts())
    if (fact.kind == "grid_countries" && fact.property() == "intensity" &&
        fact.id.starts_with(kPrefix))
      codes.push_back(fact.entry().substr(kPrefix.size()));
  return codes;
}

GridInput with_grid(GridInput input, const std::string& grid) {
  input.grid = grid;
  if (io::is_file(grid)) return input;
  return {.grid = grid, .factors = input.factors, .stamp = input.stamp, .signal = input.signal};
}

GridHours load_grid(const GridInput& input, const catalog::Catalog& facts,
                    const base::Settings& settings) {
  GL_USER_CHECK(!input.grid.empty(), "missing-input",
                std::string("--grid is empty; expected a file, a region, a country or a number"));
  facts.require_entry("grid_factors", input.factors, "factors");
  if (!input.timezone.empty()) base::civil_local(Instant{}, input.timezone);  // is it one?
  const std::vector<std::string> regions = region_names(facts), countries = country_codes(facts);
  const bool is_name = holds(regions, input.grid) || holds(countries, input.grid);
  if (is_name) refuse_file_flags(input);
  if (holds(regions, input.grid)) return load_region(input, facts, settings);
  if (holds(countries, input.grid)) return load_country(input, facts, settings);
  if (io::is_file(input.grid)) return load_file(input, facts, settings);
  if (looks_like_number(input.grid)) {
    refuse_file_flags(input);
    return load_number(input, facts);
  }
  if (looks_like_path(input.grid))
    return load_file(input, facts, settings);  // says which names are near
  std::vector<std::string> known = regions;
  known.insert(known.end(), countries.begin(), countries.end());
  throw base::unknown_name(
      "grid", input.grid, known,
      fmt::format(
          "give an hourly file, a region ({}), a country code (USA) or a number (380 g/kWh)",
          fmt::join(regions, ", ")));
}

}  // namespace greenline::footprint
