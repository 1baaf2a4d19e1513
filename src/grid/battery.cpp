#include "grid/battery.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;

constexpr int kMinutes = 60;

// Energy that leaves a store of `left` in sixty steps, when each takes the smaller of `most` and
// the share `falling` of what is left: the first steps take `most`, and from the first that takes
// less on, what is left shrinks by a constant factor.
double sixty_steps(double left, double most, double falling) {
  if (most <= 0 || left <= 0) return 0;
  const double margin = left - most / falling;  // what can go before the share is the smaller
  const double steps_at_most = margin < 0 ? 0 : std::min(std::floor(margin / most) + 1, 60.0);
  const double after = left - steps_at_most * most;
  const double end = after * std::pow(1 - falling, kMinutes - steps_at_most);
  return left - end;
}

void require(bool holds, const char* parameter, double value, const char* expected) {
  GL_USER_CHECK(holds, "bad-battery",
                fmt::format("battery: {} is {}, expected {}", parameter, value, expected));
}

}  // namespace

std::span<const base::EnumName> enum_names(BatteryStep) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(BatteryStep::hour), "hour", "limits at the end of each hour hold"},
      {static_cast<int>(BatteryStep::minute), "minute", "sixty steps an hour, as the paper"}};
  return kNames;
}

// Every comparison is false for NaN.
void check(const Battery& b) {
  const double mwh = b.capacity.in(units::MWh);
  require(mwh >= 0 && std::isfinite(mwh), "capacity in MWh", mwh, "a finite energy, at least 0");
  require(b.charge_rate > 0 && std::isfinite(b.charge_rate), "charge_rate", b.charge_rate,
          "full charges per hour above 0, such as 0.5");
  require(b.discharge_rate > 0 && std::isfinite(b.discharge_rate), "discharge_rate",
          b.discharge_rate, "full discharges per hour above 0, such as 0.5");
  require(b.charge_efficiency > 0 && b.charge_efficiency <= 1, "charge_efficiency",
          b.charge_efficiency, "stored energy per energy taken in: above 0, at most 1");
  require(b.discharge_efficiency >= 1 && std::isfinite(b.discharge_efficiency),
          "discharge_efficiency", b.discharge_efficiency,
          "energy drawn from the cells per energy delivered: at least 1 (1.04 loses 4 %)");
  require(b.upper_slope <= 0 && std::isfinite(b.upper_slope), "upper_slope", b.upper_slope,
          "hours of full power, at most 0");
  require(b.lower_slope >= 0 && std::isfinite(b.lower_slope), "lower_slope", b.lower_slope,
          "hours of full power, at least 0");
  require(b.lower >= 0 && b.lower < b.upper, "lower", b.lower,
          "a share of the capacity from 0 to below `upper`");
  require(b.upper <= 1, "upper", b.upper, "a share of the capacity, at most 1");
  require(b.depth_of_discharge > 0 && b.depth_of_discharge <= 1, "depth_of_discharge",
          b.depth_of_discharge, "a share of the capacity above 0, at most 1");
}

BatteryHour::BatteryHour(const Battery& battery, BatteryStep step)
    : in_(battery.charge_efficiency),
      out_(battery.discharge_efficiency),
      empty_(0),
      full_(0),
      charge_limit_(0),
      discharge_limit_(0),
      step_hours_(step == BatteryStep::hour ? 1.0 : 1.0 / kMinutes),
      charge_hours_(0),
      discharge_hours_(0) {
  check(battery);
  const double mwh = battery.capacity.in(units::MWh);
  full_ = battery.upper * mwh;
  empty_ = std::max(battery.lower, battery.upper - battery.depth_of_discharge) * mwh;
  charge_limit_ = battery.charge_rate * mwh / in_;
  discharge_limit_ = battery.discharge_rate * mwh / out_;
  charge_hours_ = in_ * step_hours_ - battery.upper_slope;
  discharge_hours_ = battery.lower_slope + out_ * step_hours_;
}

double BatteryHour::charge(double offered_mw, double& state_mwh) const {
  const double power = std::min(offered_mw, charge_limit_);
  const double room = full_ - state_mwh;
  if (step_hours_ == 1) {
    const double taken = std::max(0.0, std::min(power, room / charge_hours_));
    state_mwh += taken * in_;
    return taken;
  }
  const double step = in_ * step_hours_;  // stored per MW in a step
  const double stored = sixty_steps(room, power * step, step / charge_hours_);
  state_mwh += stored;
  return std::min(power, stored / in_);  // an hour of full power divides with a rounding
}

double BatteryHour::discharge(double wanted_mw, double& state_mwh) const {
  const double power = std::min(wanted_mw, discharge_limit_);
  const double content = state_mwh - empty_;
  if (step_hours_ == 1) {
    const double given = std::max(0.0, std::min(power, content / discharge_hours_));
    state_mwh -= given * out_;
    return given;
  }
  const double step = out_ * step_hours_;
  const double drawn = sixty_steps(content, power * step, step / discharge_hours_);
  state_mwh -= drawn;
  return std::min(power, drawn / out_);
}

double BatteryHour::most_charge_mw(double state_mwh) const {
  return charge(charge_limit_, state_mwh);
}

double BatteryHour::most_discharge_mw(double state_mwh) const {
  return discharge(discharge_limit_, state_mwh);
}

double BatteryHour::cycles(double discharged_mwh) const {
  return full_ > empty_ ? drawn_mwh(discharged_mwh) / (full_ - empty_) : 0;
}

}  // namespace greenline::grid
