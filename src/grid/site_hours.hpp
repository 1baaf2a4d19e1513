// What every engine of this room works on: a site hour by hour, as plain arrays of fixed units, and
// a design for it.
#pragma once

#include <cstddef>
#include <vector>

#include "base/quantity.hpp"
#include "base/time.hpp"

namespace greenline::grid {

// All arrays (num_hours); hour t begins at start + t hours.
struct SiteHours {
  base::Instant start;
  std::vector<double> load_mw;              // mean power of the hour, without flexibility
  std::vector<double> wind_share;           // output per capacity, 0 where the grid has no wind
  std::vector<double> solar_share;          // likewise
  std::vector<double> intensity_g_per_kwh;  // of what the grid gives
  std::vector<std::size_t> day_begin;       // (num_days + 1), local days of 23, 24 or 25 hours
  std::size_t num_hours() const { return load_mw.size(); }
  double years() const { return static_cast<double>(num_hours()) / 8760; }
};

struct Design {
  base::Power wind, solar;  // capacity
  base::Energy battery;
  double extra_servers = 0;  // as a share of those that the highest load needs
};

}  // namespace greenline::grid
