#include "plan/strategy.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

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
