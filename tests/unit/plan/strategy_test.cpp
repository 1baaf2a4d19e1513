#include "plan/strategy.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "plan_configurations.hpp"

namespace greenline::plan {
namespace {

std::string message_of(std::string_view text, std::int64_t devices) {
  try {
    parse_strategy(text, devices);
  } catch (const base::UserError& e) {
    return e.message();
  }
  return "accepted";
}

TEST(StrategyTest, OrderIsFreeAndTextIsCanonical) {
  EXPECT_EQ(strategy_text(parse_strategy("sp, dp4,pp2,tp8", 64)), "tp8,pp2,dp4,sp");
  EXPECT_EQ(strategy_text(parse_strategy("fsdp32,tp8", 256)), "tp8,pp1,dp32,zero3");
  EXPECT_EQ(strategy_text(parse_strategy("fsdp", 8)), "tp1,pp1,dp8,zero3");
  EXPECT_EQ(strategy_text(parse_strategy("dp8,zero1", 8)), "tp1,pp1,dp8,zero1");
}

TEST(StrategyTest, TextReadsBack) {
  const Strategy s{8, 4, 2, 2, true};
  EXPECT_EQ(parse_strategy(strategy_text(s), 64), s);
  const Problem p = problem_of("llama3-70b", "dgx-h100", 192, 768);
  ConfigurationSource source(11);
  for (int i = 0; i < 1000; ++i) {
    const Strategy any = source.configuration(p).strategy;
    EXPECT_EQ(parse_strategy(strategy_text(any), 192), any) << strategy_text(any);
  }
}

TEST(StrategyTest, WordsOfContextExpertsAndCopies) {
  const Strategy s = parse_strategy("tp2,cp4,pp2,dp16,ep8,hsdp8,sp,dpfirst", 256);
  EXPECT_EQ(s.context_parallel, 4);
  EXPECT_EQ(s.expert_parallel, 8);
  EXPECT_EQ(s.shard_group, 8);
  EXPECT_EQ(s.zero, 3);
  EXPECT_TRUE(s.data_innermost);
  EXPECT_EQ(parse_strategy("tp8,cp2,pp2", 128).data_parallel, 4);
  EXPECT_NE(message_of("zero2,hsdp8", 8).find("repeats"), std::string::npos);
  EXPECT_NE(message_of("cp0", 8).find("from 1 on"), std::string::npos);
  EXPECT_NE(message_of("hsdp", 8).find("from 1 on"), std::string::npos);
}

TEST(StrategyTest, LayerClassesAreAnotherForm) {
  auto words = [](const char* text) { return strategy_text(parse_strategy(text, 64, 8)); };
  EXPECT_EQ(words("dense=ddp"), "tp1,pp1,dp64");
  EXPECT_EQ(words("dense=fsdp"), "tp1,pp1,dp64,zero3");
  EXPECT_EQ(words("dense=tp,ddp"), "tp8,pp1,dp8");
  EXPECT_EQ(words("dense=ddp,tp"), "tp8,pp1,dp8,dpfirst");
  EXPECT_EQ(words("dense=fsdp,ddp"), "tp1,pp1,dp64,hsdp8");
  EXPECT_EQ(words("dense=tp4,fsdp4,pp4"), "tp4,pp4,dp4,zero3");
  EXPECT_EQ(words("dense=fsdp;experts=ep"), "tp1,pp1,dp64,ep8,zero3");
  EXPECT_EQ(words("dense=tp,ddp;embedding=row"), "tp8,pp1,dp8");
}

TEST(StrategyTest, LayerClassesThatNoTransformerHas) {
  auto message = [](const char* text) {
    try {
      parse_strategy(text, 64, 8);
    } catch (const base::UserError& e) {
      return e.message();
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message("dense=ddp,fsdp"),
            "strategy dense=ddp8,fsdp8: fsdp must be inside ddp (got level 1)");
  EXPECT_NE(message("dense=pp,ddp").find("outermost level (got level 0)"), std::string::npos);
  EXPECT_NE(message("dense=ep,ddp").find("ep is no level"), std::string::npos);
  EXPECT_NE(message("dense=fsdp2,tp4,ddp8").find("between fsdp and ddp"), std::string::npos);
  EXPECT_NE(message("dense=ddp;embedding=shard").find("split with its dense"), std::string::npos);
  EXPECT_NE(message("dense=ddp;experts=tp8").find("tp is no level of experts"), std::string::npos);
  EXPECT_NE(message("experts=ep8").find("dense layers have none"), std::string::npos);
}

TEST(StrategyTest, OmittedDataParallelismIsWhatRemains) {
  EXPECT_EQ(parse_strategy("tp8,pp8", 128).data_parallel, 2);
  EXPECT_EQ(parse_strategy("tp8,pp8", 0).data_parallel, 1);
}

TEST(StrategyTest, ProductIsHeldAgainstTheDevices) {
  EXPECT_EQ(message_of("tp8,pp8,dp2", 64),
            "strategy tp8,pp8,dp2 needs 128 devices; --devices is 64");
  EXPECT_EQ(message_of("tp3", 64), "strategy tp3 needs 3 devices; --devices is 64");
}

TEST(StrategyTest, BadWordsAreNamed) {
  EXPECT_NE(message_of("tp8,fsdpp", 8).find("nearest: fsdp"), std::string::npos);
  EXPECT_NE(message_of("tp8,vp2", 8).find("unknown strategy word"), std::string::npos);
  EXPECT_NE(message_of("tp0", 0).find("\"tp0\""), std::string::npos);
  EXPECT_NE(message_of("tp-2", 0).find("\"tp-2\""), std::string::npos);
  EXPECT_NE(message_of("tp99999999999999999999", 0).find("up to"), std::string::npos);
  EXPECT_NE(message_of("tp2,tp4", 0).find("repeats"), std::string::npos);
  EXPECT_NE(message_of("zero3,fsdp", 8).find("repeats"), std::string::npos);
  EXPECT_NE(message_of("dp4,fsdp8", 8).find("again"), std::string::npos);
  EXPECT_NE(message_of("zero4", 8).find("zero3"), std::string::npos);
  EXPECT_NE(message_of("", 8).find("empty word"), std::string::npos);
  EXPECT_NE(message_of("tp8,", 8).find("empty word"), std::string::npos);
  EXPECT_NE(message_of("sp", 8).find("without tensor parallelism"), std::string::npos);
}

}  // namespace
}  // namespace greenline::plan
