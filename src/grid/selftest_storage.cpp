#include "grid/selftest_storage.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "grid/around_the_clock.hpp"
#include "grid/carbon_explorer.hpp"
#include "grid/site_of_grid.hpp"
#include "grid/sweep.hpp"

namespace greenline::grid {
namespace {

using base::CheckRow;
namespace units = base::units;

// The references are printed with so many decimals: half of the last one, and rounding.
constexpr double kFourDecimals = 5.1e-5, kSixDecimals = 5.1e-7, kNineDecimals = 5.1e-10;

// Adds rows of one table.
class Table {
 public:
  Table(std::vector<CheckRow>& rows, std::string table, std::string unit)
      : rows_(rows), table_(std::move(table)), unit_(std::move(unit)) {}

  void add(std::string component, std::string name, double expected, double got, double absolute) {
    CheckRow row;
    row.table = table_;
    row.component = std::move(component);
    row.name = std::move(name);
    row.expected = expected;
    row.got = got;
    row.unit = unit_;
    row.tolerance = absolute;
    row.relative = false;
    row.source = "carbonexplorer2023";
    rows_.push_back(std::move(row));
  }

 private:
  std::vector<CheckRow>& rows_;
  std::string table_, unit_;
};

Design design_of(double wind_mw, double battery_mwh = 0, double extra_servers = 0) {
  return {wind_mw * units::MW, {}, battery_mwh * units::MWh, extra_servers};
}

// Six hours by hand: 10 MW against 14, 20, 6, 0, 12 and 5 MW from 1 MW of "wind".
SiteHours six_hours() {
  SiteHours site;
  site.load_mw.assign(6, 10.0);
  site.wind_share = {14, 20, 6, 0, 12, 5};
  site.solar_share.assign(6, 0.0);
  site.intensity_g_per_kwh.assign(6, 100.0);
  site.day_begin = blocks_of(6);
  return site;
}

DispatchOptions as_released() {
  DispatchOptions options;
  options.battery = published_battery();
  options.step = BatteryStep::minute;
  options.start = Start::full;
  return options;
}

// E2 and E3.
void battery_rows(std::vector<CheckRow>& rows) {
  Table grid(rows, "Battery of six hours", "MWh");
  const std::pair<double, double> of_battery[] = {
      {0, 19}, {4, 13.288461538}, {10, 7.519230769}, {20, 0}};
  for (const auto& [mwh, expected] : of_battery)
    grid.add("E2 by minutes", fmt::format("from the grid beside {} MWh", mwh), expected,
             dispatch(six_hours(), design_of(1, mwh), as_released()).grid_mwh, kNineDecimals);
  Battery cells = published_battery();
  cells.capacity = 10.0 * units::MWh;
  const BatteryHour hourly(cells), by_minutes(cells, BatteryStep::minute);
  Table state(rows, "Battery of 10 MWh at 4 MW", "MWh");
  double charged = 0, left = 10, full = 0;
  int hour = 0;
  for (const double expected : {3.88, 7.76, 9.911287129, 9.996486619}) {
    hourly.charge(4, charged);
    state.add("E3 charge by hours", fmt::format("state after hour {}", ++hour), expected, charged,
              kNineDecimals);
  }
  hour = 0;
  for (const double expected : {5.84, 1.68, 0.016, 0.000152381}) {
    hourly.discharge(4, left);
    state.add("E3 discharge by hours", fmt::format("state after hour {}", ++hour), expected, left,
              kNineDecimals);
  }
  for (hour = 0; hour < 4; ++hour) by_minutes.charge(4, full);
  state.add("E3 charge by minutes", "state after 4 hours", 10, full, 5.1e-7);
}

// E4.
void around_the_clock_rows(std::vector<CheckRow>& rows) {
  struct Row {
    double factor, lossless, published;
  };
  constexpr Row kRows[] = {
      {1, 17, 17.8833}, {1.2, 12.8, 13.3667}, {1.5, 11, 11.5356}, {2, 10, 10.5591}};
  Table table(rows, "Battery for every hour", "MWh");
  const SiteHours site = six_hours();
  for (const Row& row : kRows) {
    std::vector<double> supply = site.wind_share;
    for (double& mw : supply) mw *= row.factor;
    const std::string name = fmt::format("six hours, supply x {}", row.factor);
    table.add("E4 lossless", name, row.lossless,
              lossless_around_the_clock(site.load_mw, supply).in(units::MWh), 1e-9);
    const auto published =
        published_around_the_clock(site.load_mw, supply, published_battery(), 1000.0 * units::MWh);
    table.add("E4 compat", name, row.published, published ? published->in(units::MWh) : NAN,
              kFourDecimals);
    // Theirs stops within 0.1 MWh.
    table.add("E4 exact", name, row.published,
              around_the_clock(site.load_mw, supply, published_battery(), BatteryStep::minute)
                  .in(units::MWh),
              0.1);
  }
}

struct ShiftAnswer {
  double share, cap, published, right;
};

// E5: a day of sun against 10 MW.
void surplus_rows(std::vector<CheckRow>& rows) {
  constexpr ShiftAnswer kAnswers[] = {{0.1, 12, 49.517063, 49.142063},
                                      {0.4, 12, 50.392063, 50.392063},
                                      {0.4, 20, 68.500000, 67.500000},
                                      {1.0, 30, 79.122439, 79.122439}};
  std::vector<double> sun;
  for (int h = 0; h < 24; ++h)
    sun.push_back(25 * std::max(0.0, std::sin((h - 6) * std::numbers::pi / 12)));
  const std::vector<double> load(24, 10.0), same(24, 1.0);
  const auto coverage = [&](const Shift& shift) {
    double grid = 0;
    for (std::size_t t = 0; t < 24; ++t)
      grid += std::max(0.0, load[t] - shift.out_mw[t] + shift.in_mw[t] - sun[t]);
    return 1 - grid / 240;
  };
  Table table(rows, "Flexible work onto surplus", "");
  for (const ShiftAnswer& a : kAnswers) {
    const std::string name = fmt::format("{:.0f} % flexible, cap {} MW", 100 * a.share, a.cap);
    table.add("E5", name, a.right / 100,
              coverage(shift_to_surplus(load, sun, same, blocks_of(24), a.share, a.cap)),
              kSixDecimals / 100);
    table.add("E5 compat", name, a.published / 100,
              coverage(published_shift_to_surplus(load, sun, a.share, a.cap)), kSixDecimals / 100);
  }
}

// E6: a day of the grid.
void clean_hours_rows(std::vector<CheckRow>& rows) {
  constexpr ShiftAnswer kAnswers[] = {{0.1, 11, 70390.849177, 70480.849177},
                                      {0.4, 15, 64971.504344, 65241.467012},
                                      {1.0, 30, 52265.651932, 52265.651932}};
  std::vector<double> intensity;
  for (int h = 0; h < 24; ++h)
    intensity.push_back(300 + 100 * std::cos((h - 19) * 2 * std::numbers::pi / 24));
  const std::vector<double> load(24, 10.0);
  const auto carbon = [&](const Shift& shift) {
    double kg = 0;
    for (std::size_t t = 0; t < 24; ++t)
      kg += (load[t] - shift.out_mw[t] + shift.in_mw[t]) * intensity[t];
    return kg;
  };
  Table table(rows, "Flexible work onto clean hours", "kgCO2e");
  for (const ShiftAnswer& a : kAnswers) {
    const std::string name = fmt::format("{:.0f} % flexible, cap {} MW", 100 * a.share, a.cap);
    table.add("E6", name, a.right,
              carbon(shift_to_clean_hours(load, intensity, blocks_of(24), a.share, a.cap)),
              kSixDecimals);
    table.add("E6 compat", name, a.published,
              carbon(published_shift_to_clean_hours(load, intensity, a.share, a.cap)),
              kSixDecimals);
  }
}

// E7: indices 0, 4, 3 of the five points.
void pareto_rows(std::vector<CheckRow>& rows) {
  const std::vector<double> x = {1, 2, 3, 4, 2}, y = {10, 6, 7, 3, 5};
  const std::vector<std::size_t> front = pareto_front(x, y);
  constexpr double kX[] = {1, 2, 4}, kY[] = {10, 5, 3};
  Table table(rows, "Pareto front of five points", "");
  table.add("E7", "points on it", 3, static_cast<double>(front.size()), 0);
  for (std::size_t i = 0; i < std::min<std::size_t>(3, front.size()); ++i) {
    table.add("E7", fmt::format("x of point {}", i + 1), kX[i], x[front[i]], 0);
    table.add("E7", fmt::format("y of point {}", i + 1), kY[i], y[front[i]], 0);
  }
}

// What the authors printed for two weeks of BPAT.
void printed_rows(const SiteHours& site, std::vector<CheckRow>& rows) {
  struct Row {
    double wind, extra, kt, percent;
  };
  constexpr Row kRows[] = {{50, 0, 2.0710, 25.3163},    {100, 0, 1.8225, 46.6229},
                           {150, 0, 1.8822, 55.1720},   {200, 0, 2.0264, 60.2293},
                           {100, 0.5, 1.7963, 48.0757}, {150, 0.5, 1.7780, 59.8544},
                           {150, 0.7, 1.7765, 60.0628}, {200, 0.6, 1.9324, 64.5616}};
  const auto of = [&](const Design& design, Strategy strategy, const PublishedRules& rules = {}) {
    return published_footprint(site, design, strategy, 0.4, published_battery(), rules);
  };
  Table coverage(rows, "BPAT in May 2021: coverage", "");
  Table kt(rows, "BPAT in May 2021: ten years", "kt/MW");
  for (const Row& row : kRows) {
    const std::string name =
        fmt::format("{} MW wind, {:.0f} % more servers", row.wind, 100 * row.extra);
    const PublishedFootprint x = of(design_of(row.wind, 0, row.extra), Strategy::flexible);
    coverage.add("flexible work, compat", name, row.percent / 100, x.coverage, kFourDecimals / 100);
    kt.add("flexible work, compat", name, row.kt, x.kt_per_mw(), kFourDecimals);
  }
  kt.add("wind, compat", "100 MW wind", 1.8355,
         of(design_of(100), Strategy::renewables).kt_per_mw(), kFourDecimals);
  coverage.add("battery, compat", "150 MW wind, 300 MWh", 0.59464036,
               of(design_of(150, 300), Strategy::battery).coverage, 5.1e-9);
  coverage.add("D2 compat", "100 MW wind, 0 MWh, flexible work", 0.461815,
               of(design_of(100), Strategy::battery_and_flexible).coverage, kSixDecimals);
  PublishedRules mended;
  mended.charging_takes_all_surplus = false;
  coverage.add("D2 mended", "100 MW wind, 0 MWh, flexible work", 0.466229,
               of(design_of(100), Strategy::battery_and_flexible, mended).coverage, kSixDecimals);
  Table battery(rows, "Battery for every hour", "MWh");
  battery.add(
      "lossless", "BPAT in May 2021, 500 MW wind", 4172.330197,
      lossless_around_the_clock(site.load_mw, supply_mw(site, design_of(500))).in(units::MWh),
      kSixDecimals);
}

}  // namespace

void add_storage_rows(const SiteOfFile& site_of_file, std::vector<CheckRow>& rows) {
  battery_rows(rows);
  around_the_clock_rows(rows);
  surplus_rows(rows);
  clean_hours_rows(rows);
  pareto_rows(rows);
  if (const auto site = site_of_file("eia_bpat_2021-05-01_15_mwh.csv", 70))
    printed_rows(*site, rows);
  if (const auto site = site_of_file("eia_ciso_2021_mwh.csv", 50)) {
    Table table(rows, "CISO in January 2021", "MWh");
    table.add("E9 by minutes", "from the grid beside 150 MW wind, 200 MWh", 16381.608093,
              dispatch(first_hours(*site, 744), design_of(150, 200), as_released()).grid_mwh,
              kSixDecimals);
  }
}

}  // namespace greenline::grid
