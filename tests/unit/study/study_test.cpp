#include "study/study.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "footprint/operational.hpp"
#include "io/toml.hpp"
#include "plan/iteration.hpp"
#include "plan/validation.hpp"
#include "study/new_study.hpp"
#include "study/options.hpp"
#include "study/supply.hpp"
#include "verb/fields.hpp"

namespace greenline::study {
namespace {

using base::Carbon;
using base::Energy;
using base::Estimate;
using base::Evidence;
using base::Instant;
using base::Power;
using base::Time;
using base::UserError;
namespace units = base::units;

StudyRequest llama() {
  StudyRequest r;
  r.plan.model = "llama3-70b";
  r.plan.on = "128xdgx-h100";
  r.tokens = 15e12;
  r.grid.grid = "ERCO";
  return r;
}

// One hour of sun and one without, for a day.
footprint::GridHours small_grid() {
  footprint::GridHours g;
  g.name = "small";
  g.kind = footprint::GridKind::generation;
  g.intensity = {Instant{0}, 1.0 * units::h,
                 std::vector<base::CarbonIntensity>(24, 400.0 * units::g_per_kWh)};
  g.solar = {Instant{0}, 1.0 * units::h, std::vector<Power>(24)};
  for (std::size_t i = 0; i < 24; i += 2) g.solar.values[i] = (i == 12 ? 50.0 : 25.0) * units::MW;
  g.wind = {Instant{0}, 1.0 * units::h, std::vector<Power>(24, 1.0 * units::MW)};
  return g;
}

TEST(Supply, ShapeIsScaledByItsLargestHour) {
  const auto solar =
      residual_model(small_grid(), {.wind = 0.0 * units::W, .solar = 10.0 * units::MW}).solar();
  EXPECT_EQ(solar.values[12].in(units::MW), 10);
  EXPECT_EQ(solar.values[0].in(units::MW), 5);
  EXPECT_EQ(solar.values[1].in(units::MW), 0);
}

TEST(Supply, WithoutCapacityItEqualsThePlainAccount) {
  const auto grid = small_grid();
  const Estimate<Time> duration(23.0 * units::h);
  const Estimate<Power> power(3.0 * units::MW);
  const auto with = carbon_with_supply(grid, {}, Instant{0}, duration, power);
  const auto plain = footprint::operational(grid, Instant{0}, duration, power);
  // Both add 23 products of the same numbers; only the order of additions differs.
  EXPECT_NEAR(with.nominal() / plain.nominal(), 1, 1e-12);
  EXPECT_NEAR(plain.nominal().in(units::kgCO2e), 3000 * 23 * .4, 1e-6);
}

TEST(Supply, WhatTheSiteCoversCausesNothing) {
  const auto grid = small_grid();
  const Estimate<Power> power(1.0 * units::MW);
  const Estimate<Time> day(24.0 * units::h);
  const SitePower plenty{.wind = 1.0 * units::MW, .solar = 0.0 * units::W};
  EXPECT_EQ(carbon_with_supply(grid, plenty, Instant{0}, day, power).nominal(), Carbon{});
  // Half the hours are covered by the sun.
  const SitePower sun{.wind = 0.0 * units::W, .solar = 100.0 * units::MW};
  EXPECT_NEAR(carbon_with_supply(grid, sun, Instant{0}, day, power).nominal().in(units::kgCO2e),
              12 * 1000 * .4, 1e-6);
}

TEST(Supply, AGridWithoutHoursHasNoShape) {
  auto grid = small_grid();
  grid.wind = {};
  EXPECT_THROW(residual_model(grid, {.wind = 1.0 * units::MW, .solar = {}}), UserError);
}

TEST(Study, SumsHoldBetweenHoursAndTotals) {
  const StudyResult x = run(llama());
  ASSERT_TRUE(x.hours.has_value());
  Energy energy;
  Carbon carbon;
  for (std::size_t i = 0; i < x.hours->energy.size(); ++i) {
    energy += x.hours->energy[i];
    carbon += x.hours->energy[i] * x.hours->intensity[i];
  }
  EXPECT_NEAR(energy / x.base.energy.nominal(), 1, 1e-9);
  EXPECT_NEAR(carbon / x.base.location.nominal(), 1, 1e-9);
  EXPECT_NEAR(x.base.mean_power.nominal() * x.base.duration.nominal() / x.base.energy.nominal(), 1,
              1e-12);
}

TEST(Study, ConstantGridMakesCarbonEnergyTimesIntensity) {
  StudyRequest r = llama();
  r.grid.grid = "400 g/kWh";
  r.standard_options = false;
  const StudyResult x = run(r);
  EXPECT_NEAR(x.base.location.nominal() / (x.base.energy.nominal() * (400.0 * units::g_per_kWh)), 1,
              1e-9);
}

TEST(Study, PueMovesTheMeterAndNotTheMachines) {
  StudyRequest r = llama();
  r.standard_options = false;
  r.pue = 1.0;
  const StudyResult one = run(r);
  r.pue = 1.5;
  const StudyResult more = run(r);
  EXPECT_EQ(one.base.it_energy.nominal(), more.base.it_energy.nominal());
  EXPECT_NEAR(more.base.energy.nominal() / one.base.energy.nominal(), 1.5, 1e-12);
  EXPECT_NEAR(one.base.energy.nominal() / one.base.it_energy.nominal(), 1, 1e-12);
}

TEST(Study, GoodputLengthensTheRunAtTheSamePower) {
  StudyRequest r = llama();
  r.standard_options = false;
  r.goodput = 1.0;
  const StudyResult all = run(r);
  r.goodput = 0.5;
  const StudyResult half = run(r);
  EXPECT_NEAR(half.base.duration.nominal() / all.base.duration.nominal(), 2, 1e-12);
  EXPECT_EQ(half.base.mean_power.nominal(), all.base.mean_power.nominal());
}

TEST(Study, CommonDriversCancelInOptions) {
  const StudyResult x = run(llama());
  ASSERT_FALSE(x.options.empty());
  for (const OptionRow& o : x.options) {
    const double width = o.delta.high().in(units::tCO2e)-o.delta.low().in(units::tCO2e);
    const double base = (x.base.total.high() - x.base.total.low()).in(units::tCO2e);
    const double option = (o.scenario.total.high() - o.scenario.total.low()).in(units::tCO2e);
    EXPECT_LT(width, base + option) << o.name;
    EXPECT_NEAR((o.scenario.total.nominal() - x.base.total.nominal()).in(units::tCO2e),
                o.delta.nominal().in(units::tCO2e), 1e-9);
  }
}

TEST(Study, AnOptionThatChangesNothingHasNoDelta) {
  StudyRequest r = llama();
  r.options = {Option{.name = "the same"}};
  const StudyResult x = run(r);
  EXPECT_EQ(x.options.at(0).delta.nominal(), Carbon{});
  EXPECT_EQ(x.options.at(0).delta.low(), Carbon{});
  EXPECT_EQ(x.options.at(0).delta.high(), Carbon{});
}

TEST(Study, AnchorsCompareLikeWithLike) {
  StudyRequest r = llama();
  r.standard_options = false;
  r.goodput = 0.8;
  const StudyResult x = run(r);
  const double of_steps = x.base.plan.tokens_per_s_per_device.nominal().in(units::per_s);
  int whole_runs = 0, steps = 0;
  for (const AnchorRow& a : x.throughput_anchors) {
    // Lost time is in a rate from device-hours, so the study's belongs in ours; in a step it is
    // not.
    EXPECT_NEAR(a.ours_here / of_steps, a.whole_run ? 0.8 : 1.0, 1e-12) << a.id;
    EXPECT_EQ(a.whole_run, a.id.ends_with("-run")) << a.id;
    ++(a.whole_run ? whole_runs : steps);
  }
  EXPECT_GT(whole_runs, 0);
  EXPECT_GT(steps, 0);
}

TEST(Study, AnchorsOfTheirOwnSetupAreThoseOfTheSelftest) {
  StudyRequest r = llama();
  r.standard_options = false;
  r.plan.model = "megatron-175b";
  r.plan.on = "128xdgx-a100-80";
  const catalog::Catalog facts(r.settings);
  const std::vector<plan::MeasuredRun> runs = plan::anchor_runs(facts);
  int compared = 0;
  for (const AnchorRow& a : run(r).throughput_anchors) {
    for (const plan::MeasuredRun& m : runs) {
      if (a.id != "anchor." + m.name) continue;
      ++compared;
      const Time ours = plan::iteration(m.problem, m.configuration).total();
      EXPECT_NEAR(a.ours_there.value() * ours.in(units::s) / m.tokens_per_device(), 1, 1e-12);
    }
  }
  EXPECT_GT(compared, 0);
}

TEST(Study, AStandardOptionWithoutAnAnswerIsLeftOutAndNamed) {
  StudyRequest r;
  r.plan.model = "llama3-8b";
  r.plan.on = "1xdgx-h100";
  r.grid.grid = "400 g/kWh";
  r.tokens = 1.2e14;  // some fifty years; half the devices would take over a hundred
  const StudyResult x = run(r);
  EXPECT_FALSE(x.options.empty());
  for (const OptionRow& o : x.options) EXPECT_NE(o.name, "half the devices");
  const auto notices = r.settings.journal->notices();
  EXPECT_TRUE(std::any_of(notices.begin(), notices.end(), [](const std::string& n) {
    return n.find("option half the devices is left out: ") != std::string::npos;
  }));
  // What the user asked for is not left out.
  r.options = {Option{.name = "half", .devices = 4}};
  EXPECT_THROW(run(r), UserError);
}

TEST(Study, StepsAndTokensAgree) {
  StudyRequest r = llama();
  r.standard_options = false;
  r.tokens.reset();
  r.steps = 1000;
  const StudyResult x = run(r);
  EXPECT_EQ(x.base.tokens, 1000 * x.base.plan.tokens);
  r.tokens = 1e12;
  EXPECT_THROW(run(r), UserError);
  r.tokens.reset();
  r.steps.reset();
  EXPECT_THROW(run(r), UserError);
}

TEST(Study, CancelReturnsTheStudyWithoutOptions) {
  struct Cancelled final : base::Progress {
    bool cancelled() override { return true; }
  } progress;
  const StudyResult x = run(llama(), progress);
  EXPECT_TRUE(x.interrupted);
  EXPECT_TRUE(x.options.empty());
  EXPECT_GT(x.base.energy.nominal(), Energy{});
}

TEST(Study, ARunOfCenturiesIsRefusedByName) {
  StudyRequest r = llama();
  r.tokens = 1e22;
  EXPECT_THROW(run(r), UserError);
}

// The template names every input, and uncommented it reads.
TEST(NewStudy, TemplateIsCompleteAndParses) {
  std::string text = study_template();
  StudyRequest request;
  verb::Fields fields;
  describe(fields, request);
  for (const auto& field : fields.all()) {
    const std::string leaf = field->name().substr(field->name().rfind('.') + 1);
    if (leaf == "standard_options") continue;  // a flag for the command line: no options at all
    // The rules of `grid size`, which its own page lists.
    if (field->name().find("site.power.size.") != std::string::npos) continue;
    EXPECT_NE(text.find(leaf == "options" ? "[[options]]" : leaf + " = "), std::string::npos)
        << field->name();
  }
  std::string uncommented;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    std::string line = text.substr(at, end - at);
    if (line.size() > 1 && line[0] == '#' && line[1] != ' ') line.erase(0, 1);
    // Alternatives of a key that is already there.
    if (line.starts_with("system =") || line.starts_with("devices = 1024")) line.clear();
    uncommented += line + "\n";
    at = end + 1;
  }
  fields.set_from(io::parse_toml(uncommented, "template.toml"));
  EXPECT_EQ(request.options.size(), 2U);
  EXPECT_EQ(request.plan.model, "llama3-70b");
}

}  // namespace
}  // namespace greenline::study
