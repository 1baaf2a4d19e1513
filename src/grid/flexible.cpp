#include "grid/flexible.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::grid {
namespace {

double highest(std::span<const double> load) {
  return load.empty() ? 0 : *std::max_element(load.begin(), load.end());
}

void check_shift(std::span<const double> load, std::span<const double> other,
                 std::span<const double> intensity, std::span<const std::size_t> day_begin,
                 double share, double cap) {
  GL_CHECK_EQ(load.size(), other.size());
  GL_CHECK_EQ(load.size(), intensity.size());
  GL_CHECK_LT(std::size_t{0}, day_begin.size());
  GL_CHECK_EQ(day_begin.front(), std::size_t{0});
  GL_CHECK_EQ(day_begin.back(), load.size());
  GL_USER_CHECK(share >= 0 && share <= 1, "bad-flexible",
                fmt::format("flexible work: a share of {} of the load, expected 0 to 1", share));
  GL_USER_CHECK(cap >= highest(load), "bad-flexible",
                fmt::format("flexible work: at most {} MW may run, but the load reaches {} MW", cap,
                            highest(load)));
}

// Hours of a day, the highest intensity first; equal ones in the order of time.
std::vector<std::size_t> dirtiest_first(std::span<const double> intensity, std::size_t begin,
                                        std::size_t end) {
  std::vector<std::size_t> order(end - begin);
  std::iota(order.begin(), order.end(), begin);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return intensity[a] > intensity[b]; });
  return order;
}

}  // namespace

std::vector<std::size_t> blocks_of(std::size_t num_hours, std::size_t hours) {
  std::vector<std::size_t> bounds{0};
  for (std::size_t t = hours; t < num_hours; t += hours) bounds.push_back(t);
  if (num_hours > 0) bounds.push_back(num_hours);
  return bounds;
}

double cap_mw(std::span<const double> load_mw, const Flexible& flexible) {
  GL_USER_CHECK(
      flexible.share >= 0 && flexible.share <= 1, "bad-flexible",
      fmt::format("flexible work: a share of {} of the load, expected 0 to 1", flexible.share));
  GL_USER_CHECK(flexible.extra_servers >= 0 && std::isfinite(flexible.extra_servers),
                "bad-flexible",
                fmt::format("extra servers: {} of those that the load needs, expected at least 0",
                            flexible.extra_servers));
  return (1 + flexible.extra_servers) * highest(load_mw);
}

Shift shift_to_surplus(std::span<const double> load_mw, std::span<const double> supply_mw,
                       std::span<const double> intensity_g_per_kwh,
                       std::span<const std::size_t> day_begin, double share, double cap) {
  check_shift(load_mw, supply_mw, intensity_g_per_kwh, day_begin, share, cap);
  Shift shift{std::vector<double>(load_mw.size()), std::vector<double>(load_mw.size()), 0};
  for (std::size_t day = 0; day + 1 < day_begin.size(); ++day) {
    const std::size_t begin = day_begin[day], end = day_begin[day + 1];
    double leaving = 0, room = 0;
    for (std::size_t t = begin; t < end; ++t) {
      shift.out_mw[t] = std::min(std::max(0.0, load_mw[t] - supply_mw[t]), share * load_mw[t]);
      shift.in_mw[t] = std::max(0.0, std::min(supply_mw[t] - load_mw[t], cap - load_mw[t]));
      leaving += shift.out_mw[t];
      room += shift.in_mw[t];
    }
    const double moved = std::min(leaving, room);
    shift.moved_mwh += moved;
    const double filled = room > 0 ? moved / room : 0;
    for (std::size_t t = begin; t < end; ++t) shift.in_mw[t] *= filled;
    if (leaving <= room) continue;
    double left = moved;
    for (const std::size_t t : dirtiest_first(intensity_g_per_kwh, begin, end)) {
      shift.out_mw[t] = std::min(shift.out_mw[t], left);
      left -= shift.out_mw[t];
    }
  }
  return shift;
}

Shift shift_to_clean_hours(std::span<const double> load_mw,
                           std::span<const double> intensity_g_per_kwh,
                           std::span<const std::size_t> day_begin, double share, double cap) {
  check_shift(load_mw, load_mw, intensity_g_per_kwh, day_begin, share, cap);
  Shift shift{std::vector<double>(load_mw.size()), std::vector<double>(load_mw.size()), 0};
  for (std::size_t day = 0; day + 1 < day_begin.size(); ++day) {
    const std::vector<std::size_t> order =
        dirtiest_first(intensity_g_per_kwh, day_begin[day], day_begin[day + 1]);
    // Two fingers meet between the dirtiest hours, which give, and the cleanest, which take.
    std::size_t donor = 0, taker = order.size();
    while (donor + 1 < taker) {
      const std::size_t from = order[donor], to = order[taker - 1];
      if (!(intensity_g_per_kwh[from] > intensity_g_per_kwh[to])) break;
      const double give = share * load_mw[from] - shift.out_mw[from];
      const double take = cap - load_mw[to] - shift.in_mw[to];
      const double moved = std::min(give, take);
      shift.out_mw[from] += moved;
      shift.in_mw[to] += moved;
      shift.moved_mwh += moved;
      if (give <= take) ++donor;
      if (take <= give) --taker;
    }
  }
  return shift;
}

}  // namespace greenline::grid
