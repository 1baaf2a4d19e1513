#include "io/value.hpp"

#include <gtest/gtest.h>

#include "unit/io/expect_error.hpp"

namespace greenline::io {
namespace {

using base::DataError;
using testing::error_of;

Value placed(Value v) {
  v.set_where({"f.toml", 3, 7});
  return v;
}

TEST(Value, WrongTypeSaysPlaceExpectedAndGot) {
  EXPECT_EQ(error_of<DataError>("wrong-type", [] { placed("x").as_double(); }),
            "f.toml:3:7: expected a number, got text \"x\"; write it without quotes");
  EXPECT_EQ(error_of<DataError>("wrong-type", [] { placed(8.5).as_int(); }),
            "f.toml:3:7: expected an integer, got 8.5; write it without point and exponent");
  EXPECT_EQ(error_of<DataError>("wrong-type",
                                [] {
                                  placed(Value::Array{1, 2}).as_object();
                                }),
            "f.toml:3:7: expected a table, got an array of 2");
  EXPECT_EQ(error_of<DataError>("wrong-type", [] { placed({}).as_bool(); }),
            "f.toml:3:7: expected true or false, got nothing");
  EXPECT_EQ(error_of<DataError>("wrong-type", [] { placed(true).as_text(); }),
            "f.toml:3:7: expected text, got true; put it in quotes");
}

TEST(Value, IntegersAreNumbersToo) {
  EXPECT_EQ(Value(7).as_double(), 7);
  EXPECT_TRUE(Value(7).is_number());
  EXPECT_FALSE(Value(7).is_double());
}

TEST(Value, FindsByNameAndPath) {
  const Value v =
      Value::Object{{"a", Value::Object{{"b", Value::Array{10, Value::Object{{"c", 5}}}}}}};
  EXPECT_EQ(v.find_path("a.b.1.c")->as_int(), 5);
  EXPECT_EQ(v.find_path("a.b.0")->as_int(), 10);
  for (const char* absent :
       {"x", "a.x", "a.b.2", "a.b.x", "a.b.-1", "a.b.0.c", "a..b", "", "a.b.0x"})
    EXPECT_EQ(v.find_path(absent), nullptr) << absent;
  EXPECT_EQ(Value(1).find("a"), nullptr);
}

TEST(Value, SubscriptMakesMembers) {
  Value v;
  v["b"]["c"] = 1;
  v["a"] = "x";
  v["b"]["c"] = 2;
  EXPECT_EQ(v, (Value::Object{{"b", Value::Object{{"c", 2}}}, {"a", "x"}}));
  EXPECT_THROW(v["a"]["no"], DataError);
}

TEST(Value, EqualityIgnoresPlacesAndKindsOfNumbers) {
  EXPECT_EQ(placed(1), Value(1));
  EXPECT_EQ(Value(1), Value(1.0));
  EXPECT_EQ((Value::Array{1.0, 2}), (Value::Array{1, 2.0}));
  EXPECT_NE(Value(1), Value(1.5));
  EXPECT_NE(Value(1), Value(true));
  EXPECT_NE(Value(INT64_MAX), Value(0x1p63));  // the nearest double, not the same number
  EXPECT_EQ(Value(INT64_MIN), Value(-0x1p63));
  EXPECT_NE(Value("2024-05-01"), Value(Value::DateTime{"2024-05-01"}));
}

}  // namespace
}  // namespace greenline::io
