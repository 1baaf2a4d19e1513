// The linear programs of Carbon Explorer's question that were solved elsewhere (HiGHS in SciPy,
// CLP, GLPK): real hours of 2021, the release's constants.
#include <algorithm>

#include <gtest/gtest.h>

#include "footprint/grid_hours.hpp"
#include "grid/load.hpp"
#include "grid/size_lp.hpp"
#include "shared_data.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;

// References are printed with three decimals of about 20 000 t, solved to 1e-7 by another simplex
// with another scaling.
constexpr double kRelative = 1e-5;
// Sizes are flat directions of the optimum: 1e-5 of the objective moves them by more.
constexpr double kSizes = 1e-3;

enum class LoadKind { flat, release };

SiteHours first_hours(const std::string& file, LoadKind kind, double mw, std::size_t n,
                      std::size_t load_hours = 0) {
  const base::Settings settings;
  const footprint::GridHours grid =
      footprint::load_grid({.grid = file}, catalog::Catalog(settings), settings);
  SiteHours site;
  site.start = grid.intensity.start;
  if (n == 0) n = grid.intensity.size();
  const LoadSeries load =
      kind == LoadKind::flat
          ? flat_load(mw * units::MW, site.start, n)
          : carbon_explorer_load(mw * units::MW, site.start, load_hours > 0 ? load_hours : n);
  double wind = 0, solar = 0;  // the largest of the window is the capacity
  for (std::size_t t = 0; t < n; ++t) {
    wind = std::max(wind, grid.wind.values[t].in(units::MW));
    solar = std::max(solar, grid.solar.values[t].in(units::MW));
  }
  for (std::size_t t = 0; t < n; ++t) {
    site.load_mw.push_back(load.values[t].in(units::MW));
    site.wind_share.push_back(grid.wind.values[t].in(units::MW) / wind);
    site.solar_share.push_back(grid.solar.values[t].in(units::MW) / solar);
    site.intensity_g_per_kwh.push_back(grid.intensity.values[t].in(units::g_per_kWh));
    if (t % 24 == 0) site.day_begin.push_back(t);
  }
  site.day_begin.push_back(n);
  return site;
}

constexpr double kCpuServer = 7.1348;  // kg/W: 744.5 kg of 120 W and 15 % around it

SizeOptions release(const SiteHours& site, bool linear = false,
                    double server_kg_per_w = kCpuServer) {
  SizeOptions o;
  o.battery.charge_rate = o.battery.discharge_rate = 3;
  if (linear) o.battery.upper_slope = o.battery.lower_slope = 0;
  EmbodiedFactors f;
  f.wind_g_per_kwh = 12, f.solar_g_per_kwh = 55;
  f.battery_kg_per_kwh = 74, f.battery_years = 3000.0 / 365;
  f.server_kg_per_w = server_kg_per_w, f.server_years = 4;
  o.embodied_kg_per_year = embodied_kg_per_year(f, site, ServerBasis::mean_load);
  return o;
}

void expect_optimal(const SizeAnswer& x, double t_per_year, double relative = kRelative) {
  ASSERT_EQ(x.status, solve::Status::optimal)
      << "primal " << x.residuals.primal_relative << " dual " << x.residuals.dual_relative
      << " gap " << x.residuals.gap_relative << " iterations " << x.iterations;
  EXPECT_NEAR(x.objective / t_per_year, 1, relative);
  EXPECT_NEAR((x.operational_t + x.embodied_t) / x.objective, 1, 1e-7);  // two ways to add it up
  EXPECT_TRUE(x.residuals.small());
}

std::string ciso(const std::string& shared) { return shared + "/data/grid/eia_ciso_2021_mwh.csv"; }

TEST(SizeReference, CisoYearLinearBattery) {
  GL_SHARED_OR_SKIP(shared);
  const SiteHours site = first_hours(ciso(shared), LoadKind::release, 50, 0);
  const SizeAnswer x = size(site, release(site, true));
  expect_optimal(x, 23375.210);
  EXPECT_NEAR(x.design.wind.in(units::MW) / 318.127, 1, kSizes);
  EXPECT_NEAR(x.design.battery.in(units::MWh) / 351.680, 1, kSizes);
  EXPECT_NEAR(x.coverage, .93090, 1e-4);
  EXPECT_NEAR(x.operational_t / 7256.96, 1, kSizes);
  EXPECT_NEAR(x.embodied_t / 16118.25, 1, kSizes);
}

TEST(SizeReference, CisoYearBattery) {
  GL_SHARED_OR_SKIP(shared);
  const SiteHours site = first_hours(ciso(shared), LoadKind::release, 50, 0);
  const SizeAnswer x = size(site, release(site));
  expect_optimal(x, 23376.376);
  EXPECT_NEAR(x.coverage, .93111, 1e-4);
}

