#include <cmath>

#include <gtest/gtest.h>

#include "catalog/browse.hpp"
#include "catalog/entries.hpp"
#include "message_of.hpp"

namespace greenline::catalog {
namespace {

using base::Settings;
using base::UserError;
namespace units = base::units;

Catalog with(std::vector<std::string> overrides) {
  Settings settings;
  settings.overrides = std::move(overrides);
  return Catalog(settings);
}

TEST(Shapes, AnotherNameIsTheSameShape) {
  const Catalog facts{Settings{}};
  for (const auto& [name, id] : {std::pair{"llama-7b", "llama1-7b"},
                                 {"llama-13b", "llama1-13b"},
                                 {"llama-30b", "llama1-33b"},
                                 {"llama-33b", "llama1-33b"},
                                 {"llama-65b", "llama1-65b"}}) {
    const ModelShape other = model_shape(facts, name), shape = model_shape(facts, id);
    EXPECT_EQ(other.id, id) << name;
    EXPECT_EQ(other.layers, shape.layers) << name;
    EXPECT_EQ(other.batch_tokens, shape.batch_tokens) << name;
  }
}

TEST(Shapes, ANameForNothingIsNamed) {
  EXPECT_NE(message_of<UserError>([] {
              model_shape(with({"llama-7b.same_as=llama1-8b"}), "llama-7b");
            }).find("nearest: llama1-7b"),
            std::string::npos);
}

TEST(Shapes, ShowingAnotherNameShowsTheShape) {
  const ShowResult shown = show({.settings = {}, .name = "llama-65b"});
  ASSERT_GT(shown.facts.size(), 10U);
  EXPECT_EQ(shown.facts[0].id, "llama-65b.same_as");
  EXPECT_EQ(shown.facts[1].entry(), "llama1-65b");
}

TEST(Shapes, ExpertsAndImagesAndTables) {
  const Catalog facts{Settings{}};
  const ModelShape mixtral = model_shape(facts, "mixtral-8x7b");
  ASSERT_TRUE(mixtral.experts);
  EXPECT_EQ(mixtral.experts->experts, 8);
  EXPECT_EQ(mixtral.experts->active, 2);
  EXPECT_EQ(mixtral.experts->dense_layers, 0);
  EXPECT_EQ(mixtral.kind, ModelKind::decoder);
  EXPECT_EQ(mixtral.head_size, 128);

  const ModelShape vit = model_shape(facts, "vit-h");
  ASSERT_TRUE(vit.patches);
  EXPECT_EQ(vit.kind, ModelKind::vision);
  EXPECT_EQ(vit.layers, 32);                    // four in the MAD-Max row
  EXPECT_EQ(vit.sequence_length, 16 * 16 + 1);  // 224 / 14 = 16 a side, and the class token

  const ModelShape dlrm = model_shape(facts, "dlrm-a");
  ASSERT_TRUE(dlrm.recommender);
  EXPECT_EQ(dlrm.kind, ModelKind::recommender);
  EXPECT_EQ(dlrm.dense_bytes, 4);
}

// An entry that states its tokens has no class token unless they are more than the patches.
TEST(Shapes, StatedTokensOfAnImageCount) {
  const ModelShape vit = model_shape(Catalog{Settings{}}, "vit-l-madmax");
  EXPECT_EQ(vit.sequence_length, 196);
  EXPECT_EQ(vit.patches->class_tokens, 0);
}

TEST(Shapes, ImpossibleSizesAreRefused) {
  auto message = [](const char* model, const char* override) {
    return message_of<UserError>([&] { model_shape(with({override}), model); });
  };
  EXPECT_NE(message("mixtral-8x7b", "mixtral-8x7b.active_experts=9").find("9 active experts of 8"),
            std::string::npos);
  EXPECT_NE(
      message("deepseek-moe-16b", "deepseek-moe-16b.dense_layers=28").find("leave none of 28"),
      std::string::npos);
  EXPECT_NE(message("vit-h", "vit-h.patch_size=300").find("patches of 300 pixels"),
            std::string::npos);
  EXPECT_NE(message("vit-l-madmax", "vit-l-madmax.sequence_length=195").find("195 tokens"),
            std::string::npos);
  EXPECT_NE(message("vit-h", "vit-h.image_size=1000000").find("at most 100000"), std::string::npos);
  EXPECT_NE(message("llama3-8b", "llama3-8b.hidden=1e15").find("at most 100000000"),
            std::string::npos);
}

TEST(Systems, PricesAndHostLinksOfCloudNodes) {
  const Catalog facts{Settings{}};
  const System p5 = system(facts, "p5.48xlarge");
  EXPECT_EQ(p5.devices_per_node, 8);
  ASSERT_TRUE(p5.price && p5.host_bandwidth);
  EXPECT_NEAR(p5.price->in(units::USD_per_h)*8, 98.32, 1e-9);  // of the instance
  EXPECT_EQ(p5.inter_bandwidth.in(units::GB_per_s), 3200.0 / 8 / 8);
  EXPECT_EQ(system(facts, "a2-megagpu-16g").devices_per_node, 16);
  EXPECT_FALSE(system(facts, "dgx-h100").price);  // nobody rents it by this name
  for (const std::string& id : facts.entries("nodes")) {
    if (!facts.peek(id + ".host_bandwidth")) continue;
    EXPECT_LT(system(facts, id).host_bandwidth->in(units::GB_per_s), 100) << id;  // PCIe at most
  }
}

// Vendors say GB and mean at most GiB: one rule for all of them (data/README.md).
TEST(Accelerators, MemoryIsTheDecimalFigureOfTheVendor) {
  const Catalog facts{Settings{}};
  int devices = 0;
  for (const std::string& id : facts.entries("accelerators")) {
    const Fact* memory = facts.peek(id + ".memory");
    if (memory == nullptr) continue;
    ++devices;
    EXPECT_EQ(memory->unit, "GB") << id;
    const double gigabytes = facts.get<base::Data>(id + ".memory").in(units::GB);
    EXPECT_EQ(gigabytes, std::round(gigabytes)) << id;
    if (!facts.peek(id + ".memory_reported")) continue;
    const double reported = facts.get<base::Data>(id + ".memory_reported").in(units::GB);
    EXPECT_GE(reported, gigabytes) << id;
    EXPECT_LE(reported, gigabytes * 1.0738) << id << ": a GiB is 1.0737 GB";
  }
  EXPECT_GE(devices, 12);
}

// A device of Frontier is a die: half of a package in every respect.
TEST(Systems, ADeviceOfFrontierIsADie) {
  const System frontier = system(Catalog{Settings{}}, "frontier");
  EXPECT_EQ(frontier.devices_per_node, 8);
  EXPECT_EQ(2 * frontier.device.memory.in(units::GB), 128);
  EXPECT_EQ(
      2 * frontier.device.peak[static_cast<std::size_t>(Precision::bf16)]->in(units::TFLOP_per_s),
      383);
}

}  // namespace
}  // namespace greenline::catalog
