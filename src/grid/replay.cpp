#include "grid/replay.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace greenline::grid {
namespace {

// Collects what a schedule breaks.
class Limits {
 public:
  Limits(Replay& replay, double tolerance) : replay_(replay), tolerance_(tolerance) {}
  // `excess` above 0 breaks the limit; NaN does too.
  void hold(const char* limit, std::size_t hour, double excess) {
    if (excess <= 0) return;
    replay_.largest = std::max(replay_.largest, excess);
    if (!(excess <= tolerance_)) replay_.violations.push_back({limit, hour, excess});
  }

 private:
  Replay& replay_;
  double tolerance_;
};

// The battery's own limits in one hour; moves the state on. The limits near full and near empty
// are those of its hour: b ≤ full + upper_slope · c and b ≥ empty + lower_slope · d at its end.
void replay_battery(const BatteryHour& battery, const Battery& parameters, double charge,
                    double discharge, std::size_t hour, double& state, Limits& limits) {
  limits.hold("charge at least 0", hour, -charge);
  limits.hold("discharge at least 0", hour, -discharge);
  limits.hold("charge", hour, charge - battery.charge_limit_mw());
  limits.hold("discharge", hour, discharge - battery.discharge_limit_mw());
  limits.hold("charge or discharge", hour, std::min(charge, discharge));
  state += battery.stored_mwh(charge) - battery.drawn_mwh(discharge);
  limits.hold("full", hour, state - (battery.full_mwh() + parameters.upper_slope * charge));
  limits.hold("empty", hour, battery.empty_mwh() + parameters.lower_slope * discharge - state);
}

void check_schedule(const Schedule& schedule, std::size_t n) {
  for (const auto* hours :
       {&schedule.charge_mw, &schedule.discharge_mw, &schedule.out_mw, &schedule.in_mw})
    GL_CHECK_EQ(hours->size(), n);
}

}  // namespace

Replay replay(const SiteHours& site, const Design& design, const Schedule& schedule,
              const ReplayOptions& options) {
  const std::size_t n = site.num_hours();
  check(design);
  check_schedule(schedule, n);
  const Battery parameters = sized(options.battery, design);
  const BatteryHour battery(parameters);
  const double cap = cap_mw(site.load_mw, {options.flexible_share, design.extra_servers});
  const double idle_power = idle_mw(site, design, options.idle_share);
  Replay out;
  Dispatch& run = out.dispatch = idle(n);
  run.supply_mw = supply_mw(site, design);
  run.schedule = schedule;
  Limits limits(out, options.tolerance * cap_mw(site.load_mw, {}));
  double state = schedule.initial_mwh;
  limits.hold("initial state", 0,
              std::max(state - battery.full_mwh(), battery.empty_mwh() - state));
  for (std::size_t t = 0; t < n; ++t) {
    const double charge = schedule.charge_mw[t], discharge = schedule.discharge_mw[t];
    const double leaves = schedule.out_mw[t], enters = schedule.in_mw[t];
    replay_battery(battery, parameters, charge, discharge, t, state, limits);
    limits.hold("charge from wind and solar", t, charge - run.supply_mw[t]);
    limits.hold("out at least 0", t, -leaves);
    limits.hold("in at least 0", t, -enters);
    limits.hold("out", t, leaves - options.flexible_share * site.load_mw[t]);
    const double load = site.load_mw[t] - leaves + enters;
    limits.hold("cap", t, load - cap);
    const double net = run.supply_mw[t] + discharge - charge - load - idle_power;
    run.grid_mw[t] = std::max(0.0, -net);
    run.curtailed_mw[t] = std::max(0.0, net);
    run.state_mwh[t] = state;
  }
  for (std::size_t day = 0; options.whole_days && day + 1 < site.day_begin.size(); ++day) {
    double balance = 0;
    for (std::size_t t = site.day_begin[day]; t < site.day_begin[day + 1]; ++t)
      balance += schedule.out_mw[t] - schedule.in_mw[t];
    limits.hold("day", site.day_begin[day], std::abs(balance));
  }
  if (options.cyclic && n > 0) limits.hold("cyclic", n - 1, std::abs(state - schedule.initial_mwh));
  add_totals(site, battery, idle_power, run);
  return out;
}

}  // namespace greenline::grid
