#include "grid/load.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "io/file.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;

const base::Instant kMay = base::parse_instant("2021-05-01T00Z");

class LoadFile : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::temp_directory_path() /
            ("greenline_load_" +
             std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + ".csv");
  }
  void TearDown() override { std::filesystem::remove(path_); }

  LoadSeries read(const std::string& text) {
    io::write_file(path_.string(), text);
    base::Journal journal;
    return read_load(path_.string(), journal);
  }

  std::filesystem::path path_;
};

TEST(Load, CarbonExplorerIsASineRolledBySixHours) {
  const LoadSeries load = carbon_explorer_load(70.0 * units::MW, kMay, 337);
  EXPECT_DOUBLE_EQ(load.values[6].in(units::MW), 70);
  EXPECT_DOUBLE_EQ(load.values[10].in(units::MW), 70 + 70 * 0.025 * std::sin(1.0));
  EXPECT_DOUBLE_EQ(load.values[0].in(units::MW), 70 + 70 * 0.025 * std::sin(331 / 4.0));
  // The release prints mean 70.036618 and maximum 71.749996 for 337 hours; six decimals of a MW.
  EXPECT_NEAR(mean_of(load).in(units::MW), 70.036618, 5e-7);
  EXPECT_NEAR(std::max_element(load.values.begin(), load.values.end())->in(units::MW), 71.749996,
              5e-7);
}

TEST(Load, DiurnalPeaksAtTheLocalHour) {
  const LoadSeries load =
      diurnal_load(100.0 * units::MW, {0.05, 15.0 * units::h, "America/Chicago"}, kMay, 24);
  const auto highest = std::max_element(load.values.begin(), load.values.end());
  // In May Chicago is UTC-5: the hours from 14:00 and 15:00 local, 19 and 20 UTC, lie equally near
  // to the peak.
  EXPECT_TRUE(highest - load.values.begin() == 19 || highest - load.values.begin() == 20);
  EXPECT_NEAR(highest->in(units::MW), 100 + 2.5 * std::cos(0.5 * 2 * M_PI / 24), 1e-12);
  EXPECT_NEAR(mean_of(load).in(units::MW), 100, 1e-12);  // a whole period
}

TEST_F(LoadFile, ReadsUnitsAndTimes) {
  const LoadSeries load = read("datetime_utc,load_kw\n2021-05-01T00Z,500\n2021-05-01T01Z,700\n");
  EXPECT_EQ(load.start, kMay);
  EXPECT_DOUBLE_EQ(load.values[1].in(units::kW), 700);
  EXPECT_DOUBLE_EQ(read("datetime_utc,Load (MWh)\n2021-05-01T00Z,2\n").values[0].in(units::MW), 2);
  EXPECT_DOUBLE_EQ(read("datetime_utc,site,it_w\n2021-05-01T00Z,a,2\n").values[0].in(units::W), 2);
}

TEST_F(LoadFile, RefusesWhatIsNoLoad) {
  using testing::error_of;
  EXPECT_TRUE(testing::contains(
      error_of<base::DataError>("negative-power",
                                [&] { read("datetime_utc,load_kw\n2021-05-01T00Z,-500\n"); }),
      ".csv:2:16"));
  error_of<base::DataError>("no-unit", [&] { read("datetime_utc,load\n2021-05-01T00Z,500\n"); });
  error_of<base::DataError>("no-load", [&] { read("datetime_utc,load_w\n2021-05-01T00Z,0\n"); });
  error_of<base::DataError>("unknown-layout",
                            [&] { read("datetime_utc,a,b\n2021-05-01T00Z,0,0\n"); });
  error_of<base::DataError>("not-finite",
                            [&] { read("datetime_utc,load_w\n2021-05-01T00Z,inf\n"); });
}

TEST(Load, ScalesToAMean) {
  LoadSeries load = carbon_explorer_load(70.0 * units::MW, kMay, 100);
  EXPECT_NEAR(mean_of(scaled_to_mean(load, 5.0 * units::MW)).in(units::MW), 5,
              1e-12);  // 100 additions
}

}  // namespace
}  // namespace greenline::grid