TEST(SizeReference, CisoYearFlatLoad) {
  GL_SHARED_OR_SKIP(shared);
  const SiteHours site = first_hours(ciso(shared), LoadKind::flat, 50, 0);
  const SizeAnswer x = size(site, release(site));
  expect_optimal(x, 23386.250);
  EXPECT_NEAR(x.design.wind.in(units::MW) / 320.930, 1, kSizes);
  EXPECT_NEAR(x.design.battery.in(units::MWh) / 342.981, 1, kSizes);
  EXPECT_NEAR(x.coverage, .931395, 1e-4);
  expect_optimal(size(site, release(site, true)), 23385.149);
}

TEST(SizeReference, CisoYearConstantIntensity) {
  GL_SHARED_OR_SKIP(shared);
  SiteHours site = first_hours(ciso(shared), LoadKind::release, 50, 0);
  std::fill(site.intensity_g_per_kwh.begin(), site.intensity_g_per_kwh.end(), 264.710407);
  const SizeAnswer x = size(site, release(site));
  expect_optimal(x, 23925.257);
  EXPECT_NEAR(x.coverage, .92573, 1e-4);
}

TEST(SizeReference, CisoYearFlexibleWork) {
  GL_SHARED_OR_SKIP(shared);
  const SiteHours site = first_hours(ciso(shared), LoadKind::release, 50, 0);
  SizeOptions o = release(site);
  o.flexible = {{.share = 0.4, .hours_later = {}}};
  const SizeAnswer x = size(site, o);
  expect_optimal(x, 23141.321);
  EXPECT_NEAR(x.design.extra_servers, 0, 1e-9);
  EXPECT_NEAR(x.coverage, .93183, 1e-4);
}

TEST(SizeReference, CisoFirst744Hours) {
  GL_SHARED_OR_SKIP(shared);
  const SiteHours site = first_hours(ciso(shared), LoadKind::release, 50, 744);
  const SizeAnswer x = size(site, release(site, true));
  expect_optimal(x, 20916.678);
  EXPECT_NEAR(x.design.wind.in(units::MW) / 463.301, 1, kSizes);
  EXPECT_NEAR(x.design.battery.in(units::MWh) / 325.907, 1, kSizes);
  EXPECT_NEAR(x.coverage, .95740, 1e-4);
  SizeOptions o = release(site);
  o.flexible = {{.share = 0.4, .hours_later = {}}};
  expect_optimal(size(site, o), 20666.733);
  // Servers a thousand times too light, as the release counts them: as many as are allowed.
  o = release(site, false, kCpuServer / 1000);
  o.flexible = {{.share = 0.4, .hours_later = {}}};
  const SizeAnswer light = size(site, o);
  expect_optimal(light, 18806.910);
  EXPECT_NEAR(light.design.extra_servers, 1, 1e-6);
}

// The references mix 336 hours with the mean and the largest of 337: equal to 5e-4 and no more.
TEST(SizeReference, BpatTwoWeeks) {
  GL_SHARED_OR_SKIP(shared);
  const std::string file = shared + "/data/grid/eia_bpat_2021-05-01_15_mwh.csv";
  SiteHours site = first_hours(file, LoadKind::release, 70, 336, 337);
  const double mean_load_mw = 70.036618;
  const auto kt_per_mw = [&](const SizeAnswer& x) {
    return x.objective * 10 / 1000 / mean_load_mw;
  };
  const auto options = [&](double share) {
    SizeOptions o = release(site, false, kCpuServer / 1000);
    if (share > 0) o.flexible = {{.share = share, .hours_later = {}}};
    return o;
  };
  const std::vector<double> hourly = site.intensity_g_per_kwh;
  std::fill(site.intensity_g_per_kwh.begin(), site.intensity_g_per_kwh.end(), 27.585381);
  SizeOptions o = options(0);
  o.battery_mwh.high = 0;
  SizeAnswer x = size(site, o);
  constexpr double kMixed = 5e-4;
  EXPECT_NEAR(kt_per_mw(x) / 1.8301, 1, kMixed);
  EXPECT_NEAR(x.design.wind.in(units::MW) / 107.52, 1, 2e-3);
  x = size(site, options(0.4));
  EXPECT_NEAR(kt_per_mw(x) / 1.7482, 1, kMixed);
  EXPECT_NEAR(x.design.battery.in(units::MWh), 0, 1e-6);
  EXPECT_NEAR(x.coverage, .57953, 1e-3);
  site.intensity_g_per_kwh = hourly;
  EXPECT_NEAR(kt_per_mw(size(site, options(0.4))) / 1.7766, 1, kMixed);
}

}  // namespace
}  // namespace greenline::grid
