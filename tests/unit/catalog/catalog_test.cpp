#include "catalog/catalog.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/quantity_text.hpp"
#include "catalog/browse.hpp"
#include "catalog/entries.hpp"
#include "catalog/facts_file.hpp"
#include "io/csv.hpp"
#include "io/file.hpp"
#include "message_of.hpp"
#include "shared_data.hpp"

namespace greenline::catalog {
namespace {

using base::DataError;
using base::Evidence;
using base::Settings;
using base::UserError;
namespace units = base::units;

std::string write_temp(const std::string& name, const std::string& text) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "greenline-catalog";
  std::filesystem::create_directories(folder);
  const auto path = folder / name;
  std::ofstream(path) << text;
  return path.string();
}

TEST(Catalog, EveryFactIsUsable) {
  const Catalog facts{Settings{}};
  ASSERT_GT(facts.facts().size(), 1000U);
  for (const Fact& f : facts.facts()) {
    EXPECT_NE(f.source, "") << f.id;
    EXPECT_TRUE(find_source(f.source)) << f.id << " cites " << f.source;
    if (f.is_text()) continue;
    EXPECT_TRUE(std::isfinite(f.value.value)) << f.id;
    if (f.low) {
      EXPECT_LE(*f.low, f.value.value) << f.id;
    }
    if (f.high) {
      EXPECT_GE(*f.high, f.value.value) << f.id;
    }
  }
}

TEST(Catalog, LookupRecordsUseOnceAndPeekDoesNot) {
  const Settings settings;
  const Catalog facts(settings);
  EXPECT_TRUE(facts.peek("h100-sxm.tdp"));
  EXPECT_TRUE(settings.journal->facts().empty());
  EXPECT_EQ(facts.get<base::Power>("h100-sxm.tdp").in(units::W), 700);
  EXPECT_EQ(facts.get<base::Power>("h100-sxm.tdp").in(units::W), 700);
  ASSERT_EQ(settings.journal->facts().size(), 1U);
  EXPECT_EQ(settings.journal->facts()[0].id, "h100-sxm.tdp");
}

TEST(Catalog, UnknownNamesNameTheNearest) {
  const Catalog facts{Settings{}};
  EXPECT_NE(message_of<UserError>([&] { facts.at("h100-sxm.tpd"); }).find("h100-sxm.tdp"),
            std::string::npos);
  EXPECT_NE(message_of<UserError>([&] { model_shape(facts, "lama3-70b"); }).find("llama3-70b"),
            std::string::npos);
  EXPECT_NE(message_of<UserError>([&] { system(facts, "dgx-h1000"); }).find("dgx-h100"),
            std::string::npos);
}

TEST(Catalog, WrongDimensionSaysBoth) {
  const Catalog facts{Settings{}};
  const std::string message = message_of<UserError>([&] { facts.get<base::Time>("h100-sxm.tdp"); });
  EXPECT_NE(message.find("time"), std::string::npos) << message;
  EXPECT_NE(message.find("W"), std::string::npos) << message;
}

TEST(Catalog, EstimateUsesTheFactsIntervalAsDriver) {
  const Catalog facts{Settings{}};
  const auto pue = facts.estimate<double>("facility.pue");
  const Fact& fact = facts.at("facility.pue");
  EXPECT_EQ(pue.nominal(), fact.value.value);
  // Ranks are 1/256 apart, so the 5 % and 95 % points of the draws lie within half a rank of the
  // driver's low and high: 0.002 of probability, which is 0.019 standard deviations there, 1.2 % of
  // the way from the nominal.
  EXPECT_NEAR(pue.low(), *fact.low, 0.012 * (fact.value.value - *fact.low));
  EXPECT_NEAR(pue.high(), *fact.high, 0.012 * (*fact.high - fact.value.value));
  ASSERT_EQ(pue.any().drivers.size(), 1U);
  EXPECT_EQ(pue.any().drivers[0]->id, "facility.pue");
}

TEST(Catalog, EstimateWithoutIntervalTakesTheBandOfItsEvidence) {
  const Catalog facts{Settings{}};
  const Fact& fact = facts.at("facility-gcp.pue");
  ASSERT_FALSE(fact.low.has_value());
  const base::Band band = base::default_band(fact.evidence);
  const auto pue = facts.estimate<double>("facility-gcp.pue");
  EXPECT_EQ(pue.any().drivers[0]->low, fact.value.value * band.low);
  EXPECT_EQ(pue.any().drivers[0]->high, fact.value.value * band.high);
}

TEST(Catalog, OverrideReplacesOneFactAndSaysSo) {
  Settings settings;
  settings.overrides = {"h100-sxm.tdp=650 W"};
  const Catalog facts(settings);
  EXPECT_EQ(facts.get<base::Power>("h100-sxm.tdp").in(units::W), 650);
  EXPECT_EQ(facts.at("h100-sxm.tdp").source, "user");
  EXPECT_EQ(facts.at("h100-sxm.tdp").origin, "user --set");
  EXPECT_TRUE(facts.at("h100-sxm.tdp").is_user());
  EXPECT_EQ(facts.at("h100-sxm.tdp").text, "650") << "in the unit of the fact";
  EXPECT_TRUE(facts.estimate<base::Power>("h100-sxm.tdp").any().drivers.empty());
}

TEST(Catalog, OverrideErrors) {
  auto with = [](const std::string& text) {
    Settings settings;
    settings.overrides = {text};
    return message_of<UserError>([&] { Catalog{settings}; });
  };
  EXPECT_NE(with("h100-sxm.tpd=1 W").find("h100-sxm.tdp"), std::string::npos);
  EXPECT_NE(with("h100-sxm.tdp=1 s").find("power"), std::string::npos);
  EXPECT_NE(with("h100-sxm.tdp").find("KEY=VALUE"), std::string::npos);
}

TEST(Overlay, TomlAddsAndOverridesMarkedUser) {
  Settings settings;
  settings.overlay_directories = {write_temp("mine.toml", R"(
[accelerators.my-chip]
generation = "hopper"
tdp = "300 W"
memory = { value = "64 GB", note = "data sheet of the vendor" }
[accelerators.h100-sxm]
tdp = { value = "600 W", low = "550 W", high = "650 W" }
)")};
  const Catalog facts(settings);
  EXPECT_EQ(facts.get<base::Power>("my-chip.tdp").in(units::W), 300);
  EXPECT_EQ(facts.text("my-chip.generation"), "hopper");
  EXPECT_EQ(facts.get<base::Data>("my-chip.memory").in(units::GB), 64);
  EXPECT_EQ(facts.get<base::Power>("h100-sxm.tdp").in(units::W), 600);
  EXPECT_EQ(facts.estimate<base::Power>("h100-sxm.tdp").any().drivers.at(0)->low, 550);
  EXPECT_NE(facts.at("my-chip.tdp").origin.find("mine.toml:4"), std::string::npos)
      << facts.at("my-chip.tdp").origin;
  ASSERT_EQ(settings.journal->inputs().size(), 1U);
}

TEST(Overlay, TheLaterOfTwoWins) {
  Settings settings;
  settings.overlay_directories = {
      write_temp("one.toml", "[accelerators.h100-sxm]\ntdp = \"1 W\"\n"),
      write_temp("two.toml", "[accelerators.h100-sxm]\ntdp = \"2 W\"\n")};
  settings.overrides = {"h100-sxm.memory=1 GB", "h100-sxm.memory=2 GB"};
  const Catalog facts(settings);
  EXPECT_EQ(facts.get<base::Power>("h100-sxm.tdp").in(units::W), 2);
  EXPECT_EQ(facts.get<base::Data>("h100-sxm.memory").in(units::GB), 2);
  EXPECT_EQ(facts.at("h100-sxm.tdp").quantity, Catalog{Settings{}}.at("h100-sxm.tdp").quantity);
}

TEST(Overlay, BoundsHaveTheDimensionOfTheirValue) {
  const auto message = [](const std::string& property) {
    return message_of<DataError>(
        [&] { parse_facts_toml("[accelerators.x]\ntdp = " + property, "mine.toml"); });
  };
  EXPECT_NE(message(R"({ value = "7 kW", low = "1 s" })").find("mine.toml:2:"), std::string::npos);
  EXPECT_NE(message(R"({ value = "7 kW", low = "1 s" })").find("low is time"), std::string::npos);
  EXPECT_NE(message(R"({ value = "7 kW", low = 5 })").find("a plain number"), std::string::npos);
  EXPECT_NE(message(R"({ value = "7 kW", high = "6 kW" })").find("low <= value"),
            std::string::npos);
  EXPECT_NE(message(R"({ low = 1 })").find("no `value`"), std::string::npos);
}

TEST(Overlay, CsvUsesTheShippedLayout) {
  const std::string header = "id,quantity,value,unit,low,high,source,year,note\n";
  Settings settings;
  settings.overlay_directories = {write_temp(
      "accelerators.csv", header + "my-chip.tdp,power,300,W,,,user,2026,[datasheet] x\n")};
  EXPECT_EQ(Catalog(settings).get<base::Power>("my-chip.tdp").in(units::W), 300);
}

TEST(Overlay, ErrorsNameFileLineAndColumn) {
  const std::string header = "id,quantity,value,unit,low,high,source,year,note\n";
  auto message = [&](const std::string& row) {
    return message_of<DataError>(
        [&] { parse_facts_csv(header + row, "facts.csv", "accelerators"); });
  };
  EXPECT_NE(message("a.b,x,5,W,6,7,s,2020,[measured] n\n").find("facts.csv:2"), std::string::npos);
  EXPECT_NE(message("a.b,x,5,W,6,7,s,2020,[measured] n\n").find("low <= value <= high"),
            std::string::npos);
  EXPECT_NE(message("a.b,x,5,wat,,,s,2020,[measured] n\n").find("facts.csv:2"), std::string::npos);
  EXPECT_NE(message("ab,x,5,W,,,s,2020,[measured] n\n").find("<entry>.<property>"),
            std::string::npos);
  EXPECT_NE(message("a.b,x,5,W,,,s,2020,no class\n").find("evidence class"), std::string::npos);
  EXPECT_NE(message("a.b,x,nan,W,,,s,2020,[measured] n\n").find("facts.csv:2"), std::string::npos);
  EXPECT_NE(message("a.b,x,5,W,,,s,1e300,[measured] n\n").find("expected a year"),
            std::string::npos);
  EXPECT_NE(message_of<DataError>([&] {
              parse_facts_csv("id,value\na,1\n", "facts.csv", "x");
            }).find("expected the columns"),
            std::string::npos);
}

TEST(Entries, EverySystemAndModelReads) {
  const Catalog facts{Settings{}};
  int systems = 0, models = 0;
  for (const std::string& id : facts.entries("nodes")) {
    if (!facts.peek(id + ".inter_bandwidth")) continue;
    const System s = system(facts, id);
    EXPECT_GT(s.devices_per_node, 0) << id;
    EXPECT_GT(s.device.memory.in(units::GB), 0) << id;
    ++systems;
  }
  for (const std::string& id : facts.entries("models")) {
    const ModelShape m = model_shape(facts, id);
    EXPECT_EQ(why_no_shape(m), "") << id;
    EXPECT_EQ(m.recommender.has_value(), m.layers == 0) << id;
    ++models;
  }
  EXPECT_GE(systems, 4);
  EXPECT_GE(models, 16);
}

TEST(Entries, PublishedFacts) {
  const Catalog facts{Settings{}};
  const Accelerator h100 = accelerator(facts, "h100-sxm");
  // Dense peaks: the data sheet's figures with sparsity are twice these.
  EXPECT_NEAR(h100.peak[static_cast<std::size_t>(Precision::bf16)]->in(units::TFLOP_per_s), 989.4,
              0.5);
  EXPECT_EQ(h100.memory.in(units::GB), 80);
  const ModelShape llama = model_shape(facts, "llama3-70b");
  EXPECT_EQ(llama.kv_heads, 8);
  EXPECT_EQ(llama.vocabulary, 128256);
  EXPECT_FALSE(llama.tied_embeddings);
}

TEST(Entries, ABadShapeIsRefused) {
  Settings settings;
  settings.overrides = {"llama3-70b.heads=63"};
  const Catalog facts(settings);
  EXPECT_NE(message_of<UserError>([&] { model_shape(facts, "llama3-70b"); }).find("not a multiple"),
            std::string::npos);
}

TEST(Entries, AnchorsHaveASourceAndAFigure) {
  const std::vector<Anchor> all = anchors(Catalog{Settings{}});
  ASSERT_GT(all.size(), 20U);
  for (const Anchor& a : all) {
    EXPECT_TRUE(find_source(a.source)) << a.id;
    EXPECT_NE(a.model, "") << a.id;
    EXPECT_TRUE(a.rate() || a.work_rate || a.node_power || a.memory) << a.id;
  }
}

TEST(Entries, AnAnchorsRateIsStatedOrFollowsFromItsRun) {
  Anchor a;
  EXPECT_FALSE(a.rate());
  a.iteration_time = 10.0 * units::s;
  a.global_batch = 64;
  a.sequence_length = 2048;
  a.devices = 8;
  EXPECT_EQ(a.rate()->in(units::per_s), 64 * 2048 / 10.0 / 8);
  a.tokens = 7.2e9;
  a.device_time = 1000.0 * units::h;
  EXPECT_DOUBLE_EQ(a.rate()->in(units::per_s), 2000);
  EXPECT_TRUE(a.is_whole_run());
  a.token_rate = 5.0 * units::per_s;
  EXPECT_EQ(a.rate()->in(units::per_s), 5);
  EXPECT_FALSE(a.is_whole_run());
}

// The shipped country rows against the file they carry over.
TEST(Countries, EqualTheReferenceFile) {
  GL_SHARED_OR_SKIP(shared);
  const Catalog facts{Settings{}};
  const std::string path = shared + "/oracles/grid_ci_country.csv";
  const io::CsvTable table = io::parse_csv(io::read_file(path), path);
  const std::vector<std::string> iso = table.texts("iso3");
  const std::vector<double> expected = table.numbers("gCO2e_per_kWh");
  ASSERT_EQ(iso.size(), 213U);
  for (std::size_t i = 0; i < iso.size(); ++i)
    EXPECT_DOUBLE_EQ(
        facts.get<base::CarbonIntensity>("country." + iso[i] + ".intensity").in(units::g_per_kWh),
        expected[i])
        << iso[i];
}

TEST(Browse, ShowFindsEntriesAndFacts) {
  EXPECT_GT(show({.settings = {}, .name = "h100-sxm"}).facts.size(), 5U);
  EXPECT_EQ(show({.settings = {}, .name = "h100-sxm.tdp"}).facts.size(), 1U);
  EXPECT_NE(
      message_of<UserError>([] { show({.settings = {}, .name = "h100-smx"}); }).find("h100-sxm"),
      std::string::npos);
}

TEST(Browse, CiteGroupsFactsBySource) {
  const std::string file = write_temp("result.json", R"({"greenline":{"provenance":{"facts":[
    {"id":"h100-sxm.tdp","source":"wu2022"},{"id":"x.y","source":"user"},{"id":"facility.pue","source":"wu2022"}]}}})");
  const CiteResult result = cite({.settings = {}, .file = file});
  ASSERT_EQ(result.references.size(), 1U);
  EXPECT_EQ(result.references[0].facts.size(), 2U);
  EXPECT_NE(result.references[0].source.title, "");
  EXPECT_EQ(result.user_facts, std::vector<std::string>{"x.y"});
  const std::string other = write_temp("other.json", "{}");
  EXPECT_NE(
      message_of<DataError>([&] { cite({.settings = {}, .file = other}); }).find("not a result"),
      std::string::npos);
}

}  // namespace
}  // namespace greenline::catalog
