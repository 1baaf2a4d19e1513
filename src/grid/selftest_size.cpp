#include "grid/selftest_size.hpp"

#include <algorithm>
#include <cmath>

#include "grid/site_of_grid.hpp"
#include "grid/size_beside.hpp"
#include "grid/size_sweep.hpp"

namespace greenline::grid {
namespace {

using base::CheckRow;
namespace units = base::units;

// References have three decimals of some 20 000 t, solved to 1e-7 by other solvers.
constexpr double kSolved = 1e-5;
// Those of BPAT mix 336 hours with the mean and the largest of 337.
constexpr double kMixed = 5e-4;
constexpr double kServerKgPerW = 744.5 / 120 * 1.15;

class Rows {
 public:
  explicit Rows(std::vector<CheckRow>& rows) : rows_(rows) {}
  void add(const char* table, const char* name, double expected, double got, const char* unit,
           double tolerance) {
    CheckRow row;
    row.table = table, row.name = name;
    row.expected = expected, row.got = got;
    row.unit = unit, row.tolerance = tolerance;
    row.source = "carbonexplorer2023";
    rows_.push_back(std::move(row));
  }

 private:
  std::vector<CheckRow>& rows_;
};

enum class Cells { linear, clc };

// The constants of the references: 3C, 3000 cycles at one a day, servers by the mean load.
SizeOptions reference(const SiteHours& site, Cells cells, double flexible = 0,
                      double server_kg_per_w = kServerKgPerW) {
  SizeOptions o;
  o.battery.charge_rate = o.battery.discharge_rate = 3;
  if (cells == Cells::linear) o.battery.upper_slope = o.battery.lower_slope = 0;
  EmbodiedFactors f;
  f.wind_g_per_kwh = 12, f.solar_g_per_kwh = 55;
  f.battery_kg_per_kwh = 74, f.battery_years = 3000.0 / 365;
  f.server_kg_per_w = server_kg_per_w, f.server_years = 4;
  o.embodied_kg_per_year = embodied_kg_per_year(f, site, ServerBasis::mean_load);
  if (flexible > 0) o.flexible = {{.share = flexible, .hours_later = {}}};
  return o;
}

double objective(const SizeAnswer& x) {
  return x.status == solve::Status::optimal ? x.objective : NAN;
}

// The largest hour of the window is full capacity.
void scale_to_window(std::vector<double>& share) {
  const double most = *std::max_element(share.begin(), share.end());
  for (double& x : share) x /= most > 0 ? most : 1;
}

void ciso_year(const SiteHours& site, Rows& rows) {
  constexpr const char* kTable = "Sizes, CISO 2021, 50 MW";
  const SizeAnswer linear = size(site, reference(site, Cells::linear));
  rows.add(kTable, "linear battery", 23375.210, objective(linear), "t/year", kSolved);
  const SizeOptions o = reference(site, Cells::clc);
  const SizeAnswer clc = size(site, o);
  rows.add(kTable, "C/L/C battery", 23376.376, objective(clc), "t/year", kSolved);
  rows.add(kTable, "flexible work of 40 %", 23141.321,
           objective(size(site, reference(site, Cells::clc, 0.4))), "t/year", kSolved);
  // From full, as the reference.
  SizeOptions full = reference(site, Cells::linear);
  full.boundary = Boundary::full;
  const Dispatch run = greedy(site, full, linear.design, {});
  rows.add(kTable, "greedy dispatch of the linear design", 24945.816,
           run.operational_kg / 1000 / site.years() + linear.embodied_t, "t/year", kSolved);
  const Replay replayed = replay(site, o, clc);
  rows.add(kTable, "replay of the C/L/C answer", objective(clc),
           replayed.dispatch.operational_kg / 1000 / site.years() + clc.embodied_t, "t/year", 1e-6);
  rows.add(kTable, "limits broken in the replay", 0,
           static_cast<double>(replayed.violations.size()), "", 0);
  rows.add(kTable, "its load and the largest deviation from a limit",
           *std::max_element(site.load_mw.begin(), site.load_mw.end()),
           *std::max_element(site.load_mw.begin(), site.load_mw.end()) + replayed.largest, "MW",
           1e-4);
}

void ciso_constant(SiteHours site, Rows& rows, base::Progress& progress) {
  constexpr const char* kTable = "Constant intensity, CISO 2021";
  std::fill(site.intensity_g_per_kwh.begin(), site.intensity_g_per_kwh.end(), 264.710407);
  const SizeOptions o = reference(site, Cells::clc);
  const SizeAnswer x = size(site, o);
  rows.add(kTable, "linear program", 23925.257, objective(x), "t/year", kSolved);
  SizeRules rules;
  const SweepPlan plan = sweep_plan(site, sweep_ranges(site, rules, o), o, 0, 4, progress);
  const Dispatch run = greedy(site, o, plan.design, {});
  const double embodied = yearly_embodied(o).of(plan.design, run.cycles / site.years());
  rows.add(kTable, "fine greedy sweep", objective(x),
           (run.operational_kg / site.years() + embodied) / 1000, "t/year", 1e-3);
}

void ciso_month(const SiteHours& year, Rows& rows) {
  constexpr const char* kTable = "Sizes, first 744 h of CISO 2021, 50 MW";
  SiteHours site = first_hours(year, 744);
  scale_to_window(site.wind_share), scale_to_window(site.solar_share);
  rows.add(kTable, "linear battery", 20916.678,
           objective(size(site, reference(site, Cells::linear))), "t/year", kSolved);
  rows.add(kTable, "flexible work of 40 %", 20666.733,
           objective(size(site, reference(site, Cells::clc, 0.4))), "t/year", kSolved);
  const SizeAnswer light = size(site, reference(site, Cells::clc, 0.4, kServerKgPerW / 1000));
  rows.add(kTable, "servers a thousandth (D1)", 18806.910, objective(light), "t/year", kSolved);
  rows.add(kTable, "and as many as are allowed", 1, light.design.extra_servers, "", 1e-6);
}

void bpat(const SiteHours& file, Rows& rows) {
  constexpr const char* kTable = "Sizes, BPAT 1-15 May 2021";
  constexpr double kMeanLoad = 70.036618, kMeanIntensity = 27.585381;  // of 337 hours
  SiteHours site = first_hours(file, 336);
  const auto kt_per_mw = [&](const SizeAnswer& x) { return objective(x) * 10 / 1000 / kMeanLoad; };
  const auto options = [&](double share) {
    return reference(site, Cells::clc, share, kServerKgPerW / 1000);
  };
  const std::vector<double> hourly = site.intensity_g_per_kwh;
  std::fill(site.intensity_g_per_kwh.begin(), site.intensity_g_per_kwh.end(), kMeanIntensity);
  SizeOptions o = options(0);
  o.battery_mwh.high = 0;
  rows.add(kTable, "wind and solar", 1.8301, kt_per_mw(size(site, o)), "kt/MW", kMixed);
  const SizeAnswer both = size(site, options(0.4));
  rows.add(kTable, "battery and flexible work", 1.7482, kt_per_mw(both), "kt/MW", kMixed);
  rows.add(kTable, "its battery", 0, both.design.battery.in(units::MWh), "MWh", 1e-6);
  site.intensity_g_per_kwh = hourly;
  rows.add(kTable, "matched by hour", 1.7766, kt_per_mw(size(site, options(0.4))), "kt/MW", kMixed);
}

}  // namespace

void add_size_rows(const SiteOfFile& site_of_file, std::vector<CheckRow>& rows,
                   base::Progress& progress) {
  Rows out(rows);
  progress.stage("linear programs", 4);
  if (const auto site = site_of_file("eia_bpat_2021-05-01_15_mwh.csv", 70)) bpat(*site, out);
  progress.advance();
  if (const auto site = site_of_file("eia_ciso_2021_mwh.csv", 50)) {
    ciso_month(*site, out), progress.advance();
    ciso_year(*site, out), progress.advance();
    ciso_constant(*site, out, progress);
  }
}

}  // namespace greenline::grid
