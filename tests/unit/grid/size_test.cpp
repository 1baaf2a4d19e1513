// Sizing as a verb: what is read from flags, several years at once, the knee of a front, and what
// stands beside an answer.
#include "grid/size.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "grid/size_beside.hpp"
#include "grid/size_inputs.hpp"
#include "grid/size_sweep.hpp"
#include "sites.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;

TEST(Deadline, IsAWaitAndAShare) {
  const FlexibleWork four = parse_deadline("4h=10%");
  EXPECT_EQ(four.hours_later, 4);
  EXPECT_DOUBLE_EQ(four.share, 0.1);
  EXPECT_EQ(parse_deadline("1d=0.05").hours_later, 24);
  EXPECT_EQ(parse_deadline("none=5%").hours_later, FlexibleWork::kNoDeadline);
  for (const char* text : {"4h", "=1", "0h=10%", "90m=10%", "4=10%"})
    EXPECT_THROW(parse_deadline(text), base::UserError) << text;
}

FrontPoint point(const char* kind, double embodied_t, double operational_t) {
  const auto rate = [](double t) { return t * units::tCO2e / (1.0 * units::year); };
  return {kind, {}, rate(embodied_t), rate(operational_t), {}, {}, false};
}

TEST(Knee, IsFarthestFromTheLineBetweenTheEnds) {
  std::vector<FrontPoint> front = {point("sweep", 0, 100), point("sweep", 10, 30),
                                   point("sweep", 50, 20), point("sweep", 100, 0),
                                   point("plan", 12, 25)};
  mark_knees(front);
  EXPECT_TRUE(front[1].knee);  // 70 % down after 10 % of the way
  EXPECT_FALSE(front[0].knee || front[2].knee || front[3].knee || front[4].knee);
  std::vector<FrontPoint> two = {point("sweep", 0, 100), point("sweep", 10, 30)};
  mark_knees(two);
  EXPECT_FALSE(two[0].knee || two[1].knee);
}

// A folder of its own for files of hours.
class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              fmt::format("greenline_size_{}", ::testing::UnitTest::GetInstance()->random_seed());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  // Two days in which the wind blows up to `most` MWh.
  std::string file(const std::string& name, const std::string& month, double most) {
    const std::string path = (folder_ / name).string();
    std::ofstream out(path);
    out << "datetime_utc,NG,WND\n";
    for (int t = 0; t < 48; ++t)
      out << fmt::format("{}-{:02}T{:02}:00Z,40,{}\n", month, 1 + t / 24, t % 24,
                         most * (0.5 + 0.5 * std::sin(t / 5.0)));
    return path;
  }
  std::filesystem::path folder_;
};

TEST_F(Files, SeveralYearsShareOneCapacity) {
  SizeRequest request;
  request.grid.grid = file("windy.csv", "2021-05", 20);
  request.weather = {file("calm.csv", "2022-05", 10)};
  request.load = 5.0 * units::MW;
  const SizeSite site = load_size_site(request, catalog::Catalog(request.settings));
  ASSERT_EQ(site.hours.num_hours(), 96u);
  EXPECT_EQ(site.hours.day_begin, (std::vector<std::size_t>{0, 24, 48, 72, 96}));
  EXPECT_EQ(site.carbon_free_share.size(), 96u);
  const auto most = [&](std::size_t begin) {
    return *std::max_element(
        site.hours.wind_share.begin() + static_cast<std::ptrdiff_t>(begin),
        site.hours.wind_share.begin() + static_cast<std::ptrdiff_t>(begin) + 48);
  };
  EXPECT_DOUBLE_EQ(most(0), 1);
  EXPECT_NEAR(most(48), 0.5, 1e-12);  // the calm year never reaches the capacity of the windy one
}

TEST_F(Files, TwiceTheSameYearIsTheSameAnswer) {
  SizeRequest once;
  once.grid.grid = file("windy.csv", "2021-05", 20);
  once.load = 5.0 * units::MW;
  SizeRequest twice = once;
  twice.weather = {once.grid.grid};
  const SizeResult a = size(once), b = size(twice);
  ASSERT_EQ(a.status, SizeStatus::optimal);
  ASSERT_EQ(b.status, SizeStatus::optimal);
  // What the solver promises.
  EXPECT_NEAR(b.total.nominal() / a.total.nominal(), 1, 1e-5);
  EXPECT_NEAR(*b.rolling / *a.rolling, 1, 1e-3);  // the same days have other days beside them
  EXPECT_NEAR(a.replayed / a.total.nominal(), 1, 1e-6);
}

class Stopped final : public base::Progress {
 public:
  void stage(std::string_view name, std::uint64_t) override { stop_ = name == "linear program"; }
  bool cancelled() override { return stop_; }

 private:
  bool stop_ = false;
};

TEST_F(Files, AStoppedRunHasTheBestOfItsSweep) {
  SizeRequest request;
  request.grid.grid = file("windy.csv", "2021-05", 20);
  request.load = 5.0 * units::MW;
  Stopped progress;
  const SizeResult x = size(request, progress);
  ASSERT_EQ(x.status, SizeStatus::interrupted);
  ASSERT_TRUE(x.has_plan());
  EXPECT_LT(x.total.nominal(), x.grid_only);
  EXPECT_FALSE(x.why.empty());
}

TEST(CarbonFreeScore, CountsTheGridsOwnShare) {
  const SiteHours site = testing::site_of({10, 10}, {0, 0});
  EXPECT_DOUBLE_EQ(carbon_free_score(site, {0.5, 1}, {10, 4}, 20), 0.75);
  EXPECT_DOUBLE_EQ(carbon_free_score(site, {0, 0}, {0, 0}, 20), 1);
}

// Idle servers draw power that no flexible work hides.
TEST(Greedy, IdleServersAreLoad) {
  const SiteHours site =
      testing::site_of(std::vector<double>(24, 10.0), std::vector<double>(24, 0.0));
  SizeOptions o;
  o.idle_share = 0.2;
  const Dispatch run = greedy(site, o, testing::design_of(0, 0, 0.5), {});
  EXPECT_NEAR(run.grid_mwh, 24 * 11.0, 1e-9);  // 10 MW and 0.2 · 0.5 · 10
}

}  // namespace
}  // namespace greenline::grid
