#include "catalog/hugging_face.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "catalog/entries.hpp"
#include "message_of.hpp"

namespace greenline::catalog {
namespace {

using base::DataError;
using base::UnsupportedError;

// The sizes that a configuration must have, and more.
std::string config(const std::string& type, const std::string& more = "") {
  return "{\"model_type\": \"" + type +
         "\", \"num_hidden_layers\": 32, \"hidden_size\": 4096, \"num_attention_heads\": 32, "
         "\"num_key_value_heads\": 8, \"intermediate_size\": 14336, \"vocab_size\": 128256, "
         "\"max_position_embeddings\": 8192" +
         (more.empty() ? "" : ", " + more) + "}";
}

ModelShape shape_of(const std::string& text, base::Journal* journal = nullptr) {
  return parse_hugging_face(text, "config.json", journal);
}

TEST(HuggingFace, LlamaIsTheShapeOfTheCatalogue) {
  const ModelShape m = shape_of(config("llama", "\"tie_word_embeddings\": false"));
  const ModelShape expected = model_shape(Catalog{base::Settings{}}, "llama3-8b");
  EXPECT_EQ(m.layers, expected.layers);
  EXPECT_EQ(m.hidden, expected.hidden);
  EXPECT_EQ(m.key_width(), expected.key_width());
  EXPECT_EQ(m.vocabulary, expected.vocabulary);
  EXPECT_EQ(m.sequence_length, expected.sequence_length);
  EXPECT_EQ(m.mlp, expected.mlp);
  EXPECT_EQ(m.norm, expected.norm);
  EXPECT_EQ(m.positions, expected.positions);
  EXPECT_EQ(m.biases, expected.biases);
  EXPECT_EQ(m.tied_embeddings, expected.tied_embeddings);
  EXPECT_EQ(m.family, expected.family);
}

TEST(HuggingFace, AFileStandsWhereverAModelIsNamed) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "my-model.json";
  std::ofstream(path) << config("llama");
  base::Settings settings;
  const ModelShape m = model_shape(Catalog(settings), path.string());
  EXPECT_EQ(m.id, "my-model");
  ASSERT_EQ(settings.journal->inputs().size(), 1U);
  EXPECT_EQ(settings.journal->inputs()[0].path, path.string());
  ASSERT_EQ(settings.journal->notices().size(), 1U);
  EXPECT_NE(settings.journal->notices()[0].find("8192 tokens"), std::string::npos);
}

TEST(HuggingFace, TheNameOfTheModelIsItsIdUnlessItIsAPath) {
  auto id = [](const char* name) {
    return shape_of(config("llama", "\"_name_or_path\": \"" + std::string(name) + "\"")).id;
  };
  EXPECT_EQ(id("meta-llama/Meta-Llama-3-8B"), "meta-llama/Meta-Llama-3-8B");
  for (const char* path : {"/data/models/llama", "./out", "", "a/b/c", "C:\\\\models", "x\\ny"})
    EXPECT_EQ(id(path), "config") << path;
}

TEST(HuggingFace, GroupsAndHeadsThatTheFileLeavesOut) {
  const std::string plain =
      R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4,
          "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 16,
          "num_key_value_heads": null})";
  EXPECT_EQ(shape_of(plain).kv_heads, 4);
  EXPECT_EQ(shape_of(plain).head_size, 16);
  EXPECT_EQ(shape_of(config("gemma")).head_size, 256);
  EXPECT_EQ(shape_of(config("qwen3")).head_size, 128);
  EXPECT_EQ(shape_of(config("qwen3", "\"head_dim\": 64")).head_size, 64);
}

// Llama 3.1 was trained with 8192 tokens; the longer context came afterwards.
TEST(HuggingFace, TheTrainingLengthIsThatBeforeTheContextWasExtended) {
  std::string text =
      config("llama", "\"rope_scaling\": {\"original_max_position_embeddings\": 4096}");
  EXPECT_EQ(shape_of(text).sequence_length, 4096);
  EXPECT_EQ(shape_of(config("phi3", "\"original_max_position_embeddings\": 2048")).sequence_length,
            2048);
  EXPECT_EQ(shape_of(config("llama", "\"rope_scaling\": {\"type\": \"linear\"}")).sequence_length,
            8192);
}

TEST(HuggingFace, AStretchedContextIsSaid) {
  const auto notices = [](const std::string& more) {
    base::Journal journal;
    shape_of(config("llama", more), &journal);
    return journal.notices();
  };
  const auto yarn = notices(
      "\"rope_scaling\": {\"rope_type\": \"yarn\", \"original_max_position_embeddings\": 4096}");
  ASSERT_EQ(yarn.size(), 2U);
  EXPECT_NE(yarn[0].find("(rope_scaling yarn): sequences are taken as 4096 tokens, the file allows "
                         "8192"),
            std::string::npos)
      << yarn[0];
  EXPECT_EQ(notices("\"rope_scaling\": {\"type\": \"linear\"}").size(), 2U);
  EXPECT_EQ(notices("\"original_max_position_embeddings\": 4096").size(), 2U);
  EXPECT_EQ(notices("\"rope_parameters\": {\"rope_type\": \"default\"}").size(), 1U);
  EXPECT_EQ(notices("\"rope_scaling\": null").size(), 1U);
}

