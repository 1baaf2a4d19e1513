// The electric load of a data centre, hour by hour.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/enum_name.hpp"
#include "base/journal.hpp"
#include "base/quantity.hpp"
#include "base/time.hpp"

namespace greenline::grid {

enum class Shape { flat, diurnal, carbon_explorer };
std::span<const base::EnumName> enum_names(Shape);

using LoadSeries = base::Series<base::Power>;  // (num_hours), step 1 h, mean power of each hour

LoadSeries flat_load(base::Power mean, base::Instant start, std::size_t num_hours);

// mean · (1 + swing/2 · cos(2π (h - peak) / 24)), h the local time in the middle of the hour.
// `timezone` "" means UTC.
struct Diurnal {
  double swing = 0;  // highest to lowest, as a share of the mean
  base::Time peak;   // local time of day
  std::string timezone;
};
LoadSeries diurnal_load(base::Power mean, const Diurnal& shape, base::Instant start,
                        std::size_t num_hours);

// The simulated load of the Carbon Explorer release: P + P · 0.05/2 · sin(t/4), t in hours, its
// last six hours moved to the front. The period is 8π = 25.13 h, so it drifts through the day, and
// its mean is not exactly P.
LoadSeries carbon_explorer_load(base::Power nominal, base::Instant start, std::size_t num_hours);

// A CSV file with a time column and one column of load, whose name says the unit (load_mw, "Load
// (kW)"; MWh of an hour count as mean MW). DataError "unknown-layout", "no-unit", "negative-power",
// "implausible-load", "no-load" and those of the time column.
LoadSeries read_load(const std::string& path, base::Journal& journal);

// The same hours with another mean.
LoadSeries scaled_to_mean(LoadSeries load, base::Power mean);

base::Power mean_of(const LoadSeries& load);

}  // namespace greenline::grid
