#include "grid/simulate.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "grid/intensity.hpp"
#include "io/file.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::grid {
namespace {

using testing::error_of;
namespace units = base::units;

// Two days: wind by night, sun by day, gas all the time.
class Simulate : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("greenline_simulate_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
    std::string text = "datetime_utc,WND,SUN,NG\n";
    for (int i = 0; i < 48; ++i) {
      const bool day = i % 24 >= 6 && i % 24 < 18;
      text += base::format_instant(base::advance(base::parse_instant("2021-05-01T00Z"),
                                                 1.0 * units::h, static_cast<std::size_t>(i)));
      text += day ? ",50,80,100\n" : ",200,0,100\n";
    }
    request_.grid.grid = (folder_ / "two_days.csv").string();
    io::write_file(request_.grid.grid, text);
    request_.load = 10.0 * units::MW;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
  SimulateRequest request_;
};

constexpr double kRounding = 1e-12;  // 48 additions

TEST_F(Simulate, WithoutRenewablesTheGridGivesAll) {
  const SimulateResult x = simulate(request_);
  EXPECT_EQ(x.balance.coverage(), 0);
  EXPECT_EQ(x.load_shape, "flat");
  EXPECT_NEAR(x.balance.grid_energy.in(units::MWh), 480, 480 * kRounding);
  EXPECT_NEAR(x.operational.nominal() / (x.balance.grid_energy * x.mean_intensity), 1, kRounding);
}

TEST_F(Simulate, WindFollowsItsShape) {
  request_.wind = 20.0 * units::MW;  // 20 MW by night, 5 MW by day
  const SimulateResult x = simulate(request_);
  EXPECT_NEAR(x.balance.coverage(), 0.5 + 0.5 * 0.5, kRounding);
  EXPECT_NEAR(x.balance.curtailed_energy.in(units::MWh), 24 * 10, 240 * kRounding);
  const double day =
      (50 * 11 + 80 * 41 + 100 * 490) / 230.0;  // g/kWh by day, when the grid is needed
  EXPECT_NEAR(x.operational.nominal().in(units::kgCO2e), 24 * 5 * day, 3e4 * kRounding);
  EXPECT_EQ(x.operational.nominal(), x.operational_hour_matched.nominal());
  ASSERT_EQ(x.months.size(), 1u);
  EXPECT_NEAR(x.months[0].coverage, 0.75, kRounding);
}

TEST_F(Simulate, CompatMultipliesMeans) {
  request_.wind = 20.0 * units::MW;
  request_.compat = Compat::carbon_explorer;
  const SimulateResult x = simulate(request_);
  EXPECT_EQ(x.load_shape, "carbon-explorer");
  EXPECT_EQ(x.operational.nominal(), x.operational_mean_intensity.nominal());
  EXPECT_NE(x.operational.nominal(), x.operational_hour_matched.nominal());
  request_.capacity_basis = CapacityBasis::p99_9;
  error_of<base::UserError>("compat-contradiction", [&] { simulate(request_); });
}

TEST_F(Simulate, CompatWithAnotherLoadSaysSo) {
  request_.compat = Compat::carbon_explorer;
  request_.load_shape = "flat";
  simulate(request_);
  bool said = false;
  for (const std::string& notice : request_.settings.journal->notices())
    said = said || notice.find("need its own load") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST_F(Simulate, LoadFileSetsTheHours) {
  const std::string path = (folder_ / "load.csv").string();
  io::write_file(path, "datetime_utc,load_mw\n2021-05-01T06Z,10\n2021-05-01T07Z,30\n");
  request_.load_shape = path;
  request_.load.reset();
  SimulateResult x = simulate(request_);
  EXPECT_EQ(x.load.size(), 2u);
  EXPECT_NEAR(x.balance.load_energy.in(units::MWh), 40, kRounding);
  EXPECT_EQ(x.intensity[0], x.grid.intensity.values[6]);
  request_.load = 10.0 * units::MW;
  EXPECT_NEAR(simulate(request_).balance.load_energy.in(units::MWh), 20, kRounding);
  io::write_file(path, "datetime_utc,load_mw\n2021-05-03T00Z,10\n");
  error_of<base::UserError>("grid-too-short", [&] { simulate(request_); });
}

TEST_F(Simulate, RefusesWhatItCannotDo) {
  request_.load_shape = "diurnall";
  EXPECT_TRUE(testing::contains(
      error_of<base::UserError>("unknown-load-shape", [&] { simulate(request_); }), "diurnal"));
  request_.load_shape = "";
  request_.load.reset();
  error_of<base::UserError>("missing-input", [&] { simulate(request_); });
  request_.load = 1.0 * units::MW;
  request_.wind = 1.0 * units::MW;
  for (const char* grid : {"USA", "380 g/kWh"}) {
    request_.grid.grid = grid;
    EXPECT_TRUE(testing::contains(
        error_of<base::UserError>("no-hourly-shape", [&] { simulate(request_); }), "WND"));
  }
}

TEST_F(Simulate, ProfileIsScaledByTheYearlyMaximum) {
  request_.grid.grid = "ERCO";
  request_.wind = 10.0 * units::MW;
  const SimulateResult x = simulate(request_);
  EXPECT_EQ(x.wind.size(), 8760u);
  // January, 00 UTC: the shipped share.
  EXPECT_NEAR(x.wind.values[0].in(units::MW), 3.48074, kRounding);
  request_.capacity_basis = CapacityBasis::p99_9;
  error_of<base::UserError>("no-single-hours", [&] { simulate(request_); });
}

TEST_F(Simulate, PercentileBasisGivesMoreThanTheMaximumBasis) {
  request_.wind = 10.0 * units::MW;
  const double by_maximum = simulate(request_).balance.coverage();
  request_.capacity_basis = CapacityBasis::p99_9;
  EXPECT_GE(simulate(request_).balance.coverage(), by_maximum);
}

TEST_F(Simulate, WeekStaysInsideShortWindows) {
  const SimulateResult x = simulate(request_);
  EXPECT_EQ(x.week_begin, 0u);
  EXPECT_EQ(x.week_end, 48u);
}

TEST_F(Simulate, IntensityGroupsHours) {
  const IntensityResult x = intensity({request_.settings, request_.grid});
  ASSERT_EQ(x.hours_of_day.size(), 24u);
  EXPECT_EQ(x.hours_of_day[0].num_hours, 2);
  EXPECT_EQ(x.hours_of_day[0].mean, x.grid.intensity.values[0]);
  ASSERT_EQ(x.months.size(), 1u);
  EXPECT_EQ(x.months[0].name, "2021-05");
  EXPECT_NEAR(x.months[0].mean / x.mean, 1, kRounding);
  EXPECT_EQ(x.min_time, base::parse_instant("2021-05-01T00Z"));
}

}  // namespace
}  // namespace greenline::grid
