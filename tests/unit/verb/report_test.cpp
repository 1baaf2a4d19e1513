#include "verb/report.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::verb {
namespace {

namespace units = base::units;

template <class T>
const T& node(const Document& d, std::size_t i) {
  return std::get<T>(d.root.nodes.at(i));
}

TEST(Report, AddsTheSuffixOfTheDimension) {
  Report r;
  r.value("energy", 2.0 * units::kWh);
  r.value("mean", 5.0 * units::g_per_kWh);
  r.value("coverage", 0.5);
  r.value("limit", std::optional<base::Time>{});
  r.absent("market", base::kCarbon, "no contract was given");
  const Document d = r.take();
  EXPECT_EQ(node<ValueNode>(d, 0).key, "energy_kwh");
  EXPECT_EQ(node<ValueNode>(d, 1).key, "mean_g_per_kwh");
  EXPECT_EQ(node<ValueNode>(d, 2).key, "coverage");
  EXPECT_EQ(node<ValueNode>(d, 3).key, "limit_s");
  EXPECT_EQ(node<ValueNode>(d, 4).key, "market_kgco2e");
  EXPECT_EQ(std::get<Absent>(node<ValueNode>(d, 4).cell).why, "no contract was given");
}

TEST(Report, AColumnKeepsItsKeyWhenItIsEmpty) {
  Report r;
  r.table("full").column("energy", std::vector<base::Energy>{1.0 * units::J});
  r.table("bare")
      .column("energy", std::vector<base::Energy>{})
      .column("limit", std::vector<std::optional<base::Time>>{});
  const Document d = r.take();
  EXPECT_EQ(node<Table>(d, 0).columns.at(0).key, "energy_kwh");
  EXPECT_EQ(node<Table>(d, 1).columns.at(0).key, "energy_kwh");
  EXPECT_EQ(node<Table>(d, 1).columns.at(1).key, "limit_s");
}

TEST(Report, CompletesTheDataOfCharts) {
  Report r;
  // A chart may stand before its data, and inside a group name them from there.
  r.chart({.key = "early", .title = "", .x = "months.month", .y = {"months.energy", "plan.power"}});
  r.table("months")
      .column("month", std::vector<int>{1})
      .column("energy", std::vector<base::Energy>{1.0 * units::J});
  r.group("plan", "Plan", [&] {
    r.series("power", base::Series<base::Power>{{}, 1.0 * units::h, {1.0 * units::W}});
    r.chart({.key = "late", .title = "", .y = {"power"}});
  });
  const Document d = r.take();
  EXPECT_EQ(d.charts.at(0).y, (std::vector<std::string>{"months.energy_kwh", "plan.power_w"}));
  EXPECT_EQ(d.charts.at(1).y, (std::vector<std::string>{"plan.power_w"}));
  EXPECT_EQ(node<Group>(d, 1).nodes.size(), 1U);
}

TEST(Report, RefusesAChartOfUnknownData) {
  Report r;
  r.value("energy", 1.0 * units::J);
  r.chart({.key = "c", .title = "", .y = {"enrgy"}});
  EXPECT_THROW(r.take(), base::InternalError);
}

TEST(Report, RefusesWhatNoReaderMustSee) {
  Report r;
  r.value("energy", 1.0 * units::J);
  EXPECT_THROW(r.value("energy", 1.0 * units::J), base::InternalError);
  EXPECT_THROW(r.value("energy_kwh", 1.0), base::InternalError);
  EXPECT_THROW(r.value("share", std::nan("")), base::InternalError);
  base::AnyEstimate body;
  base::Draws draws;
  draws.fill(1);
  draws[7] = std::nan("");
  body.draws = std::make_shared<const base::Draws>(draws);
  EXPECT_THROW(r.value("spread", base::Estimate<double>(body)), base::InternalError);
  EXPECT_THROW(r.value("Mean Power", 1.0), base::InternalError);
  EXPECT_THROW(r.table("t").column("a", std::vector<int>{1, 2}).column("b", std::vector<int>{1}),
               base::InternalError);
  const std::vector<Cell> mixed{make_cell(1.0 * units::J), make_cell(1.0 * units::s)};
  EXPECT_THROW(r.table("u").column("a", mixed), base::InternalError);
}

TEST(Report, MakesOnlyTheAttachmentsThatAreWanted) {
  Report r(0, {".toml"});
  r.attachment(".toml", [] { return std::string("a = 1\n"); });
  r.attachment(".trace.json", []() -> std::string { throw base::InternalError("not wanted"); });
  EXPECT_THROW(r.attachment(".toml", [] { return std::string(); }), base::InternalError);
  const Document d = r.take();
  EXPECT_EQ(d.attachments.at(".toml"), "a = 1\n");
  EXPECT_EQ(d.attachments.at(".trace.json"), std::nullopt);
}

TEST(Report, ATimelineHasAtMostSoManyBars) {
  Report r;
  const Bars bars{{"b", "a", "a"},
                  {"late", "early", "middle"},
                  {2.0 * units::s, 0.0 * units::s, 1.0 * units::s},
                  {3.0 * units::s, 1.0 * units::s, 2.0 * units::s}};
  r.timeline("all", "All", bars);
  r.timeline("some", "Some", bars, 2);
  const Document d = r.take();
  EXPECT_EQ(node<Table>(d, 0).columns.at(0).cells.size(), 3U);
  ASSERT_EQ(node<Table>(d, 1).columns.at(1).cells.size(), 2U);
  EXPECT_EQ(std::get<std::string>(node<Table>(d, 1).columns.at(1).cells.at(0)), "early");
  EXPECT_TRUE(node<Table>(d, 1).hidden);
  EXPECT_EQ(d.charts.at(1).y, (std::vector<std::string>{"some.start_s", "some.end_s"}));
  EXPECT_EQ(d.notices,
            std::vector<std::string>{"Some: the first 2 of 3 tasks, those that start before 2 s"});
}

TEST(Report, CompletesEveryColumnOfAChart) {
  Report r;
  r.table("bars")
      .column("lane", std::vector<std::string>{"gpu 0"})
      .column("start", std::vector<base::Time>{0.0 * units::s})
      .column("end", std::vector<base::Time>{1.0 * units::s})
      .column("task", std::vector<std::string>{"forward"});
  r.chart({.key = "picture",
           .kind = ChartKind::timeline,
           .x = "bars.lane",
           .y = {"bars.start", "bars.end"},
           .name = "bars.task"});
  r.chart({.key = "wrong", .y = {"bars.end"}, .name = "bars.tsk"});
  EXPECT_THROW(r.take(), base::InternalError);
}

TEST(Report, FillsTheDriversOfAnEstimate) {
  constexpr std::uint64_t kSeed = 1;
  const auto node_power =
      base::from_driver<base::Power>({"node.power", 100, 90, 120, base::DriverScale::automatic, ""},
                                     base::Evidence::measured, "here", kSeed);
  const auto pue =
      base::from_driver<double>({"site.pue", 1.1, 1.09, 1.11, base::DriverScale::automatic, ""},
                                base::Evidence::assumed, "here", kSeed);
  Report r(kSeed);
  r.group("plan", "", [&] {
    r.value(
        "power", node_power * pue,
        {.derivation = Derivation{"", "node × pue", {{"node", "n", 100.0 * units::W, "x"}}, {}}});
    r.value("spread", node_power);
    r.value("certain", base::Estimate<base::Power>(1.0 * units::W));
  });
  const Document d = r.take();
  ASSERT_EQ(d.derivations.size(), 2U);
  EXPECT_EQ(d.derivations[0].key, "plan.power_w");
  EXPECT_EQ(d.derivations[0].formula, "node × pue");
  ASSERT_EQ(d.derivations[0].drivers.size(), 2U);
  EXPECT_EQ(d.derivations[0].drivers[0].driver.id, "node.power");
  EXPECT_EQ(d.derivations[1].key, "plan.spread_w");
  EXPECT_EQ(d.derivations[1].formula, "");
}

}  // namespace
}  // namespace greenline::verb
