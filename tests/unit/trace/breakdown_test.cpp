#include "trace/breakdown.hpp"

#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "io/file.hpp"
#include "shared_data.hpp"
#include "trace/selftest.hpp"

namespace greenline::trace {
namespace {

RankBreakdown of(const std::string& events, Orphans orphans = Orphans::drop) {
  return break_down({}, io::read_trace("{\"traceEvents\":[" + events + "]}", "test"), orphans);
}

std::string code_of(const std::string& events) {
  try {
    of(events);
  } catch (const base::DataError& error) {
    return error.code();
  }
  return "";
}

TEST(BreakdownTest, SelftestOfTheRoomPasses) {
  base::SelftestRequest request;
  request.root = testing::shared_folder();
  const auto rows = selftest(request, base::no_progress());
  EXPECT_GE(rows.size(), request.root.empty() ? 6U : 36U);
  for (const base::CheckRow& row : rows) EXPECT_TRUE(row.pass()) << row.name << " " << row.got;
}

// Computed by an independent union of intervals with fills among the rest.
TEST(BreakdownTest, EightRanksOfARecommender) {
  GL_SHARED_OR_SKIP(shared);
  constexpr std::int64_t kExpected[8][5] = {
      {13009, 773, 261, 5537, 6438}, {18749, 966, 280, 11056, 6447}, {11350, 793, 275, 3217, 7065},
      {18853, 916, 324, 9450, 8163}, {16589, 1089, 37, 6550, 8913},  {16392, 1001, 40, 6211, 9140},
      {11410, 782, 269, 3289, 7070}, {10967, 893, 166, 1580, 8328}};
  BreakdownRequest request;
  request.files = {shared + "/data/traces/param/dlrm_kineto.tar.gz"};
  request.orphans = Orphans::keep;
  const BreakdownResult kept = breakdown(request);
  ASSERT_EQ(kept.ranks.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    const DeviceTimes& t = kept.ranks[i].times;
    // The stamps are whole microseconds: so are the figures.
    const std::int64_t got[5] = {t.total / 1000, t.exposed_computation / 1000, t.overlapped / 1000,
                                 t.exposed_communication / 1000,
                                 (t.idle + t.exposed_memcpy + t.exposed_memset) / 1000};
    EXPECT_EQ(kept.ranks[i].identity.rank, static_cast<std::int64_t>(i));
    for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(got[k], kExpected[i][k]) << i << " " << k;
    ASSERT_EQ(kept.ranks[i].steps.size(), 1U);
    EXPECT_EQ(kept.ranks[i].steps[0].number, 10);
  }
  request.orphans = Orphans::drop;
  const BreakdownResult dropped = breakdown(request);
  EXPECT_EQ(dropped.ranks[1].counts.orphans, 64);
  EXPECT_EQ(dropped.ranks[3].counts.orphans, 64);
  EXPECT_EQ(dropped.ranks[1].times.total, 18'467'000);
  EXPECT_EQ(dropped.ranks[3].times.total, 17'511'000);
  EXPECT_EQ(dropped.ranks[0].counts.orphans, 0);
}

// The classes of a peer, which sorts what we tell apart into "other".
const char* peer_class(model::OperatorClass c) {
  using C = model::OperatorClass;
  switch (c) {
    case C::gemm:
      return "GEMM";
    case C::convolution:
      return "CONV_fwd";
    case C::normalisation:
      return "NORM_fwd";
    case C::elementwise:
      return "elementwise";
    case C::reduction:
      return "reduce";
    default:
      return "other";
  }
}

TEST(BreakdownTest, OperatorClassesAreThoseOfAPeer) {
  GL_SHARED_OR_SKIP(shared);
  const std::string folder = shared + "/data/traces/tracelens/";
  std::size_t num_rows = 0;
  for (const char* name : {"h100_Falconsai_nsfw_image_detection__1016002",
                           "h100_facebook_timesformer-base-finetuned-k400__1016002",
                           "h100_gaunernst_bert-small-uncased__1016001"}) {
    BreakdownRequest request;
    request.files = {folder + name + ".json.gz"};
    std::map<std::string, std::pair<std::int64_t, double>> ours;
    for (const ClassRow& row : breakdown(request).operators) {
      auto& [number, total] = ours[peer_class(row.its_class)];
      number += row.number;
      total += static_cast<double>(row.total) / 1e6;
    }
    const std::string csv = folder + name + "_csv/ops_summary_by_category.csv";
    const io::CsvTable table = io::parse_csv(io::read_file(csv), csv);
    const auto numbers = table.integers("Count");
    const auto totals = table.numbers("total_direct_kernel_time_ms");
    for (std::size_t i = 0; i < table.num_rows(); ++i) {
      const std::string category(table.cell(i, table.column("op category")));
      EXPECT_EQ(ours[category].first, numbers[i]) << name << " " << category;
      // The peer adds up doubles: 12 ns for each of at most 200 kernels.
      EXPECT_NEAR(ours[category].second, totals[i], 2.4e-3) << name << " " << category;
      ++num_rows;
    }
  }
  EXPECT_EQ(num_rows, 16U);
}

TEST(BreakdownTest, WorkWithoutTimesAndOfAbsurdLengthIsLeftOut) {
  const std::string launch =
      R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1,"dur":1,"args":{"correlation":1}},)";
  const RankBreakdown x = of(launch + R"(
      {"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":0,"dur":0,"args":{"correlation":1}},
      {"ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,"ts":100,"dur":5000000,"args":{"correlation":1}},
      {"ph":"X","cat":"kernel","name":"c","pid":0,"tid":7,"ts":200,"dur":10,"args":{"correlation":1}},
      {"ph":"X","cat":"kernel","name":"d","pid":0,"tid":7,"ts":205,"dur":10,"args":{"correlation":1}},
      {"ph":"X","cat":"kernel","name":"e","pid":0,"tid":8,"ts":205,"dur":0,"args":{"correlation":2}})");
  EXPECT_EQ(x.counts.all, 5);
  EXPECT_EQ(x.counts.unstamped, 1);
  EXPECT_EQ(x.counts.absurd_durations, 1);
  EXPECT_EQ(x.counts.same_stream_overlaps, 1);
  EXPECT_EQ(x.counts.orphans, 1);
  EXPECT_EQ(x.times.total, 15'000);
  EXPECT_EQ(x.times.computation, 15'000);
}

TEST(BreakdownTest, OldNamesOtherVendorsAndTheirLaunches) {
  for (const auto& [work, launch] :
       std::map<std::string, std::string>{{"Kernel", "Runtime"},
                                          {"kernel", "cuda_driver"},
                                          {"mtia_ccp_events", "mtia_runtime"},
                                          {"kernel ", "hip_runtime"}}) {
    const std::string category = work.ends_with(' ') ? work.substr(0, work.size() - 1) : work;
    const RankBreakdown x =
        of(R"({"ph":"X","cat":")" + category +
           R"(","name":"k","pid":0,"tid":"stream 7","ts":5,"dur":7,"args":{"correlation":3}},
           {"ph":"X","cat":")" +
           launch + R"(","name":"l","pid":1,"tid":1,"ts":1,"dur":1,"args":{"correlation":3}},
           {"ph":"X","cat":")" +
           category +
           R"(","name":"k","pid":0,"tid":"stream 7","ts":50,"dur":7,"args":{"correlation":4}})");
    EXPECT_EQ(x.times.total, 7000) << work;
    EXPECT_EQ(x.counts.orphans, 1) << work;
    EXPECT_EQ(x.streams.front().stream, "stream 7");
  }
}

TEST(BreakdownTest, NoWorkIsRefused) {
  EXPECT_EQ(code_of(R"({"ph":"X","cat":"cpu_op","name":"k","pid":0,"tid":7,"ts":5,"dur":7})"),
            "no-gpu-events");
  EXPECT_EQ(code_of(R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":0,"dur":0})"),
            "no-gpu-events");
  EXPECT_EQ(code_of(""), "no-gpu-events");
}

TEST(BreakdownTest, UtilisationIsTheShareOfEachMillisecond) {
  const RankBreakdown x = of(
      R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1000,"dur":500},
      {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":8,"ts":1250,"dur":500},
      {"ph":"X","cat":"gpu_memcpy","name":"m","pid":0,"tid":8,"ts":1800,"dur":100},
      {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":2900,"dur":600})");
  EXPECT_EQ(x.window, 1'000'000);
  ASSERT_EQ(x.utilisation.size(), 3U);
  EXPECT_DOUBLE_EQ(x.utilisation[0], 0.75);
  EXPECT_DOUBLE_EQ(x.utilisation[1], 0.1);
  EXPECT_DOUBLE_EQ(x.utilisation[2], 1.0);  // of the half window that is left
}

TEST(RanksTest, NamesSayARank) {
  EXPECT_EQ(rank_in_name("a/rank-34.Jul_15.json"), 34);
  EXPECT_EQ(rank_in_name("a/worker2_step_12.json"), 2);
  EXPECT_EQ(rank_in_name("rank9/trace.json"), std::nullopt);
  EXPECT_EQ(rank_in_name("rank.json"), std::nullopt);
}

TEST(RanksTest, OneJobHasDifferentRanksAndOneSize) {
  const auto code = [](std::vector<RankIdentity> ranks) -> std::string {
    std::vector<RankIdentity*> all;
    for (RankIdentity& r : ranks) all.push_back(&r);
    base::Journal journal;
    try {
      check_ranks(all, journal);
    } catch (const base::DataError& error) {
      return error.code();
    }
    return "";
  };
  EXPECT_EQ(code({{0, 0, "a", 0, 8}, {1, 0, "b", 1, 8}, {2, 0, "c", 2, 0}}), "");
  EXPECT_EQ(code({{0, 0, "a", 0, 8}, {1, 0, "b", 1, 16}}), "ranks-disagree");
  EXPECT_EQ(code({{0, 0, "a", 1, 8}, {1, 0, "b", 1, 8}}), "duplicate-rank");
  EXPECT_EQ(code({{0, 0, "rank3.json", -1, 8}, {1, 0, "b", 3, 8}}), "duplicate-rank");
  EXPECT_EQ(code({{0, 0, "a", -1, 8}, {1, 0, "b", 1, 8}}), "no-rank");
  EXPECT_EQ(code({{0, 0, "a", -1, 0}}), "");
}

}  // namespace
}  // namespace greenline::trace
