#include "grid/dispatch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;

struct Net {
  std::vector<double> surplus, shortfall;  // (num_hours), one of them 0
};

Net net_of(std::span<const double> supply, std::span<const double> load, const Shift& shift) {
  Net net{std::vector<double>(load.size()), std::vector<double>(load.size())};
  for (std::size_t t = 0; t < load.size(); ++t) {
    const double x = supply[t] - (load[t] - shift.out_mw[t] + shift.in_mw[t]);
    net.surplus[t] = std::max(0.0, x);
    net.shortfall[t] = std::max(0.0, -x);
  }
  return net;
}

double end_state(const Net& net, const BatteryHour& battery, double state) {
  for (std::size_t t = 0; t < net.surplus.size(); ++t) {
    if (net.surplus[t] > 0) battery.charge(net.surplus[t], state);
    if (net.shortfall[t] > 0) battery.discharge(net.shortfall[t], state);
  }
  return state;
}

// The end state grows with the start state, and no faster: a year from full and one more mostly
// meet; where they do not, the largest start that is its own end is found by halving.
double cyclic_state(const Net& net, const BatteryHour& battery) {
  const double tolerance = 1e-12 * battery.full_mwh();
  double state = battery.full_mwh();
  for (int pass = 0; pass < 2; ++pass) {
    const double end = end_state(net, battery, state);
    if (state - end <= tolerance) return end;
    state = end;
  }
  double low = battery.empty_mwh(), high = state;
  while (high - low > tolerance) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (end_state(net, battery, middle) >= middle - tolerance / 4 ? low : high) = middle;
  }
  return low;
}

double initial_state(const Net& net, const BatteryHour& battery, const DispatchOptions& options) {
  if (options.start == Start::cyclic) return cyclic_state(net, battery);
  if (options.start == Start::full) return battery.full_mwh();
  const double mwh = options.initial.in(units::MWh);
  GL_USER_CHECK(mwh >= battery.empty_mwh() && mwh <= battery.full_mwh(), "bad-start",
                fmt::format("the battery starts with {} MWh, expected {} to {} MWh", mwh,
                            battery.empty_mwh(), battery.full_mwh()));
  return mwh;
}

// Charge, discharge and states over the hours of `net`, which keeps what is left.
void run_battery(Net& net, const BatteryHour& battery, const DispatchOptions& options,
                 Dispatch& out) {
  double state = out.schedule.initial_mwh = initial_state(net, battery, options);
  for (std::size_t t = 0; t < net.surplus.size(); ++t) {
    if (net.surplus[t] > 0) {
      out.schedule.charge_mw[t] = battery.charge(net.surplus[t], state);
      net.surplus[t] -= out.schedule.charge_mw[t];
    }
    if (net.shortfall[t] > 0) {
      out.schedule.discharge_mw[t] = battery.discharge(net.shortfall[t], state);
      net.shortfall[t] -= out.schedule.discharge_mw[t];
    }
    out.state_mwh[t] = state;
  }
}

double sum(std::span<const double> values) {
  double total = 0;
  for (const double v : values) total += v;
  return total;
}

}  // namespace

std::span<const base::EnumName> enum_names(Start) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Start::cyclic), "cyclic", "the battery starts as it ends"},
      {static_cast<int>(Start::full), "full", "the battery starts full, as in the release"},
      {static_cast<int>(Start::given), "given", "the battery starts with a given energy"}};
  return kNames;
}

std::span<const base::EnumName> enum_names(First) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(First::flexible), "flexible", "work moves first, without loss"},
      {static_cast<int>(First::battery), "battery",
       "the battery charges first, as in the release"}};
  return kNames;
}

void check(const Design& design) {
  const std::pair<const char*, double> sizes[] = {{"MW of wind", design.wind.in(units::MW)},
                                                  {"MW of solar", design.solar.in(units::MW)},
                                                  {"MWh of battery", design.battery.in(units::MWh)},
                                                  {"extra servers", design.extra_servers}};
  for (const auto& [name, size] : sizes)
    GL_USER_CHECK(size >= 0 && std::isfinite(size), "bad-design",
                  fmt::format("a design with {} {}, expected at least 0", size, name));
}

Battery sized(Battery battery, const Design& design) {
  battery.capacity = design.battery;
  return battery;
}

