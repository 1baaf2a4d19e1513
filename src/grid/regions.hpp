// What is known about the sources of grid hours: all of the catalogue, or one region, country or
// file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/progress.hpp"
#include "footprint/grid_hours.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::grid {

struct RegionsRequest {
  base::Settings settings;
  footprint::GridInput grid;  // no grid: the catalogue
};

// A region or country of the catalogue.
struct KnownSource {
  std::string name, title, timezone, source;  // timezone: "" for countries
  std::int64_t year = 0;
  base::CarbonIntensity mean;
  std::optional<double> wind_capacity_factor, solar_capacity_factor;  // of the largest hour
};

// Of a file of generation by fuel.
struct FuelSummary {
  std::string fuel;
  base::Energy energy;   // of the hours that have a value, negative ones as they are
  base::Power capacity;  // the largest hour
  std::optional<double> capacity_factor;                         // none without generation
  std::int64_t num_zero = 0, num_negative = 0, num_missing = 0;  // hours
};

// Hours without a value, or suspicious ones at 0.
struct HourRun {
  std::string what;  // "WAT"; of a gap "all" or a fuel
  base::Instant start;
  std::int64_t num_hours = 0;
};

struct FactorSetMean {
  std::string factors;
  std::optional<base::CarbonIntensity> mean;  // none when the set lacks a fuel of the file
};

struct SourceSummary {
  std::string name, layout;
  footprint::GridKind kind = footprint::GridKind::constant;
  footprint::Signal signal = footprint::Signal::average;
  footprint::Stamp stamp = footprint::Stamp::start;
  std::string region, timezone;  // "": not known
  base::Instant start, end;
  std::int64_t num_hours = 0;
  base::Time step;  // of the rows of a file
  bool whole_year = false;
  bool has_wind = false, has_solar = false;  // with generation above 0
  std::int64_t num_missing = 0;              // hours without some value
  std::int64_t num_empty = 0;                // hours whose fuels sum to 0
  std::vector<FuelSummary> fuels;
  std::vector<FactorSetMean> means;
  std::optional<base::CarbonIntensity> mean, min, max;  // as stated; of files of intensities
  std::optional<double> wind_capacity_factor, solar_capacity_factor;  // of the largest hour
  std::vector<HourRun> gaps, suspicious;
};

struct RegionsResult {
  std::vector<KnownSource> regions, countries;
  std::string file;                       // a file that holds several regions, none chosen
  std::vector<std::string> file_regions;  // and those
  std::optional<SourceSummary> source;
};

// A file is read with all its gaps and negative numbers; errors are those of read_grid_table, and
// of load_grid for names.
RegionsResult regions(const RegionsRequest& request,
                      base::Progress& progress = base::no_progress());

void describe(verb::Fields& fields, RegionsRequest& request);
void present(verb::Report& report, const RegionsResult& result);

}  // namespace greenline::grid
