// Carbon intensity of a grid, hour by hour, from a file, a region of the catalogue, a country or a
// number.
//
//   GridHours grid = load_grid({.grid = "ERCO"}, facts, settings);
//   CarbonIntensity now = grid.intensity_at(t);
//
// Everything is interval-start UTC. A source that covers a whole year serves any other year by
// calendar hour (month, day, hour), and the journal says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/enum_name.hpp"
#include "base/estimate.hpp"
#include "base/quantity.hpp"
#include "base/time.hpp"
#include "catalog/catalog.hpp"

namespace greenline::verb {
class Fields;
}

namespace greenline::footprint {

using base::CarbonIntensity;

// An average signal attributes the grid's emissions to its consumers; a marginal one says what one
// more kWh causes. They are never mixed.
enum class Signal { average, marginal };
std::span<const base::EnumName> enum_names(Signal);

// What a time stamp of a file means.
enum class Stamp { automatic, start, end };
std::span<const base::EnumName> enum_names(Stamp);

// What is done about missing hours of a file.
enum class Fill { none, interpolate };
std::span<const base::EnumName> enum_names(Fill);
inline constexpr std::size_t kLongestFill = 3;  // hours in a row

// What an intensity counts: what the plants emit, or that and the making of plants and fuels.
enum class Scope { life_cycle, direct };
std::span<const base::EnumName> enum_names(Scope);

// How to get a grid; the same inputs wherever a verb takes --grid.
struct GridInput {
  std::string grid = {};                    // file, region ("ERCO"), country ("USA") or "380 g/kWh"
  std::string factors = "carbon-explorer";  // emission factor set for files of generation by fuel
  Stamp stamp = Stamp::automatic;
  std::optional<Signal> signal = {};  // what the intensities of a file are; else what it says
  std::string region = {};            // of a file that holds several: "CISO"
  // IANA name: of times that name no zone, and of the grid's local days.
  std::string timezone = {};
  Fill fill = Fill::none;
  bool clip_negative = false;       // negative generation counts as 0
  std::string unit = {};            // of intensities whose column names none: "lb/MWh"
  std::optional<Scope> scope = {};  // of a file that holds both
};
// The same wishes for another source. How a file is to be read goes along to a file only.
GridInput with_grid(GridInput input, const std::string& grid);
// The flags of a grid: --grid (required), --factors, and those of a file.
void describe(verb::Fields& fields, GridInput& input);
// The flags of a file alone: --stamp, --signal, --region, --tz, --fill, --clip-negative, --unit,
// --intensity.
void describe_file(verb::Fields& fields, GridInput& input);

// Of a file of generation by fuel, a file of intensities, a region, a number.
enum class GridKind { generation, intensity, profile, constant };
std::span<const base::EnumName> enum_names(GridKind);

// How the days of a month differ in an hour: 5th and 95th percentile beside the mean. Empty unless
// the source is a profile.
template <class Q>
struct Spread {
  std::vector<Q> low, high;  // (num_hours)
};

// What a file was read as, and what was repaired on the way.
struct Reading {
  std::string layout;            // "eia930-balance" (footprint/grid_layout.hpp); "" without a file
  std::string region;            // of a file that holds several
  Stamp stamp = Stamp::start;    // what its stamps were taken for
  base::Time step;               // of its rows
  std::int64_t num_filled = 0;   // hours that were interpolated
  std::int64_t num_clipped = 0;  // negative hours of any fuel that were set to 0
};

struct GridHours {
  std::string name;  // "ERCO", "USA", "eia_erco_2021_mwh" (the stem of a file)
  GridKind kind = GridKind::constant;
  Signal signal = Signal::average;
  std::string factors, source;  // factors: "" unless the intensity was made with a factor set
  std::string timezone;         // IANA name; "" when unknown
  Reading reading;
  // (num_hours), step 1 h; profiles and constants hold a whole year.
  base::Series<CarbonIntensity> intensity;
  // (num_hours), of all fuels; empty unless kind is generation.
  base::Series<base::Energy> generation;
  // (num_hours), share of wind, sun, water and nuclear in that; empty with it.
  std::vector<double> carbon_free_share;
  // (num_hours), mean power; for profiles relative to a 1 W maximum; may be empty.
  base::Series<base::Power> wind, solar;
  Spread<base::Power> wind_spread, solar_spread;
  Spread<CarbonIntensity> intensity_spread;
  bool whole_year = false;  // holds every calendar hour (month, day, hour) of a year
  // How far another year may lie from this one; driver "grid.<name>.level", of a file
  // "grid.file-<first digits of its SHA-256>.level".
  base::Estimate<double> level = 1.0;

  CarbonIntensity mean() const;  // over hours
  std::optional<CarbonIntensity> generation_weighted() const;
  // Hour that holds t: the hour itself when the source covers it, else the same calendar hour of
  // the source's latest year (29 February falls back to 28 February). UserError "grid-too-short"
  // when the source has neither.
  std::size_t hour_index(base::Instant t) const;
  CarbonIntensity intensity_at(base::Instant t) const { return intensity.values[hour_index(t)]; }
  bool covers(base::Instant start, base::Instant end) const;
};

// "the grid year … is repeated by calendar hour", or "" when the source covers [start, end) or
// knows no hours.
std::string repeated_year_notice(const GridHours& grid, base::Instant start, base::Instant end);

// The regions and countries of the catalogue that --grid takes, in its order.
std::vector<std::string> region_names(const catalog::Catalog& facts);
std::vector<std::string> country_codes(const catalog::Catalog& facts);

// Throws UserError "unknown-grid" (nearest regions, countries and files), and DataError with
// file:line:column for what is wrong in a file: missing or duplicate hours, NaN, an unknown layout,
// intensities outside every known range (kg/kWh read as g/kWh). UserError "needs-file": a flag of a
// file beside a source that is none.
GridHours load_grid(const GridInput& input, const catalog::Catalog& facts,
                    const base::Settings& settings);

}  // namespace greenline::footprint
