#include "plan/madmax_oracle.hpp"

#include <cctype>

#include <gtest/gtest.h>

#include "io/file.hpp"
#include "plan/madmax.hpp"
#include "shared_data.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;

io::CsvTable table(const std::string& text) { return io::parse_csv(text, "results.csv"); }

const catalog::Catalog& facts() {
  static const catalog::Catalog kFacts{base::Settings{}};
  return kFacts;
}

constexpr const char* kHeader =
    "model,system,num_devices,num_nodes,dense_strategy,dense_degree,emb_strategy,emb_degree,"
    "local_dense_bs,local_emb_bs,task,global_bs,iter_ms,gemm_ms,emb_ms,all2all_ms,allreduce_ms,"
    "allgather_ms,reducescatter_ms,exposed_comm_ms\n";

TEST(MadmaxOracleTest, ColumnsSayWhatAFileIs) {
  EXPECT_TRUE(is_madmax_oracle(table(kHeader)));
  EXPECT_FALSE(is_madmax_oracle(table("Parameters (billion),# GPUs\n1,2\n")));
}

TEST(MadmaxOracleTest, ARowIsItsWorstColumn) {
  // The all-gather is off by 3e-6 of itself, all others by less than a printed digit.
  const auto rows = madmax_oracle_rows(
      facts(),
      table(std::string(kHeader) +
            "LLaMA_65B,DC_A-2048,2048,256,fsdp,2048,ddp,2048,1,1,pretrain,2048,4552.571299,"
            "2799.314643,0.103246,0,1.118471,1670.284,835.139494,1753.153409\n"));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].expected, 1670.284);
  EXPECT_NEAR(rows[0].got, 1670.278987, 1e-6);
  EXPECT_NE(rows[0].note.find("allgather_ms"), std::string::npos);
  EXPECT_FALSE(rows[0].pass());
  EXPECT_NE(rows[0].name.find("dense=fsdp2048;embedding=ddp2048"), std::string::npos);
}

TEST(MadmaxOracleTest, NamesOfTheFileLeadToTheCatalogue) {
  // Devices in the middle or at the end; capitals and underscores as the instance has them.
  const auto rows = madmax_oracle_rows(
      facts(), table(std::string(kHeader) +
                     "DLRM_A,CloudA-1024-p4d.24xlarge,1024,128,fsdp,1024,mp,1024,64,65536,pretrain,"
                     "65536,92.140898,1.113945,1.137319,1.490415,0,59.547085,29.773542,89.889634\n"
                     "DLRM_A,CloudA-8-p4d.24xlarge,8,1,ddp,8,mp,8,8192,65536,inference,65536,"
                     "271.781280,47.528307,72.788426,175.228700,0,0,0,151.464547\n"));
  ASSERT_EQ(rows.size(), 2U);
  for (const base::CheckRow& row : rows) EXPECT_TRUE(row.pass()) << row.name;
}

// What the rows of the file hold beside times: samples per second and bytes of weights.
TEST(MadmaxOracleTest, ThroughputAndWeightsAreThePrintedOnes) {
  GL_SHARED_OR_SKIP(shared);
  const std::string path = shared + "/oracles/madmax_oracle.csv";
  const io::CsvTable t = io::parse_csv(io::read_file(path), path);
  const auto checks = madmax_oracle_rows(facts(), t);
  const auto throughput = t.numbers("throughput_per_s"), batch = t.numbers("global_bs");
  const auto dense = t.numbers("dense_GB_per_dev"), embedding = t.numbers("emb_GB_per_dev");
  const auto models = t.texts("model"), systems = t.texts("system");
  const auto kinds = t.texts("dense_strategy"), tasks = t.texts("task");
  const auto devices = t.integers("num_devices");
  ASSERT_EQ(checks.size(), t.num_rows());
  int compared = 0;
  for (std::size_t r = 0; r < t.num_rows(); ++r) {
    ASSERT_TRUE(checks[r].pass()) << checks[r].name;
    if (!systems[r].starts_with("ZionEX") && !systems[r].starts_with("DC_A")) continue;
    ++compared;
    MadmaxProblem p;
    std::string model = models[r], strategy = kinds[r];
    for (char& c : model) c = c == '_' ? '-' : static_cast<char>(std::tolower(c));
    for (char& c : strategy) c = c == '+' ? ',' : c;
    p.shape = catalog::model_shape(facts(), model.starts_with("dlrm") ? model : model + "-madmax");
    p.system = madmax_system(facts(), systems[r].starts_with("DC_A") ? "dc-a" : "zionex");
    p.devices = devices[r];
    p.strategy = parse_class_strategy("dense=" + strategy);
    p.task = tasks[r] == "pretrain" ? Task::pretrain : Task::prefill;
    p.global_batch = static_cast<std::int64_t>(batch[r]);
    const MadmaxPlan plan = madmax(p);
    // Four decimals are printed.
    EXPECT_NEAR(plan.memory.dense_weights.in(units::GB), dense[r], 5.1e-5) << checks[r].name;
    EXPECT_NEAR(plan.memory.embedding_weights.in(units::GB), embedding[r], 5.1e-5)
        << checks[r].name;
    EXPECT_NEAR(plan.throughput.in(units::per_s), throughput[r], 1e-6 * throughput[r] + 1e-4)
        << checks[r].name;
  }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace greenline::plan
