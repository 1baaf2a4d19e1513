// The values that the authors printed, and what each rule of theirs is worth.
#include "grid/carbon_explorer.hpp"

#include <gtest/gtest.h>

#include "shared_data.hpp"
#include "unit/grid/sites.hpp"

namespace greenline::grid {
namespace {

using testing::design_of;
using testing::released_site;
namespace units = base::units;

class CarbonExplorer : public ::testing::Test {
 protected:
  void SetUp() override {
    GL_SHARED_OR_SKIP(shared);
    site_ = released_site(shared, "eia_bpat_2021-05-01_15_mwh.csv", 70);
  }
  PublishedFootprint of(const Design& design, Strategy strategy,
                        const PublishedRules& rules = {}) const {
    return published_footprint(site_, design, strategy, 0.4, published_battery(), rules);
  }
  SiteHours site_;
};

constexpr double kFour = 5e-5, kSix = 5e-7;  // four or six decimals, of a percent as printed

TEST_F(CarbonExplorer, PrintedValues) {
  EXPECT_NEAR(100 * of(design_of(500), Strategy::renewables).coverage, 74.0192, kFour);
  const PublishedFootprint wind = of(design_of(100), Strategy::renewables);
  EXPECT_NEAR(100 * wind.coverage, 46.0831, kFour);
  EXPECT_NEAR(wind.embodied.in(units::tCO2e) / 1000, 37.3053, kFour);
  EXPECT_NEAR(wind.operational.in(units::tCO2e) / 1000, 91.2501, kFour);
  EXPECT_NEAR(wind.kt_per_mw(), 1.8355, kFour);
  EXPECT_NEAR(wind.mean_load.in(units::MW), 70.036618, kSix);
  EXPECT_NEAR(100 * of(design_of(150, 300), Strategy::battery).coverage, 59.464036, kSix);
}

TEST_F(CarbonExplorer, FlexibleWork) {
  struct Row {
    double wind, extra, kt, percent;
  };
  const Row rows[] = {
      {50, 0, 2.0710, 25.3163},   {100, 0, 1.8225, 46.6229},  {150, 0, 1.8822, 55.1720},
      {200, 0, 2.0264, 60.2293},  {100, .5, 1.7963, 48.0757}, {150, .5, 1.7780, 59.8544},
      {150, .7, 1.7765, 60.0628}, {200, .6, 1.9324, 64.5616}, {150, .6, 1.7760, 60.0133}};
  for (const Row& row : rows) {
    const Design design = design_of(row.wind, 0, row.extra);
    const PublishedFootprint x = of(design, Strategy::flexible);
    EXPECT_NEAR(100 * x.coverage, row.percent, kFour) << row.wind << " " << row.extra;
    EXPECT_NEAR(x.kt_per_mw(), row.kt, kFour) << row.wind << " " << row.extra;
    // The closed form agrees on whole days: here its order of hours is the best one.
    const SiteHours days = first_hours(site_, whole_day_hours(site_.num_hours()));
    DispatchOptions options;
    options.flexible_share = 0.4;
    EXPECT_NEAR(100 * dispatch(days, design, options).coverage(), row.percent, 1e-3);
  }
}

// D2: with a battery of nothing, all surplus is gone before work could move onto it.
TEST_F(CarbonExplorer, ChargingTakesAllSurplus) {
  EXPECT_NEAR(of(design_of(100), Strategy::battery_and_flexible).coverage, 0.461815, 5e-7);
  PublishedRules rules;
  rules.charging_takes_all_surplus = false;
  EXPECT_NEAR(of(design_of(100), Strategy::battery_and_flexible, rules).coverage, 0.466229, 5e-7);
}

TEST_F(CarbonExplorer, WhatEachRuleIsWorth) {
  const Design design = design_of(150, 100, 0.6);
  const auto kt = [&](auto change, Strategy strategy) {
    PublishedRules rules;
    change(rules);
    return of(design, strategy, rules).kt_per_mw();
  };
  const auto both = Strategy::battery_and_flexible;
  const double published = kt([](PublishedRules&) {}, both);
  // D1: 0.6 of 7134.8 t/MW over four of ten years.
  EXPECT_NEAR(kt([](PublishedRules& r) { r.servers_a_thousandth = false; }, both) - published,
              0.6 * 7134.7917 * 2.5 / 1000 * 0.999, 1e-3);
  // D3: the residual hours are dirtier than the mean.
  EXPECT_GT(kt([](PublishedRules& r) { r.mean_intensity = false; }, both), published);
  // D4: 337 hours are 14.04 days.
  const double emb = of(design, both).embodied / of(design_of(150, 100), both).embodied;
  EXPECT_GT(emb, 1);
  EXPECT_LT(kt([](PublishedRules& r) { r.window_of_whole_days = false; }, both), published);
  // D7: a full battery at the start is a gift.
  PublishedRules cyclic;
  cyclic.starts_full = false;
  EXPECT_LT(of(design_of(100, 2000), Strategy::battery, cyclic).coverage,
            of(design_of(100, 2000), Strategy::battery).coverage - 0.05);
  // D8: one hour of 337.
  EXPECT_NE(kt([](PublishedRules& r) { r.last_partial_day_dropped = false; }, both), published);
}

}  // namespace
}  // namespace greenline::grid
