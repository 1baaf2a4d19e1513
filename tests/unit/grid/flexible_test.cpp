#include "grid/flexible.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

#include "grid/carbon_explorer.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::grid {
namespace {

using testing::error_of;

std::vector<double> of_hours(auto value) {
  std::vector<double> out;
  for (int h = 0; h < 24; ++h) out.push_back(value(h));
  return out;
}

const std::vector<double> kLoad(24, 10.0), kSame(24, 100.0);
const std::vector<double> kSun =
    of_hours([](int h) { return 25 * std::max(0.0, std::sin((h - 6) * std::numbers::pi / 12)); });
const std::vector<double> kIntensity =
    of_hours([](int h) { return 300 + 100 * std::cos((h - 19) * 2 * std::numbers::pi / 24); });

double coverage(const std::vector<double>& load, const std::vector<double>& supply,
                const Shift& shift) {
  double grid = 0, total = 0;
  for (std::size_t t = 0; t < load.size(); ++t) {
    grid += std::max(0.0, load[t] - shift.out_mw[t] + shift.in_mw[t] - supply[t]);
    total += load[t];
  }
  return 1 - grid / total;
}

double carbon(const std::vector<double>& load, const std::vector<double>& intensity,
              const Shift& shift) {
  double kg = 0;
  for (std::size_t t = 0; t < load.size(); ++t)
    kg += (load[t] - shift.out_mw[t] + shift.in_mw[t]) * intensity[t];
  return kg;
}

void expect_within_limits(const std::vector<double>& load, const Shift& shift, double share,
                          double cap, const std::vector<std::size_t>& days) {
  for (std::size_t t = 0; t < load.size(); ++t) {
    EXPECT_GE(shift.out_mw[t], 0);
    EXPECT_GE(shift.in_mw[t], 0);
    EXPECT_LE(shift.out_mw[t], share * load[t] * (1 + 1e-12));
    EXPECT_LE(load[t] + shift.in_mw[t] - shift.out_mw[t], cap * (1 + 1e-12));
  }
  for (std::size_t day = 0; day + 1 < days.size(); ++day) {
    double left = 0;
    for (std::size_t t = days[day]; t < days[day + 1]; ++t)
      left += shift.out_mw[t] - shift.in_mw[t];
    EXPECT_NEAR(left, 0, 1e-11);
  }
}

struct Answer {
  double share, cap, published, right;
};

constexpr double kPrinted = 1e-6;  // of a percent, and of a kg: the digits of the references

// E5.
TEST(ShiftToSurplus, AnswersOfADayOfSun) {
  const Answer answers[] = {{0.1, 12, 49.517063, 49.142063},
                            {0.4, 12, 50.392063, 50.392063},
                            {0.4, 20, 68.500000, 67.500000},
                            {1.0, 30, 79.122439, 79.122439}};
  for (const Answer& a : answers) {
    const Shift right = shift_to_surplus(kLoad, kSun, kSame, blocks_of(24), a.share, a.cap);
    EXPECT_NEAR(100 * coverage(kLoad, kSun, right), a.right, kPrinted);
    expect_within_limits(kLoad, right, a.share, a.cap, blocks_of(24));
    const Shift published = published_shift_to_surplus(kLoad, kSun, a.share, a.cap);
    EXPECT_NEAR(100 * coverage(kLoad, kSun, published), a.published, kPrinted);
    // Without D15 its fingers find the right answer too.
    const Shift mended = published_shift_to_surplus(kLoad, kSun, a.share, a.cap, false);
    EXPECT_NEAR(100 * coverage(kLoad, kSun, mended), a.right, kPrinted);
  }
}

// E6.
TEST(ShiftToCleanHours, AnswersOfADayOfTheGrid) {
  const Answer answers[] = {{0.1, 11, 70390.849177, 70480.849177},
                            {0.4, 15, 64971.504344, 65241.467012},
                            {1.0, 30, 52265.651932, 52265.651932}};
  for (const Answer& a : answers) {
    const Shift right = shift_to_clean_hours(kLoad, kIntensity, blocks_of(24), a.share, a.cap);
    EXPECT_NEAR(carbon(kLoad, kIntensity, right), a.right, kPrinted);
    expect_within_limits(kLoad, right, a.share, a.cap, blocks_of(24));
    const Shift published = published_shift_to_clean_hours(kLoad, kIntensity, a.share, a.cap);
    EXPECT_NEAR(carbon(kLoad, kIntensity, published), a.published, kPrinted);
  }
}

// D15: at φ = 10 % hour 19 gives 1 MW and, asked again, 10 % of the 9 MW that it has left.
TEST(ShiftToCleanHours, AsReleasedAnHourGivesTwice) {
  const Shift published = published_shift_to_clean_hours(kLoad, kIntensity, 0.1, 11);
  EXPECT_NEAR(published.out_mw[19], 1.9, 1e-12);
  EXPECT_NEAR(shift_to_clean_hours(kLoad, kIntensity, blocks_of(24), 0.1, 11).out_mw[19], 1, 1e-12);
}

// D8: a day of 23 hours, one of 25 and a part of one: each is a day of its own. The release cuts
// the same hours into blocks of 24 and leaves what remains as it is.
TEST(ShiftToSurplus, KnowsDaysOfAnyLength) {
  const std::vector<std::size_t> days = {0, 23, 48, 55};
  const std::vector<double> load(55, 10.0);
  std::vector<double> supply(55, 0.0);
  for (const std::size_t t : {5u, 30u, 50u}) supply[t] = 16;
  const std::vector<double> same(55, 1.0);
  const Shift shift = shift_to_surplus(load, supply, same, days, 0.5, 20);
  expect_within_limits(load, shift, 0.5, 20, days);
  EXPECT_NEAR(shift.moved_mwh, 18, 1e-12);
  EXPECT_NEAR(shift.in_mw[50], 6, 1e-12);
  const Shift published = published_shift_to_surplus(load, supply, 0.5, 20);
  EXPECT_EQ(published.in_mw[50], 0);
  EXPECT_EQ(whole_day_hours(55), 48u);
}

TEST(ShiftToSurplus, TakesFromTheDirtiestHours) {
  const Shift shift =
      shift_to_surplus(std::vector<double>{10, 10, 10}, std::vector<double>{0, 15, 0},
                       std::vector<double>{100, 50, 300}, blocks_of(3), 0.4, 20);
  EXPECT_EQ(shift.out_mw, (std::vector<double>{1, 0, 4}));
  EXPECT_EQ(shift.in_mw, (std::vector<double>{0, 5, 0}));
}

TEST(ShiftToCleanHours, MovesNothingForNothing) {
  EXPECT_EQ(shift_to_clean_hours(kLoad, kSame, blocks_of(24), 1, 30).moved_mwh, 0);
  EXPECT_EQ(shift_to_clean_hours(kLoad, kIntensity, blocks_of(24), 0, 30).moved_mwh, 0);
}

TEST(Shift, RefusesACapBelowTheLoad) {
  error_of<base::UserError>("bad-flexible",
                            [] { shift_to_surplus(kLoad, kSun, kSame, blocks_of(24), 0.1, 9.5); });
  error_of<base::UserError>("bad-flexible",
                            [] { shift_to_surplus(kLoad, kSun, kSame, blocks_of(24), 1.1, 12); });
  error_of<base::UserError>(
      "bad-flexible", [] { shift_to_clean_hours(kLoad, kIntensity, blocks_of(24), NAN, 12); });
  error_of<base::UserError>("bad-flexible", [] { cap_mw(kLoad, {0.1, -0.1}); });
  EXPECT_EQ(cap_mw(kLoad, {0.1, 0.5}), 15);
}

TEST(Blocks, CoverAllHours) {
  EXPECT_EQ(blocks_of(0), (std::vector<std::size_t>{0}));
  EXPECT_EQ(blocks_of(24), (std::vector<std::size_t>{0, 24}));
  EXPECT_EQ(blocks_of(30), (std::vector<std::size_t>{0, 24, 30}));
}

}  // namespace
}  // namespace greenline::grid
