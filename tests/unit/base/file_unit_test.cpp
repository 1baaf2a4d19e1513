#include <gtest/gtest.h>

#include "base/quantity_text.hpp"

namespace greenline::base {
namespace {

TEST(FileUnit, OneSuffixForEachDimension) {
  EXPECT_EQ(file_unit(kTime).suffix, "s");
  EXPECT_EQ(file_unit(kEnergy).suffix, "kwh");
  EXPECT_EQ(file_unit(kEnergy - kTime).suffix, "w");
  EXPECT_EQ(file_unit(kCarbon).suffix, "kgco2e");
  EXPECT_EQ(file_unit(kCarbon - kEnergy).suffix, "g_per_kwh");
  EXPECT_EQ(file_unit(kCarbon - kTime).suffix, "kgco2e_per_year");
  EXPECT_EQ(file_unit(kData).suffix, "bytes");
  EXPECT_EQ(file_unit(kData - kTime).suffix, "bytes_per_s");
  EXPECT_EQ(file_unit(kWork).suffix, "flop");
  EXPECT_EQ(file_unit(kWork - kTime).suffix, "flop_per_s");
  EXPECT_EQ(file_unit(kWork - kData).suffix, "flop_per_byte");
  EXPECT_EQ(file_unit(kMoney - kEnergy).suffix, "usd_per_kwh");
  EXPECT_EQ(file_unit(kMoney - kTime).suffix, "usd_per_h");
  EXPECT_EQ(file_unit(kMoney - kCarbon).suffix, "usd_per_tco2e");
  EXPECT_EQ(file_unit(-kTime).suffix, "per_s");
  EXPECT_EQ(file_unit(kDimensionless).suffix, "");
  EXPECT_EQ(file_unit(kCarbon - kArea).suffix, "kgco2e_per_m2");  // composed
  EXPECT_EQ(file_unit(kCarbon - kArea).symbol, "kgCO2e/m2");
  EXPECT_EQ(file_unit(kTime + kTime).suffix, "s_pow2");
}

TEST(FileKey, JoinsNameAndSuffix) {
  EXPECT_EQ(file_key("mean", kEnergy - kTime), "mean_w");
  EXPECT_EQ(file_key("", kCarbon - kEnergy), "g_per_kwh");
  EXPECT_EQ(file_key("mfu", kDimensionless), "mfu");
}

TEST(UnitOfKey, TakesTheLongestSuffixAtAWordBoundary) {
  const auto expect = [](const char* key, double factor, Dimension d) {
    const AnyQuantity unit = unit_of_key(key);
    EXPECT_EQ(unit.dimension, d) << key;
    EXPECT_DOUBLE_EQ(unit.value, factor) << key;
  };
  expect("mean_w", 1, kEnergy - kTime);
  expect("mean_g_per_kwh", 1 / 3.6e6, kCarbon - kEnergy);
  expect("energy_kwh", 3.6e6, kEnergy);
  expect("it_energy_kwh", 3.6e6, kEnergy);
  expect("duration_s", 1, kTime);
  expect("tokens_per_s", 1, -kTime);
  expect("cost_usd", 1, kMoney);
  expect("price_usd_per_s", 1,
         kMoney - kTime);  // not the file unit, and not "per_s" of a "price_usd"
  expect("kgco2e_per_m2_per_year", 1e3 / (8760 * 3600.0), kCarbon - kArea - kTime);
  expect("device_hours", 1, kDimensionless);
  expect("draw", 1, kDimensionless);  // "w" is no word of it
  expect("mfu", 1, kDimensionless);
  expect("total_h", 1, kDimensionless);
  expect("", 1, kDimensionless);
  expect("_", 1, kDimensionless);
  expect("per_s", 1, -kTime);
  expect("_per_", 1, kDimensionless);
}

TEST(DimensionName, SaysItInWords) {
  EXPECT_EQ(dimension_name(kEnergy - kTime), "power (W)");
  EXPECT_EQ(dimension_name(kDimensionless), "a plain number");
  EXPECT_EQ(dimension_name(kCarbon - kArea), "kgCO2e/m2");
}

}  // namespace
}  // namespace greenline::base
