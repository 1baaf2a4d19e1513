// Numbers of parameters as published: of catalogue entries, and of imported configurations. The
// configurations hold the published sizes alone.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "catalog/entries.hpp"
#include "catalog/hugging_face.hpp"
#include "model/workload.hpp"

namespace greenline::model {
namespace {

using catalog::ModelShape;

ModelShape shape_of(const char* id) {
  return catalog::model_shape(catalog::Catalog{base::Settings{}}, id);
}

struct Published {
  const char* id;
  double total;
};

// Tensor by tensor in the released checkpoints.
TEST(PublishedCounts, OfTheCatalogue) {
  for (const Published& p : {Published{"mixtral-8x7b", 46'702'792'704},
                             {"mixtral-8x22b", 140'620'634'112},
                             {"deepseek-moe-16b", 16'375'728'128},
                             {"qwen2.5-7b", 7'615'616'512},
                             {"qwen2.5-72b", 72'706'203'648},
                             {"llama3-8b", 8'030'261'248},
                             {"vit-l", 304'326'632},
                             {"vit-h", 632'045'800}})
    EXPECT_EQ(count_parameters(shape_of(p.id)).total(), p.total) << p.id;
}

// Their authors round: half a unit of the last digit.
TEST(PublishedCounts, ActiveParameters) {
  auto active = [](const char* id) { return count_parameters(shape_of(id)).active() / 1e9; };
  EXPECT_NEAR(active("mixtral-8x7b"), 12.9, 0.05);
  EXPECT_NEAR(active("mixtral-8x22b"), 39, 0.5);
  EXPECT_NEAR(active("deepseek-moe-16b"), 2.8, 0.05);
  EXPECT_EQ(active("llama3-8b"), 8.030261248);
}

// Within the rounding of the name: half a unit of its last digit.
TEST(PublishedCounts, NamesOfTheLargeViTsAreTheirSizes) {
  for (const Published& p :
       {Published{"vit-10b", 10e9}, {"vit-25b", 25e9}, {"vit-60b", 60e9}, {"vit-120b", 120e9}})
    EXPECT_NEAR(count_parameters(shape_of(p.id)).total() / p.total, 1, 0.025) << p.id;
}

// MAD-Max counts 801.17 billion parameters, 638.08 MFLOP and 11.55 MB of lookups a sample.
TEST(PublishedCounts, OfADlrm) {
  const ModelShape dlrm = shape_of("dlrm-a");
  EXPECT_NEAR(count_parameters(dlrm).total() / 1e9, 801.17, 0.005);
  EXPECT_NEAR(model_flops(dlrm, 1, 1, 1, Passes::forward).in(base::units::FLOP) / 1e6, 638.08,
              0.005);
  EXPECT_NEAR(lookup_bytes(*dlrm.recommender, dlrm.embedding_bytes).in(base::units::MB), 11.55,
              0.005);
}

// Modern names of the sizes: layers, hidden, heads, groups, feed-forward, vocabulary.
std::string modern(std::array<int, 6> s) {
  return "\"num_hidden_layers\": " + std::to_string(s[0]) +
         ", \"hidden_size\": " + std::to_string(s[1]) +
         ", \"num_attention_heads\": " + std::to_string(s[2]) +
         ", \"num_key_value_heads\": " + std::to_string(s[3]) +
         ", \"intermediate_size\": " + std::to_string(s[4]) +
         ", \"vocab_size\": " + std::to_string(s[5]) + ", \"max_position_embeddings\": 4096";
}

double total_of(const std::string& type, const std::string& keys) {
  return count_parameters(catalog::parse_hugging_face(
                              "{\"model_type\": \"" + type + "\", " + keys + "}", "config.json"))
      .total();
}

TEST(PublishedCounts, OfDenseConfigurations) {
  EXPECT_EQ(total_of("llama", modern({32, 4096, 32, 32, 11008, 32000})), 6'738'415'616);
  EXPECT_EQ(total_of("mistral", modern({32, 4096, 32, 8, 14336, 32000})), 7'241'732'096);
  EXPECT_EQ(total_of("qwen2", modern({28, 3584, 28, 4, 18944, 152064})), 7'615'616'512);
  EXPECT_EQ(total_of("qwen3", modern({36, 4096, 32, 8, 12288, 151936})), 8'190'735'360);
  EXPECT_EQ(total_of("phi3", modern({32, 3072, 32, 32, 8192, 32064})), 3'821'079'552);
  EXPECT_EQ(total_of("gemma", modern({28, 3072, 16, 16, 24576, 256000})), 8'537'680'896);
  EXPECT_EQ(total_of("gemma2", modern({42, 3584, 16, 8, 14336, 256000})), 9'241'705'984);
  EXPECT_EQ(total_of("gpt_neox", modern({44, 6144, 64, 64, 24576, 50432})), 20'554'567'680);
  EXPECT_EQ(total_of("gpt2",
                     "\"n_layer\": 12, \"n_embd\": 768, \"n_head\": 12, \"n_positions\": 1024, "
                     "\"vocab_size\": 50257, \"n_inner\": null"),
            124'439'808);
  EXPECT_EQ(total_of("opt",
                     "\"num_hidden_layers\": 32, \"hidden_size\": 4096, \"num_attention_heads\": "
                     "32, \"ffn_dim\": 16384, \"vocab_size\": 50272, "
                     "\"max_position_embeddings\": 2048, \"word_embed_proj_dim\": 4096"),
            6'658'473'984);
  EXPECT_EQ(total_of("bloom",
                     "\"n_layer\": 70, \"n_embed\": 14336, \"num_attention_heads\": 112, "
                     "\"vocab_size\": 250880"),
            176'247'271'424);
  EXPECT_EQ(total_of("falcon",
                     "\"num_hidden_layers\": 32, \"hidden_size\": 4544, \"num_attention_heads\": "
                     "71, \"vocab_size\": 65024, \"multi_query\": true, \"parallel_attn\": true"),
            6'921'720'704);
  EXPECT_EQ(total_of("falcon",
                     "\"num_hidden_layers\": 60, \"hidden_size\": 8192, \"num_attention_heads\": "
                     "128, \"num_kv_heads\": 8, \"vocab_size\": 65024, "
                     "\"new_decoder_architecture\": true"),
            41'303'293'952);
}

TEST(PublishedCounts, OfConfigurationsWithExperts) {
  EXPECT_EQ(total_of("mixtral", modern({32, 4096, 32, 8, 14336, 32000}) +
                                    ", \"num_local_experts\": 8, \"num_experts_per_tok\": 2"),
            46'702'792'704);
  EXPECT_EQ(total_of("qwen2_moe", modern({24, 2048, 16, 16, 5632, 151936}) +
                                      ", \"num_experts\": 60, \"num_experts_per_tok\": 4, "
                                      "\"moe_intermediate_size\": 1408, "
                                      "\"shared_expert_intermediate_size\": 5632"),
            14'315'784'192);
  EXPECT_EQ(total_of("qwen3_moe", modern({48, 2048, 32, 4, 6144, 151936}) +
                                      ", \"num_experts\": 128, \"num_experts_per_tok\": 8, "
                                      "\"moe_intermediate_size\": 768"),
            30'532'122'624);
  EXPECT_EQ(total_of("deepseek", modern({28, 2048, 16, 16, 10944, 102400}) +
                                     ", \"n_routed_experts\": 64, \"n_shared_experts\": 2, "
                                     "\"num_experts_per_tok\": 6, \"moe_intermediate_size\": "
                                     "1408, \"first_k_dense_replace\": 1, \"moe_layer_freq\": 1"),
            16'375'728'128);
}

TEST(PublishedCounts, OfAVisionConfiguration) {
  EXPECT_EQ(total_of("vit",
                     "\"num_hidden_layers\": 24, \"hidden_size\": 1024, \"num_attention_heads\": "
                     "16, \"intermediate_size\": 4096, \"image_size\": 224, \"patch_size\": 16, "
                     "\"num_labels\": 1000"),
            304'326'632);
}

}  // namespace
}  // namespace greenline::model
