#include "plan/greenline_plot.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "plan/search.hpp"
#include "plan_configurations.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;

GreenlineSite site() {
  GreenlineSite s;
  s.peak = 1000 * units::TFLOP_per_s;
  s.bandwidth = 4000 * units::GB_per_s;
  s.chip = 500 * units::W;
  s.node = 800 * units::W;
  s.site = 1000 * units::W;
  s.mean = 360 * units::g_per_kWh;
  s.cleanest = 36 * units::g_per_kWh;
  s.dirtiest = 720 * units::g_per_kWh;
  return s;
}

// 1 kW at 360 g/kWh is 0.1 g/s, so 1000 TFLOP/s are 10^16 FLOP per gram.
TEST(GreenlinePlot, CeilingsByHand) {
  const auto at = [](double flop_per_byte) {
    return ceilings_at(site(), flop_per_byte * (units::FLOP / units::B));
  };
  const base::Unit<base::kWork - base::kCarbon> per_gram = units::FLOP / units::gCO2e;
  EXPECT_DOUBLE_EQ(at(250).site.in(per_gram), 1e16);
  EXPECT_DOUBLE_EQ(at(1e6).site.in(per_gram), 1e16);
  EXPECT_DOUBLE_EQ(at(25).site.in(per_gram), 1e15);
  EXPECT_DOUBLE_EQ(at(250).chip.in(per_gram), 2e16);
  EXPECT_DOUBLE_EQ(at(250).node.in(per_gram), 1.25e16);
  EXPECT_DOUBLE_EQ(at(250).cleanest->in(per_gram), 1e17);
  EXPECT_DOUBLE_EQ(at(250).dirtiest->in(per_gram), 5e15);
}

TEST(GreenlinePlot, ReachesADecadeBeyondTheRidgeAndAllPoints) {
  const WorkPerCarbon useful = 1e15 * (units::FLOP / units::gCO2e);
  const GreenlinePlot plot =
      greenline_plot(site(), {{"low", 3 * (units::FLOP / units::B), useful, false}});
  EXPECT_DOUBLE_EQ(plot.ridge.base_value(), 250);
  EXPECT_LE(plot.ceilings.front().intensity.base_value(), 3);
  EXPECT_GE(plot.ceilings.back().intensity.base_value(), 2500);
  for (std::size_t i = 1; i < plot.ceilings.size(); ++i) {
    EXPECT_GT(plot.ceilings[i].intensity, plot.ceilings[i - 1].intensity);
    EXPECT_GE(plot.ceilings[i].site, plot.ceilings[i - 1].site);
  }
}

// Sums by hand for the products of one layer alone give nearly the same: what else there is moves
// much and computes little.
TEST(GreenlinePlot, IntensityIsOfAllOperatorsAsExecuted) {
  const Problem p = problem_of("llama3-8b", "dgx-h100", 8, 8);
  Configuration c;
  c.strategy.data_parallel = 8;
  const auto plain = executed_intensity(p, c);
  const auto of_products = [&] {
    base::Work work;
    base::Data bytes;
    const model::Operators layer = model::layer_operators(p.shape, slice_of(p, c));
    for (const auto* pass : {&layer.forward, &layer.backward})
      for (const model::Operator& o : *pass) {
        if (o.kind != model::OperatorKind::matmul) continue;
        work += o.flops;
        bytes += o.bytes;
      }
    return work / bytes;
  }();
  EXPECT_LT(plain, of_products);
  EXPECT_GT(plain, 0.1 * of_products);
  // What is repeated is mixed in: the whole lies between what was there and the forward pass.
  base::Work work;
  base::Data bytes;
  for (const model::Operator& o : model::layer_operators(p.shape, slice_of(p, c)).forward) {
    work += o.flops;
    bytes += o.bytes;
  }
  c.recompute = Recompute::full;
  const base::WorkIntensity forward = work / bytes;
  const auto [low, high] = std::minmax(plain, forward);
  EXPECT_GT(executed_intensity(p, c), low);
  EXPECT_LT(executed_intensity(p, c), high);
}

// Where computation binds no configuration stands above the site in the mean hour.
TEST(GreenlinePlot, ConfigurationsStandBelowTheCeilings) {
  for (const char* model : {"llama3-8b", "llama3-70b", "megatron-22b"}) {
    SearchRequest r;
    r.plan.model = model;
    r.plan.system = "dgx-h100";
    r.devices = {64};
    r.plan.global_batch = 64;
    r.top = 100;
    const SearchResult x = search(r);
    ASSERT_FALSE(x.greenline.points.empty());
    for (const GreenlinePoint& point : x.greenline.points) {
      const GreenlineRow most = ceilings_at(x.greenline.site, point.intensity);
      EXPECT_LT(point.useful, most.site) << model << ' ' << point.name;
      EXPECT_LT(most.site, most.node);
      EXPECT_LT(most.node, most.chip);
    }
  }
}

TEST(GreenlinePlot, HoursOfAGridAreCeilings) {
  SearchRequest r;
  r.plan.model = "llama3-8b";
  r.plan.system = "dgx-h100";
  r.devices = {8};
  r.plan.global_batch = 8;
  r.plan.grid.grid = "ERCO";
  const SearchResult x = search(r);
  ASSERT_TRUE(x.greenline.site.cleanest && x.greenline.site.dirtiest);
  EXPECT_LT(*x.greenline.site.cleanest, x.greenline.site.mean);
  EXPECT_GT(*x.greenline.site.dirtiest, x.greenline.site.mean);
}

}  // namespace
}  // namespace greenline::plan
