#include "app/compare.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "app/compare_causes.hpp"
#include "app/compare_unlisted.hpp"
#include "unit/render/sample.hpp"

namespace greenline::app {
namespace {

namespace units = base::units;
using verb::Report;

io::Value document_of(Report& r, const render::Provenance& provenance = {},
                      const std::vector<render::Assumed>& assumed = {}) {
  return render::make_document(r.take(), provenance, assumed);
}

Comparison compared(const io::Value& a, const io::Value& b, double tolerance = 0) {
  return compare(render::read_outline(a), render::read_outline(b), tolerance);
}

std::vector<std::string> keys_of(const Comparison& c) {
  std::vector<std::string> keys;
  for (const Difference& d : c.differences) keys.push_back(d.key);
  return keys;
}

TEST(Compare, AResultDoesNotDifferFromItself) {
  const io::Value document = render::sample_document();
  const Comparison c = compared(document, document);
  EXPECT_TRUE(c.same());
  EXPECT_TRUE(c.causes.empty());
  EXPECT_GT(c.num_compared, 2600) << "every cell of the hourly table counts";
  EXPECT_EQ(c.max_weight(false), 0);
}

TEST(Compare, HeadlinesComeFirstThenTheLargestChange) {
  const auto report = [](double f) {
    Report r;
    r.value("small", 1.0 * f);
    r.value("large", 1.0 * f * f);
    r.text("note", f > 1 ? "more" : "base");
    r.value("first", 5.0 * f, {.headline = true});
    r.value("energy", 7.0 * f * units::kWh, {.headline = true});
    r.value("same", 1.0);
    return document_of(r);
  };
  const Comparison c = compared(report(1), report(1.5));
  EXPECT_EQ(keys_of(c),
            (std::vector<std::string>{"first", "energy_kwh", "large", "small", "note"}));
  EXPECT_EQ(c.num_compared, 6);
  EXPECT_EQ(c.differences[1].change(), 3.5);
  EXPECT_EQ(c.differences[1].relative_change(), 0.5);
  EXPECT_EQ(c.differences[1].text_a, "7 kWh");
  EXPECT_EQ(c.differences[1].text_b, "10.5 kWh");
  EXPECT_EQ(c.differences[4].text_a, "base");
  EXPECT_EQ(c.differences[4].weight(), 0);
  EXPECT_EQ(c.max_weight(false), 1.25);
  EXPECT_EQ(c.max_weight(true), 0.5);
}

TEST(Compare, FromZeroOrNothingCountsAsWhole) {
  Report a, b;
  a.value("from_zero", 0.0);
  b.value("from_zero", 1e-9);
  a.absent("from_nothing", {}, "no meter");
  b.value("from_nothing", 2.0);
  const Comparison c = compared(document_of(a), document_of(b));
  ASSERT_EQ(c.differences.size(), 2U);
  for (const Difference& d : c.differences) {
    EXPECT_EQ(d.relative_change(), std::nullopt);
    EXPECT_EQ(d.weight(), 1);
  }
  EXPECT_EQ(c.differences[1].text_a, "n/a (no meter)");
}

TEST(Compare, TextsShowTheDigitsThatDiffer) {
  Report a, b;
  a.value("time", 14.2101 * units::s);
  b.value("time", 14.2102 * units::s);
  const Comparison c = compared(document_of(a), document_of(b));
  EXPECT_EQ(c.differences.at(0).text_a, "14.2101 s");
  EXPECT_EQ(c.differences.at(0).text_b, "14.2102 s");
}

TEST(Compare, ToleranceIsOfTheLargerNumber) {
  Report a, b;
  a.value("x", 100.0);
  b.value("x", 101.0);
  const io::Value first = document_of(a), second = document_of(b);
  EXPECT_TRUE(compared(first, second, 0.0099).differences.size() == 1);
  const Comparison c = compared(first, second, 1.0 / 101);
  EXPECT_TRUE(c.same());
  EXPECT_EQ(c.num_within_tolerance, 1);
}

base::Estimate<base::Energy> even(double low, double high) {
  base::AnyEstimate body;
  body.nominal = (low + high) / 2 * 3.6e6;
  body.dimension = base::kEnergy;
  body.evidence = base::Evidence::modelled;
  base::Draws draws;
  for (std::size_t k = 0; k < draws.size(); ++k)
    draws[k] = 3.6e6 * (low + (high - low) * static_cast<double>(k) / 255);
  body.draws = std::make_shared<const base::Draws>(draws);
  return base::Estimate<base::Energy>(body);
}

TEST(Compare, SaysWhetherAChangeExceedsTheRanges) {
  const auto report = [](base::Estimate<base::Energy> x) {
    Report r;
    r.value("energy", x);
    return document_of(r);
  };
  const auto certainty = [&](const io::Value& a, const io::Value& b) {
    return compared(a, b).differences.at(0).certainty;
  };
  const io::Value low = report(even(1, 2)), wide = report(even(1, 4)), high = report(even(5, 6)),
                  point = report(3.0 * units::kWh), other = report(3.5 * units::kWh);
  EXPECT_EQ(certainty(low, wide), Certainty::within);
  EXPECT_EQ(certainty(low, high), Certainty::beyond);
  EXPECT_EQ(certainty(high, low), Certainty::beyond);
  EXPECT_EQ(certainty(wide, point), Certainty::within);
  EXPECT_EQ(certainty(point, low), Certainty::beyond);
  EXPECT_EQ(certainty(point, other), Certainty::certain);
}

io::Value strategies(const std::vector<std::string>& names, const std::vector<int>& devices,
                     const std::vector<double>& seconds) {
  Report r;
  std::vector<base::Time> times;
  for (const double s : seconds) times.push_back(s * units::s);
  r.table("plans").column("name", names).column("devices", devices).column("time", times);
  return document_of(r);
}

TEST(Compare, RowsAreJoinedByTheNamesThatTellThemApart) {
  const io::Value a = strategies({"ddp", "ddp", "fsdp"}, {8, 16, 8}, {1, 2, 3});
  const io::Value moved = strategies({"fsdp", "ddp", "ddp"}, {8, 16, 8}, {3, 2, 1});
  EXPECT_TRUE(compared(a, moved).same());
  const Comparison c = compared(a, strategies({"ddp", "fsdp", "tp"}, {16, 8, 8}, {2.5, 3, 9}));
  EXPECT_EQ(keys_of(c), std::vector<std::string>{"plans[ddp, 16].time_s"});
  ASSERT_EQ(c.unpaired.size(), 2U);
  EXPECT_EQ(c.unpaired[0].key, "plans[ddp, 8]");
  EXPECT_TRUE(c.unpaired[0].in_a);
  EXPECT_EQ(c.unpaired[1].key, "plans[tp, 8]");
  EXPECT_FALSE(c.unpaired[1].in_a);
}

TEST(Compare, RowsWithoutNamesAreJoinedByNumber) {
  const io::Value a = strategies({"ddp", "ddp"}, {8, 8}, {1, 2});
  const io::Value b = strategies({"ddp", "ddp", "ddp"}, {8, 8, 8}, {1, 3, 4});
  const Comparison c = compared(a, b);
  EXPECT_EQ(keys_of(c), std::vector<std::string>{"plans[1].time_s"});
  EXPECT_EQ(c.unpaired.at(0).key, "plans[2]");
}

TEST(Compare, ColumnsAndValuesOfOneSideAreListed) {
  Report a, b;
  a.value("gone", 1.0);
  a.table("t").column("name", std::vector<std::string>{"x"}).column("old", std::vector<int>{1});
  b.table("t").column("name", std::vector<std::string>{"x"}).column("new", std::vector<int>{1});
  b.table("u").column("name", std::vector<std::string>{"x"});
  const Comparison c = compared(document_of(a), document_of(b));
  std::vector<std::string> texts;
  for (const Unpaired& u : c.unpaired) texts.push_back((u.in_a ? "A " : "B ") + u.key);
  EXPECT_EQ(texts, (std::vector<std::string>{"A gone", "A t.old", "B t.new", "B u"}));
  EXPECT_FALSE(c.same());
}

TEST(Compare, SeriesAreComparedPointByPoint) {
  const auto report = [](std::vector<base::Power> values, base::Instant start = {}) {
    Report r;
    r.series("load", base::Series<base::Power>{start, 1.0 * units::h, std::move(values)});
    return document_of(r);
  };
  const io::Value a = report({1.0 * units::W, 2.0 * units::W, 4.0 * units::W});
  const Comparison c = compared(a, report({1.0 * units::W, 3.0 * units::W, 5.0 * units::W}));
  EXPECT_EQ(keys_of(c), (std::vector<std::string>{"load_w[1]", "load_w[2]"}));
  EXPECT_EQ(c.differences[0].long_data, "load_w");
  const Comparison shorter = compared(a, report({3.0 * units::W}));
  EXPECT_EQ(keys_of(shorter), std::vector<std::string>{"load_w[0]"}) << "what both have counts";
  ASSERT_EQ(shorter.unpaired.size(), 1u);
  EXPECT_EQ(shorter.unpaired[0].key, "load_w[1..2]");
  EXPECT_TRUE(shorter.unpaired[0].in_a);
  EXPECT_FALSE(compared(report({1.0 * units::W, 2.0 * units::W}), a).unpaired.at(0).in_a);
  const Comparison later = compared(a, report({1.0 * units::W}, base::Instant{} + 1.0 * units::h));
  EXPECT_EQ(keys_of(later), std::vector<std::string>{"load_w"});
  EXPECT_EQ(later.differences[0].text_b, "1 values from 1970-01-01T01:00:00Z, one each 3600 s");
}

TEST(Compare, ListsWhatWentInDifferently) {
  render::Provenance a, b;
  a.command_line = "greenline study run llama3-70b --grid ERCO --load=-5W -o a.json --json";
  b.command_line = "greenline study run 'my model' --grid CISO --load=-5W --fast --quiet";
  a.verb = b.verb = "study run";
  a.inputs = {{"grid.csv", std::string(64, '0')}};
  b.inputs = {{"grid.csv", std::string(64, 'f')}};
  a.facts = {{"h100.tdp", "700", "W", "nvidia", "built-in", "datasheet"}};
  b.facts = {{"h100.tdp", "750", "W", "user", "--set", "assumed"}};
  b.overrides = {"h100.tdp=750 W"};
  a.seed = 1;
  Report r, s;
  r.value("x", 1.0);
  s.value("x", 1.0);
  const io::Value first = document_of(r, a, {{"--pue", "1.1", "uptime"}, {"n", "1", ""}});
  const io::Value second = document_of(s, b, {{"--pue", "1.2", "uptime"}, {"n", "1", ""}});
  std::vector<std::string> texts;
  for (const Cause& c : compared(first, second).causes)
    texts.push_back(c.kind + "|" + c.key + "|" + c.a + "|" + c.b);
  EXPECT_EQ(texts,
            (std::vector<std::string>{
                "seed|seed|1|0", "flag|word 3|llama3-70b|my model", "flag|--grid|ERCO|CISO",
                "flag|--fast||given", "file|grid.csv|SHA-256 000000000000…|SHA-256 ffffffffffff…",
                "set|h100.tdp||750 W", "fact|h100.tdp|700 W (built-in, nvidia)|750 W (--set, user)",
                "assumed|--pue|1.1 (uptime)|1.2 (uptime)"}));
}

TEST(Compare, WhatALayoutNamesTwiceIsOneThing) {
  Report r;
  r.value("x", 1.0);
  io::Value document = document_of(r);
  io::Value::Array& layout = document["report"]["layout"].as_array();
  layout.push_back(io::Value(layout.front()));
  const Comparison c = compared(document, document);
  EXPECT_TRUE(c.same());
  EXPECT_EQ(c.num_compared, 1);
}

TEST(Compare, SurvivesTheLargestNumbers) {
  const auto of = [](double a, double b) {
    Report r, s;
    r.value("x", a);
    s.value("x", b);
    return compared(document_of(r), document_of(s)).differences.at(0);
  };
  const Difference d = of(1.7e308, -1.7e308);
  EXPECT_EQ(d.change(), std::nullopt) << "no double is that large";
  EXPECT_EQ(d.relative_change(), -2);
  EXPECT_EQ(d.weight(), 2);
  const Difference huge = of(1e-300, 1e300);
  EXPECT_EQ(huge.change(), 1e300);
  EXPECT_EQ(huge.relative_change(), std::nullopt);
  EXPECT_EQ(huge.weight(), std::numeric_limits<double>::max());
}

TEST(Compare, SeesWhatALayoutDoesNotName) {
  const auto document = [](double x, double y, bool more) {
    Report r;
    r.value("shown", 1.0 * units::kWh);
    r.table("t").column("name", std::vector<std::string>{"x"});
    io::Value d = document_of(r);
    d["result"]["hidden"]["energy_kwh"] = x;
    d["result"]["t"].as_array()[0]["extra_s"] = y;
    if (more) d["result"]["list"] = io::Value::Array{1, 2};
    return d;
  };
  const auto compared_whole = [](const io::Value& a, const io::Value& b) {
    render::Outline x = render::read_outline(a), y = render::read_outline(b);
    add_unlisted(a, x);
    add_unlisted(b, y);
    return compare(x, y, 0);
  };
  const io::Value a = document(1, 2, false), b = document(2, 3, true);
  EXPECT_TRUE(compared_whole(a, a).same());
  const Comparison c = compared_whole(a, b);
  EXPECT_EQ(keys_of(c), (std::vector<std::string>{"hidden.energy_kwh", "t.0.extra_s"}));
  EXPECT_EQ(c.differences.at(0).text_b, "2 kWh");
  ASSERT_EQ(c.unpaired.size(), 2u);
  EXPECT_EQ(c.unpaired[0].key, "list.0");
}

TEST(Compare, WhatALayoutNamesIsNotListedAgain) {
  const io::Value document = render::sample_document();
  render::Outline outline = render::read_outline(document);
  const std::size_t sections = outline.sections.size();
  add_unlisted(document, outline);
  EXPECT_EQ(outline.sections.size(), sections);
}

}  // namespace
}  // namespace greenline::app
