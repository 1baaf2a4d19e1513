// The slow, obvious battery: sixty steps an hour, and a site hour by hour without any cleverness.
#pragma once

#include <algorithm>
#include <vector>

#include "grid/battery.hpp"

namespace greenline::reference {

// Mean power taken in over an hour, which moves `state_mwh`.
inline double charge_minutes(const grid::Battery& b, double offered_mw, double& state_mwh) {
  const double mwh = b.capacity.in(base::units::MWh), step = 1.0 / 60;
  double taken = 0;
  for (int minute = 0; minute < 60; ++minute) {
    const double limit =
        std::min(b.charge_rate * mwh / b.charge_efficiency,
                 (b.upper * mwh - state_mwh) / (b.charge_efficiency * step - b.upper_slope));
    const double mw = std::max(0.0, std::min(offered_mw, limit));
    state_mwh += mw * b.charge_efficiency * step;
    taken += mw * step;
  }
  return taken;
}

inline double discharge_minutes(const grid::Battery& b, double wanted_mw, double& state_mwh) {
  const double mwh = b.capacity.in(base::units::MWh), step = 1.0 / 60;
  double given = 0;
  for (int minute = 0; minute < 60; ++minute) {
    const double limit =
        std::min(b.discharge_rate * mwh / b.discharge_efficiency,
                 (state_mwh - b.lower * mwh) / (b.lower_slope + b.discharge_efficiency * step));
    const double mw = std::max(0.0, std::min(wanted_mw, limit));
    state_mwh -= mw * b.discharge_efficiency * step;
    given += mw * step;
  }
  return given;
}

struct PlainYear {
  double grid_mwh = 0, carbon_kg = 0, curtailed_mwh = 0, discharged_mwh = 0;
};

// Hour by hour from full, `passes` times; the sums are those of the last pass.
inline PlainYear plain_year(const std::vector<double>& load, const std::vector<double>& supply,
                            const std::vector<double>& intensity, const grid::Battery& b,
                            int passes) {
  const double mwh = b.capacity.in(base::units::MWh);
  const double empty = (b.upper - b.depth_of_discharge) * mwh;
  double state = b.upper * mwh;
  PlainYear year;
  for (int pass = 0; pass < passes; ++pass) {
    year = {};
    for (std::size_t t = 0; t < load.size(); ++t) {
      if (supply[t] >= load[t]) {
        const double room = (b.upper * mwh - state) / (b.charge_efficiency - b.upper_slope);
        const double charge =
            std::min({supply[t] - load[t], b.charge_rate * mwh / b.charge_efficiency, room});
        state += b.charge_efficiency * charge;
        year.curtailed_mwh += supply[t] - load[t] - charge;
      } else {
        const double content = (state - empty) / (b.lower_slope + b.discharge_efficiency);
        const double discharge = std::min(
            {load[t] - supply[t], b.discharge_rate * mwh / b.discharge_efficiency, content});
        state -= b.discharge_efficiency * discharge;
        year.discharged_mwh += discharge;
        year.grid_mwh += load[t] - supply[t] - discharge;
        year.carbon_kg += (load[t] - supply[t] - discharge) * intensity[t];
      }
    }
  }
  return year;
}

}  // namespace greenline::reference
