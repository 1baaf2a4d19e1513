#include "plan/class_strategy.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::plan {
namespace {

std::string canonical(std::string_view text) {
  return class_strategy_text(parse_class_strategy(text));
}

std::string message_of(std::string_view text) {
  try {
    return "accepted as " + canonical(text);
  } catch (const base::UserError& e) {
    EXPECT_EQ(e.code(), "bad-strategy");
    EXPECT_FALSE(e.hint().empty());
    return e.message();
  }
}

TEST(ClassStrategyTest, LevelsStandInOrderByClass) {
  const auto s = parse_class_strategy("dense=tp8,ddp;embedding=shard");
  ASSERT_EQ(s.size(), 2U);
  EXPECT_EQ(s[0].layer_class, "dense");
  ASSERT_EQ(s[0].levels.size(), 2U);
  EXPECT_EQ(s[0].levels[0].kind, LevelKind::tensor);
  EXPECT_EQ(s[0].levels[0].degree, 8);
  EXPECT_EQ(s[0].levels[1].kind, LevelKind::ddp);
  EXPECT_EQ(s[0].levels[1].degree, 0);
  EXPECT_EQ(s[1].levels[0].kind, LevelKind::shard);
}

TEST(ClassStrategyTest, EveryLevelAndClassReadsBack) {
  for (const char* text :
       {"dense=ddp", "dense=fsdp16,ddp2", "experts=ep8,tp2,pp4", "embedding=row4",
        "embedding=column", "experts=ep;dense=tp;embedding=shard8"})
    EXPECT_EQ(canonical(text), text);
  EXPECT_EQ(canonical(" dense = tp8 ,\tddp ; embedding=shard "), "dense=tp8,ddp;embedding=shard");
}

TEST(ClassStrategyTest, SaysWhatIsWrongAndTheNearest) {
  EXPECT_EQ(message_of("dnse=ddp"),
            "strategy part \"dnse=ddp\": unknown layer class \"dnse\"; nearest: dense");
  EXPECT_EQ(message_of("dense=fspd"), "strategy of dense: unknown level \"fspd\"; nearest: fsdp");
  EXPECT_EQ(message_of("dense=ddp,tp8,ddp2"), "strategy of dense: level ddp is given twice");
  EXPECT_EQ(message_of("dense=ddp;dense=tp"),
            "strategy \"dense=ddp;dense=tp\": class dense is given twice");
  EXPECT_EQ(message_of("dense="), "strategy of dense: an empty level");
  EXPECT_EQ(message_of("dense=tp8,"), "strategy of dense: an empty level");
  EXPECT_EQ(message_of("dense=ddp;"), "strategy \"dense=ddp;\": an empty part");
  EXPECT_EQ(message_of(""), "strategy \"\": an empty part");
  EXPECT_EQ(message_of("ddp"), "strategy part \"ddp\": expected class=level[,level]");
}

TEST(ClassStrategyTest, RefusesUglyNumbersAndBytes) {
  for (const char* text :
       {"dense=tp0", "dense=tp-8", "dense=tp8.5", "dense=tp1e3", "dense=tp8x", "dense=tp1000001",
        "dense=tp99999999999999999999", "dense=8", "dense=TP8", "dense=tp 8", "dense==ddp", "=ddp",
        "dense=ddp;;embedding=shard", ";", ",", "=", "dense=\xff\xfe", "dense=ddp\n", "dense:ddp"})
    EXPECT_EQ(message_of(text).find("accepted"), std::string::npos) << text;
  EXPECT_NE(message_of("dense=tp0").find("a degree from 1 to 1000000"), std::string::npos);
}

ClassStrategy completed(std::string_view text, std::int64_t devices, std::int64_t node) {
  return with_degrees(parse_class_strategy(text)[0], devices, node);
}

TEST(ClassStrategyTest, DegreesThatAreLeftOutFollowFromTheMachine) {
  EXPECT_EQ(class_strategy_text({completed("dense=ddp", 128, 8)}), "dense=ddp128");
  EXPECT_EQ(class_strategy_text({completed("dense=tp,ddp", 128, 8)}), "dense=tp8,ddp16");
  EXPECT_EQ(class_strategy_text({completed("dense=tp4,ddp", 128, 8)}), "dense=tp4,ddp32");
  EXPECT_EQ(class_strategy_text({completed("dense=tp,pp4,ddp", 128, 8)}), "dense=tp8,pp4,ddp4");
}

TEST(ClassStrategyTest, DegreesHaveToMakeTheDevices) {
  const auto message = [](std::string_view text, std::int64_t devices) {
    try {
      return class_strategy_text({completed(text, devices, 8)});
    } catch (const base::UserError& e) {
      return e.message();
    }
  };
  EXPECT_EQ(message("dense=ddp64", 128),
            "strategy dense=ddp64: its degrees make 64 devices, there are 128");
  EXPECT_EQ(message("dense=tp8,ddp32", 128),
            "strategy dense=tp8,ddp32: its degrees make more than the 128 devices there are");
  EXPECT_EQ(message("dense=tp3,ddp", 128),
            "strategy dense=tp3,ddp42: its degrees make 126 devices, there are 128");
  EXPECT_EQ(message("dense=tp,pp,ddp", 128),
            "strategy dense=tp8,pp,ddp: level pp needs its degree");
}

}  // namespace
}  // namespace greenline::plan
