#include "grid/regions.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/calendar.hpp"
#include "footprint/fuel_columns.hpp"
#include "footprint/grid_file.hpp"
#include "footprint/grid_repair.hpp"
#include "footprint/grid_table.hpp"
#include "io/file.hpp"

namespace greenline::grid {
namespace {

using base::CarbonIntensity;
using footprint::GridTable;
namespace units = base::units;

constexpr std::size_t kHoursOfYear = 8784;

// Mean of a profile relative to its largest hour.
std::optional<double> capacity_factor(const base::Series<base::Power>& shares) {
  if (shares.values.empty()) return std::nullopt;
  base::Power total{};
  for (const base::Power p : shares.values) total += p;
  return total.base_value() / static_cast<double>(shares.size());
}

KnownSource known_source(const std::string& name, const std::string& title,
                         const catalog::Catalog& facts) {
  // A journal of its own: the notices of forty sources are none of one answer.
  base::Settings quiet;
  const footprint::GridHours grid = footprint::load_grid({.grid = name}, facts, quiet);
  return {name,
          title,
          grid.timezone,
          grid.source,
          base::civil_utc(grid.intensity.start).year,
          grid.mean(),
          capacity_factor(grid.wind),
          capacity_factor(grid.solar)};
}

void list_catalogue(const catalog::Catalog& facts, RegionsResult& result) {
  for (const std::string& name : footprint::region_names(facts))
    result.regions.push_back(known_source(name, facts.text(name + ".name"), facts));
  for (const std::string& code : footprint::country_codes(facts)) {
    const catalog::Fact& fact = facts.at("country." + code + ".intensity");
    const std::size_t comma = fact.quantity.rfind(", ");
    const std::string title =
        comma == std::string::npos ? fact.quantity : fact.quantity.substr(comma + 2);
    result.countries.push_back({code, title, "", fact.source, fact.year,
                                facts.get<CarbonIntensity>(fact.id), std::nullopt, std::nullopt});
  }
}

SourceSummary summary_of_name(const footprint::GridHours& grid) {
  SourceSummary s;
  s.name = grid.name;
  s.layout = "catalogue";
  s.kind = grid.kind;
  s.signal = grid.signal;
  s.timezone = grid.timezone;
  s.start = grid.intensity.start;
  s.end = grid.intensity.end();
  s.num_hours = static_cast<std::int64_t>(grid.intensity.size());
  s.step = grid.intensity.step;
  s.whole_year = grid.whole_year;
  s.wind_capacity_factor = capacity_factor(grid.wind);
  s.solar_capacity_factor = capacity_factor(grid.solar);
  s.has_wind = s.wind_capacity_factor.value_or(0) > 0;
  s.has_solar = s.solar_capacity_factor.value_or(0) > 0;
  s.mean = grid.mean();
  const auto [min, max] =
      std::minmax_element(grid.intensity.values.begin(), grid.intensity.values.end());
  s.min = *min;
  s.max = *max;
  if (!grid.factors.empty()) s.means = {{grid.factors, s.mean}};
  return s;
}

FuelSummary fuel_summary(const footprint::HourColumn& column) {
  FuelSummary s;
  s.fuel = column.code;
  double total = 0, largest = 0;
  std::size_t num_values = 0;
  for (const double x : column.values) {
    if (std::isnan(x)) {
      ++s.num_missing;
      continue;
    }
    ++num_values;
    total += x;
    largest = std::max(largest, x);
    s.num_zero += x == 0 ? 1 : 0;
    s.num_negative += x < 0 ? 1 : 0;
  }
  s.energy = total * units::MWh;
  s.capacity = largest * units::MW;
  if (largest > 0) s.capacity_factor = total / largest / static_cast<double>(num_values);
  return s;
}

// Hours that lack a value; a gap of all columns once, of one fuel by its name.
std::vector<HourRun> gaps_of(const GridTable& table, std::int64_t& num_missing) {
  std::vector<HourRun> runs;
  std::string what;  // of the run that is open
  num_missing = 0;
  for (std::size_t hour = 0; hour < table.axis.num_hours; ++hour) {
    std::string missing;
    std::size_t num = 0;
    for (const footprint::HourColumn& column : table.columns) {
      if (!std::isnan(column.values[hour])) continue;
      missing += (num++ == 0 ? "" : " ") + column.code;
    }
    if (num == table.columns.size()) missing = "all";
    if (num > 0) {
      ++num_missing;
      if (missing == what)
        ++runs.back().num_hours;
      else
        runs.push_back({missing, table.time(hour), 1});
    }
    what = missing;
  }
  return runs;
}

std::vector<FactorSetMean> means_of(const GridTable& table, const catalog::Catalog& facts) {
  std::set<std::string> sets;
  for (const catalog::Fact& fact : facts.facts())
    if (fact.kind == "grid_factors") sets.insert(fact.entry());
  std::vector<FactorSetMean> means;
  for (const std::string& set : sets) {
    const bool complete =
        std::all_of(table.columns.begin(), table.columns.end(),
                    [&](const auto& c) { return facts.peek(set + "." + c.code) != nullptr; });
    means.push_back({set, complete ? footprint::mean_intensity(table, set, facts) : std::nullopt});
  }
  return means;
}

void summarise_intensity(const std::vector<double>& values, SourceSummary& s) {
  double total = 0, low = 0, high = 0;
  std::size_t num = 0;
  for (const double x : values) {
    if (std::isnan(x)) continue;
    low = num == 0 ? x : std::min(low, x);
    high = num == 0 ? x : std::max(high, x);
    total += x;
    ++num;
  }
  if (num == 0) return;
  s.mean = total / static_cast<double>(num) * units::g_per_kWh;
  s.min = low * units::g_per_kWh;
  s.max = high * units::g_per_kWh;
}

SourceSummary summary_of_file(const GridTable& table, const footprint::GridInput& input,
                              const catalog::Catalog& facts) {
  SourceSummary s;
  s.name = table.name;
  s.layout = table.layout;
  s.kind = table.is_generation() ? footprint::GridKind::generation : footprint::GridKind::intensity;
  s.signal = table.signal;
  s.stamp = table.axis.stamp;
  s.region = table.region;
  s.timezone = input.timezone;
  s.start = table.axis.start;
  s.end = table.time(table.axis.num_hours);
  s.num_hours = static_cast<std::int64_t>(table.axis.num_hours);
  s.step = table.axis.step;
  s.whole_year = footprint::holds_whole_year(s.start, s.end);
  s.gaps = gaps_of(table, s.num_missing);
  s.num_empty = static_cast<std::int64_t>(footprint::empty_hours(table).size());
  for (const footprint::ZeroRun& run : footprint::suspicious_runs(table))
    s.suspicious.push_back(
        {run.code, table.time(run.begin), static_cast<std::int64_t>(run.num_hours)});
  if (!table.is_generation()) {
    summarise_intensity(table.columns[0].values, s);
    return s;
  }
  for (const footprint::HourColumn& column : table.columns) {
    s.fuels.push_back(fuel_summary(column));
    if (column.code == "WND") s.wind_capacity_factor = s.fuels.back().capacity_factor;
    if (column.code == "SUN") s.solar_capacity_factor = s.fuels.back().capacity_factor;
  }
  s.has_wind = s.wind_capacity_factor.has_value();
  s.has_solar = s.solar_capacity_factor.has_value();
  s.means = means_of(table, facts);
  return s;
}

}  // namespace

RegionsResult regions(const RegionsRequest& request, base::Progress&) {
  const catalog::Catalog facts(request.settings);
  const footprint::GridInput& input = request.grid;
  RegionsResult result;
  if (input.grid.empty()) {
    list_catalogue(facts, result);
    return result;
  }
  const auto names = footprint::region_names(facts), codes = footprint::country_codes(facts);
  const bool is_name = std::find(names.begin(), names.end(), input.grid) != names.end() ||
                       std::find(codes.begin(), codes.end(), input.grid) != codes.end();
  if (is_name || !io::is_file(input.grid)) {
    result.source = summary_of_name(footprint::load_grid(input, facts, request.settings));
    return result;
  }
  base::Journal& journal = *request.settings.journal;
  std::string text = io::read_file(input.grid, &journal);
  if (input.region.empty()) {
    result.file_regions = footprint::regions_of(text, input.grid, input, facts);
    if (result.file_regions.size() > 1) {
      result.file = input.grid;
      return result;
    }
  }
  const GridTable table = footprint::read_grid_table(std::move(text), input.grid, input,
                                                     {kHoursOfYear}, facts, journal);
  result.source = summary_of_file(table, input, facts);
  return result;
}

}  // namespace greenline::grid
