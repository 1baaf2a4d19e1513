#include "plan/calibrate.hpp"

#include <gtest/gtest.h>

#include "catalog/facts_file.hpp"

namespace greenline::plan {
namespace {

CalibrateResult result() {
  CalibrateResult x;
  x.system = "dgx-a100-80";
  x.generation = "ampere";
  x.error = 0.05;
  x.held_out_error = 0.08;
  x.fastest = 0.9;
  x.slowest = 1.25;
  x.rows.resize(9);
  x.constants = {{"ampere.matmul_efficiency", "1", 0.78, 0.75, 0.7, 0.8, false},
                 {"ampere.kernel_overhead", "us", 8, 31.5, std::nullopt, std::nullopt, false}};
  return x;
}

const catalog::Fact* find(const std::vector<catalog::Fact>& facts, const std::string& id) {
  for (const catalog::Fact& fact : facts)
    if (fact.id == id) return &fact;
  return nullptr;
}

TEST(SystemFileTest, SaysWhatTheCatalogueReads) {
  const auto facts = catalog::parse_facts_toml(system_file_text(result()), "a100.toml");
  ASSERT_EQ(facts.size(), 4u);
  ASSERT_NE(find(facts, "dgx-a100-80.name"), nullptr);
  EXPECT_EQ(find(facts, "dgx-a100-80.name")->kind, "nodes");
  const catalog::Fact* share = find(facts, "ampere.matmul_efficiency");
  ASSERT_NE(share, nullptr);
  EXPECT_EQ(share->kind, "efficiency");
  EXPECT_EQ(share->value.value, 0.75);
  EXPECT_EQ(share->low, 0.7);
  EXPECT_EQ(share->high, 0.8);
  EXPECT_NE(share->note.find("9 runs"), std::string::npos);
  EXPECT_NE(share->note.find("8.0 % on a model size that was left out"), std::string::npos);
  const catalog::Fact* overhead = find(facts, "ampere.kernel_overhead");
  ASSERT_NE(overhead, nullptr);
  EXPECT_NEAR(overhead->value.value, 31.5e-6, 1e-18);
  EXPECT_FALSE(overhead->low.has_value());
  const catalog::Fact* band = find(facts, "plan.ampere.time");
  ASSERT_NE(band, nullptr);
  EXPECT_EQ(band->low, 0.9);
  EXPECT_EQ(band->high, 1.25);
}

TEST(SystemFileTest, KeepsWhatTheUsersFileSaysOfTheMachine) {
  CalibrateResult x = result();
  x.system = "mine";
  x.inherited = catalog::parse_facts_toml(
      "[nodes.mine]\nname = 'My \"best\" node'\ndevice = 'a100-80'\n"
      "inter_bandwidth = { value = '12.5 GB/s', low = '10 GB/s', note = 'half of the ports' }\n"
      "[efficiency.ampere]\nmatmul_efficiency = 0.5\nintra_latency = '7 us'\n",
      "mine.toml");
  const auto facts = catalog::parse_facts_toml(system_file_text(x), "a100.toml");
  EXPECT_EQ(find(facts, "mine.name")->text, "mine, calibrated");
  EXPECT_EQ(find(facts, "mine.device")->text, "a100-80");
  EXPECT_NEAR(find(facts, "mine.inter_bandwidth")->value.value, 12.5e9, 1);
  EXPECT_NEAR(find(facts, "mine.inter_bandwidth")->low.value(), 10e9, 1);
  EXPECT_EQ(find(facts, "mine.inter_bandwidth")->note, "half of the ports");
  EXPECT_NEAR(find(facts, "ampere.intra_latency")->value.value, 7e-6, 1e-15);
  EXPECT_EQ(find(facts, "ampere.matmul_efficiency")->value.value, 0.75);
}

TEST(SystemFileTest, SaysWhenTheFitWasInterrupted) {
  CalibrateResult x = result();
  EXPECT_EQ(system_file_text(x).find("interrupted"), std::string::npos);
  x.interrupted = true;
  EXPECT_NE(system_file_text(x).find("interrupted"), std::string::npos);
}

}  // namespace
}  // namespace greenline::plan
