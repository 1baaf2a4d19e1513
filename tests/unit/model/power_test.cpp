#include "model/power.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::model {
namespace {

namespace units = base::units;

PowerDraw draw(const char* system, const BusyFractions& busy,
               std::vector<std::string> overrides = {}) {
  base::Settings settings;
  settings.overrides = std::move(overrides);
  const catalog::Catalog facts(settings);
  return power_draw(facts, catalog::system(facts, system), busy);
}

TEST(PowerTest, MeasuredNodeComesBackAtItsOwnLoad) {
  // The reference of the generation is the mean of a node at 0.9.
  EXPECT_NEAR(draw("dgx-h100", {0.9, 0, 0, 0.1}).node.nominal().in(units::W), 6473.7, 1e-6);
}

TEST(PowerTest, BandOfTheMeasurementIsKept) {
  const PowerDraw d = draw("dgx-h100", {0.9, 0, 0, 0.1});
  // The 5 % and 95 % points of the driver h100-sxm.node_w, read off 256 draws: half a step is 0.2
  // %.
  EXPECT_NEAR(d.node.low().in(units::W), 5690.9, 0.005 * 5690.9);
  EXPECT_NEAR(d.node.high().in(units::W), 7752, 0.005 * 7752);
}

TEST(PowerTest, BandOfAnA100NodeStaysBelowItsMaximum) {
  const PowerDraw d = draw("dgx-a100-80", {1, 0, 0, 0});
  // DGX A100: 6.5 kW. Half a step of 256 draws as above.
  EXPECT_LE(d.node.high().in(units::W), 1.005 * 6500);
  EXPECT_NEAR(d.node.low().in(units::W), 3781.8, 0.005 * 3781.8);
}

TEST(PowerTest, MeasuredV100NodeGoesBeforeTheProfile) {
  // 330 W a device with its share of the host, eight devices.
  EXPECT_NEAR(draw("dgx-v100", {0.9, 0, 0, 0.1}).node.nominal().in(units::W), 2640, 1e-6);
}

TEST(PowerTest, ProfileOfAnA100NodeIsReproduced) {
  EXPECT_NEAR(draw("dgx-a100-80", {0, 0, 0, 1}).node.nominal().in(units::W), 744.8, 1e-6);
  EXPECT_NEAR(draw("dgx-a100-80", {0.1, 0, 0, 0.9}).node.nominal().in(units::W), 1687.5, 1e-6);
  EXPECT_NEAR(draw("dgx-a100-80", {0.5, 0, 0, 0.5}).node.nominal().in(units::W), 3781.8, 1e-6);
  EXPECT_NEAR(draw("dgx-a100-80", {1, 0, 0, 0}).node.nominal().in(units::W), 5245, 1e-6);
}

TEST(PowerTest, LowerPowerLimitLowersTheNode) {
  const base::Power h100 = draw("dgx-h100", {1, 0, 0, 0}).node.nominal();
  const base::Power capped = draw("hgx-h100-96gb-500w", {1, 0, 0, 0}).node.nominal();
  EXPECT_NEAR((h100 - capped).in(units::W), 8 * 200, 1e-6);
}

TEST(PowerTest, MemoryAndNetworkDrawLessThanCompute) {
  const base::Power compute = draw("dgx-h100", {1, 0, 0, 0}).node.nominal();
  const base::Power memory = draw("dgx-h100", {0, 1, 0, 0}).node.nominal();
  const base::Power network = draw("dgx-h100", {0, 0, 1, 0}).node.nominal();
  const base::Power idle = draw("dgx-h100", {0, 0, 0, 1}).node.nominal();
  EXPECT_GT(compute, memory);
  EXPECT_GT(memory, network);
  EXPECT_GT(network, idle);
  EXPECT_GT(idle, base::Power{});
}

TEST(PowerTest, MoreThanTheNodeCanDrawNamesTheCause) {
  try {
    draw("dgx-h100", {1, 0, 0, 0}, {"h100-sxm.tdp=1500W"});
    FAIL() << "a node above its maximum was accepted";
  } catch (const base::UserError& e) {
    EXPECT_EQ(e.code(), "implausible-power");
    EXPECT_NE(e.hint().find("h100-sxm.tdp"), std::string::npos);
  }
}

}  // namespace
}  // namespace greenline::model