TEST(HuggingFace, DropoutIsThatOfTheFile) {
  EXPECT_FALSE(shape_of(config("llama", "")).dropout);
  EXPECT_FALSE(shape_of(config("llama", "\"attention_dropout\": 0.0")).dropout);
  EXPECT_TRUE(shape_of(config("llama", "\"attention_dropout\": 0.1")).dropout);
  EXPECT_TRUE(shape_of(config("gpt2", "")).dropout);
  EXPECT_FALSE(
      shape_of(config("gpt2", "\"resid_pdrop\": 0.0, \"attn_pdrop\": 0, \"embd_pdrop\": 0"))
          .dropout);
}

TEST(HuggingFace, Biases) {
  auto biases = [](const char* type, const char* more) {
    return shape_of(config(type, more)).biases;
  };
  EXPECT_EQ(biases("llama", ""), Biases::none);
  EXPECT_EQ(biases("llama", "\"attention_bias\": true"), Biases::attention);
  EXPECT_EQ(biases("llama", "\"attention_bias\": true, \"mlp_bias\": true"), Biases::all);
  EXPECT_EQ(biases("qwen2", ""), Biases::query);
  EXPECT_EQ(biases("gpt_neox", ""), Biases::all);
  EXPECT_THROW(biases("llama", "\"mlp_bias\": true"), UnsupportedError);
}

TEST(HuggingFace, FirstLayersWithoutExperts) {
  const std::string experts =
      "\"num_experts\": 16, \"num_experts_per_tok\": 4, \"moe_intermediate_size\": 768";
  EXPECT_EQ(shape_of(config("qwen3_moe", experts)).experts->dense_layers, 0);
  EXPECT_EQ(shape_of(config("qwen3_moe", experts + ", \"mlp_only_layers\": [0, 1]"))
                .experts->dense_layers,
            2);
  EXPECT_THROW(shape_of(config("qwen3_moe", experts + ", \"mlp_only_layers\": [1]")),
               UnsupportedError);
  EXPECT_THROW(shape_of(config("qwen3_moe", experts + ", \"decoder_sparse_step\": 2")),
               UnsupportedError);
}

TEST(HuggingFace, WhatHasNoWordInAShapeIsSaid) {
  base::Journal journal;
  shape_of(config("mistral", "\"sliding_window\": 4096, \"quantization_config\": {}"), &journal);
  const std::vector<std::string> notices = journal.notices();
  ASSERT_EQ(notices.size(), 3U);  // sorted; the sum comes second
  EXPECT_NE(notices[0].find("quantization_config"), std::string::npos);
  EXPECT_NE(notices[1].find("shape of config (mistral)"), std::string::npos);
  EXPECT_NE(notices[2].find("sliding_window 4096"), std::string::npos);

  base::Journal quiet;
  shape_of(config("qwen2", "\"sliding_window\": 4096, \"use_sliding_window\": false"), &quiet);
  shape_of(config("mistral", "\"sliding_window\": 8192"), &quiet);
  shape_of(config("mistral", "\"sliding_window\": null"), &quiet);
  EXPECT_EQ(quiet.notices().size(), 2U);  // the sums of qwen2 and of mistral
}

TEST(HuggingFace, WhatNoShapeDescribesIsRefusedWithTheReason) {
  auto message = [](const std::string& type, const std::string& more = "") {
    return message_of<UnsupportedError>([&] { shape_of(config(type, more)); });
  };
  EXPECT_NE(message("deepseek_v3", "\"kv_lora_rank\": 512").find("latent attention"),
            std::string::npos);
  EXPECT_NE(message("t5", "\"is_encoder_decoder\": true").find("an encoder and a decoder"),
            std::string::npos);
  EXPECT_NE(message("gemma3", "\"text_config\": {}").find("several models"), std::string::npos);
  // Also where the rest would have a shape.
  EXPECT_NE(message("llama", "\"vision_config\": {}").find("several models"), std::string::npos);
  EXPECT_NE(message("deepseek", "\"kv_lora_rank\": 512").find("latent attention"),
            std::string::npos);
  EXPECT_NE(message("gpt2", "\"add_cross_attention\": true").find("attend to another model"),
            std::string::npos);
  EXPECT_NE(message("mamba").find("architecture \"mamba\""), std::string::npos);
  EXPECT_NE(message("mamba").find("qwen2_moe"), std::string::npos);  // what is read
  EXPECT_NE(message("mamba").find("config.json:1:16"), std::string::npos);
}

TEST(HuggingFace, BadValuesAreNamedWithTheirPlace) {
  auto message = [](const std::string& text) {
    return message_of<DataError>([&] { shape_of(text); });
  };
  const std::string start = "{\"model_type\": \"llama\",\n";
  EXPECT_NE(message(start + "\"num_hidden_layers\": -3}").find("config.json:2:22"),
            std::string::npos);
  EXPECT_NE(message(start + "\"num_hidden_layers\": -3}").find("got -3"), std::string::npos);
  EXPECT_NE(message(start + "\"num_hidden_layers\": \"3\"}").find("config.json:2:22"),
            std::string::npos);
  EXPECT_NE(message(start + "\"num_hidden_layers\": 1000000000}").find("100000000"),
            std::string::npos);
  EXPECT_NE(message(start + "\"num_hidden_layers\": 3}").find("no hidden_size"), std::string::npos);
  EXPECT_NE(message(config("llama", "\"num_key_value_heads\": 7")).find("duplicate"),
            std::string::npos);
  EXPECT_NE(message(config("mixtral", "\"num_local_experts\": 2, \"num_experts_per_tok\": 3"))
                .find("3 active experts of 2"),
            std::string::npos);
  EXPECT_NE(message("{}").find("no model_type"), std::string::npos);
  EXPECT_NE(message("[]").find("config.json:1:1"), std::string::npos);
}

}  // namespace
}  // namespace greenline::catalog
