// A battery of a site: the C/L/C model of Kazhamiaka, Rosenberg and Keshav (2019), as Carbon
// Explorer uses it.
//
// State b in [lower, upper] of the capacity; in one step of Δ hours it takes at most
//
//   min(charge_rate · B / η_c, (upper · B - b) / (η_c · Δ - upper_slope))    and stores η_c of it,
//   min(discharge_rate · B / η_d, (b - lower · B) / (lower_slope + η_d · Δ)) is what it gives, and
//                                                                           η_d of that leaves it.
#pragma once

#include "base/enum_name.hpp"
#include "base/quantity.hpp"

namespace greenline::grid {

struct Battery {
  base::Energy capacity;
  // Full charges or discharges per hour. 0.5 is a two-hour plant; the paper's cells take 3.
  double charge_rate = 0.5, discharge_rate = 0.5;
  double charge_efficiency = 0.97;     // stored per unit taken in, at most 1
  double discharge_efficiency = 1.04;  // drawn from the cell per unit delivered, at least 1
  // What can still be taken in or given falls near full and near empty: hours of full power.
  double upper_slope = -0.04, lower_slope = 0.01;
  double upper = 1, lower = 0;    // of the capacity, before the depth of discharge
  double depth_of_discharge = 1;  // only this share of the capacity is used, from the top
};

// UserError "bad-battery" names the parameter that no battery can have.
void check(const Battery& battery);

// How finely the limits near full and near empty are followed while the power of an hour is
// constant. `minute` is what the paper does: sixty steps, here in closed form (a phase at full
// power, then each minute takes the same share of what is left).
enum class BatteryStep { hour, minute };
std::span<const base::EnumName> enum_names(BatteryStep);

// One battery as plain numbers, MW and MWh, hour by hour. A state is given and kept by the caller.
class BatteryHour {
 public:
  explicit BatteryHour(const Battery& battery, BatteryStep step = BatteryStep::hour);

  double empty_mwh() const { return empty_; }
  double full_mwh() const { return full_; }

  // Mean power that the battery takes in, of `offered_mw` at least 0, and gives, of `wanted_mw`.
  double charge(double offered_mw, double& state_mwh) const;
  double discharge(double wanted_mw, double& state_mwh) const;

  // What an hour would allow from `state_mwh`: for schedules made elsewhere.
  double most_charge_mw(double state_mwh) const;
  double most_discharge_mw(double state_mwh) const;

  // Cells drawn upon, MWh: what `discharged_mwh` at the terminals costs the state.
  double drawn_mwh(double discharged_mwh) const { return discharged_mwh * out_; }
  double stored_mwh(double charged_mwh) const { return charged_mwh * in_; }
  // Full discharges of the usable capacity in that; 0 for a battery of none.
  double cycles(double discharged_mwh) const;

  // The constants of one step, for kernels.
  double charge_efficiency() const { return in_; }
  double discharge_efficiency() const { return out_; }
  double charge_limit_mw() const { return charge_limit_; }
  double discharge_limit_mw() const { return discharge_limit_; }
  double charge_hours() const { return charge_hours_; }        // η_c · Δ - upper_slope
  double discharge_hours() const { return discharge_hours_; }  // lower_slope + η_d · Δ

 private:
  double in_, out_;
  double empty_, full_;
  double charge_limit_, discharge_limit_;
  double step_hours_;
  double charge_hours_, discharge_hours_;
};

}  // namespace greenline::grid