Dispatch idle(std::size_t num_hours) {
  Dispatch out;
  for (auto* hours : {&out.schedule.charge_mw, &out.schedule.discharge_mw, &out.schedule.out_mw,
                      &out.schedule.in_mw, &out.grid_mw, &out.curtailed_mw, &out.state_mwh})
    hours->assign(num_hours, 0.0);
  return out;
}

void add_totals(const SiteHours& site, const BatteryHour& battery, double idle_mw, Dispatch& out) {
  out.load_mwh = sum(site.load_mw) + idle_mw * static_cast<double>(site.num_hours());
  out.supply_mwh = sum(out.supply_mw);
  out.grid_mwh = sum(out.grid_mw);
  out.curtailed_mwh = sum(out.curtailed_mw);
  out.charged_mwh = sum(out.schedule.charge_mw);
  out.discharged_mwh = sum(out.schedule.discharge_mw);
  out.moved_mwh = sum(out.schedule.out_mw);
  for (std::size_t t = 0; t < out.grid_mw.size(); ++t)
    out.operational_kg += out.grid_mw[t] * site.intensity_g_per_kwh[t];  // MWh · g/kWh = kg
  out.cycles = battery.cycles(out.discharged_mwh);
}

std::vector<double> supply_mw(const SiteHours& site, const Design& design) {
  GL_CHECK_EQ(site.wind_share.size(), site.num_hours());
  GL_CHECK_EQ(site.solar_share.size(), site.num_hours());
  GL_CHECK_EQ(site.intensity_g_per_kwh.size(), site.num_hours());
  check(design);
  const double wind = design.wind.in(units::MW), solar = design.solar.in(units::MW);
  std::vector<double> supply(site.num_hours());
  for (std::size_t t = 0; t < supply.size(); ++t)
    supply[t] = wind * site.wind_share[t] + solar * site.solar_share[t];
  return supply;
}

double idle_mw(const SiteHours& site, const Design& design, double idle_share) {
  return idle_share * design.extra_servers * cap_mw(site.load_mw, {});
}

Dispatch dispatch(const SiteHours& site, const Design& design, const DispatchOptions& options) {
  check(design);
  const std::size_t n = site.num_hours();
  const BatteryHour battery(sized(options.battery, design), options.step);
  Dispatch out = idle(n);
  out.supply_mw = supply_mw(site, design);
  const double idle_power = idle_mw(site, design, options.idle_share);
  std::vector<double> usable = out.supply_mw;
  for (double& mw : usable) mw -= idle_power;
  const double cap = cap_mw(site.load_mw, {options.flexible_share, design.extra_servers});
  const auto shift = [&](std::span<const double> load, std::span<const double> supply) {
    return shift_to_surplus(load, supply, site.intensity_g_per_kwh, site.day_begin,
                            options.flexible_share, cap);
  };
  Shift moved{std::vector<double>(n), std::vector<double>(n), 0};
  const bool moves = options.flexible_share > 0;
  if (moves && options.first == First::flexible) moved = shift(site.load_mw, usable);
  Net net = net_of(usable, site.load_mw, moved);
  run_battery(net, battery, options, out);
  if (moves && options.first == First::battery) {
    // What the battery left: surplus above the load, and a supply that already holds its discharge.
    std::vector<double> left(n);
    for (std::size_t t = 0; t < n; ++t) {
      left[t] = usable[t] + out.schedule.discharge_mw[t] - out.schedule.charge_mw[t];
      if (options.charging_takes_all_surplus) left[t] = std::min(left[t], site.load_mw[t]);
    }
    moved = shift(site.load_mw, left);
    for (std::size_t t = 0; t < n; ++t) {
      net.surplus[t] -= std::min(net.surplus[t], moved.in_mw[t]);
      net.shortfall[t] -= std::min(net.shortfall[t], moved.out_mw[t]);
    }
  }
  out.schedule.out_mw = std::move(moved.out_mw);
  out.schedule.in_mw = std::move(moved.in_mw);
  out.grid_mw = std::move(net.shortfall);
  out.curtailed_mw = std::move(net.surplus);
  add_totals(site, battery, idle_power, out);
  return out;
}

}  // namespace greenline::grid
